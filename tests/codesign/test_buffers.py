from accelerator_lib.codesign.buffers import Buffer, Piece
from accelerator_lib.codesign.nest import Traffic


def buffer():
    return Buffer("SRAM", (2, 2, 2), "mnk", 12, Traffic(0, 0, 0, 0))


def plan(m, n, k):
    """What a walk asks for: the tile that begins at (m, n, k)."""
    return 0, (m // 2, n // 2, k // 2), (2, 2, 2), ((m, 2), (n, 2), (k, 2))


def test_a_tile_that_is_there_is_not_fetched_again():
    here = buffer()
    assert here.go(plan(0, 0, 0)) is None and here.words == [4, 4, 0, 0]
    here.go(plan(0, 2, 0))  # another column of B and C; A stays
    assert here.level().came == (False, True, True) and here.words == [4, 8, 4, 0]
    assert here.home == Piece(0, 0, 2, 2, 0)


def test_a_sum_that_comes_back_is_read():
    here = buffer()
    for n in (0, 2, 0):
        here.go(plan(0, n, 0))
    assert here.held[2] == Piece(0, 0, 2, 2, 2, again=True) and here.words == [4, 12, 8, 4]


def test_after_leaving_nothing_is_known_of_what_was_there():
    here = buffer()
    here.go(plan(0, 0, 0))
    assert here.leave() == Piece(0, 0, 2, 2, 0) and here.level().held == (None,) * 3
    here.go(plan(0, 0, 2))
    assert not here.held[2].again and here.words == [8, 8, 4, 0]


def test_a_copy_of_a_level_does_not_change():
    here = buffer()
    before = here.level()
    here.go(plan(0, 0, 0))
    assert before.words == (0, 0, 0, 0) and before.held == (None,) * 3 and before.need == 12
