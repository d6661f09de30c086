import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.codesign.nest import ORDERS, levels, traffic
from accelerator_lib.codesign.walking import thin, walk
from accelerator_lib.workload import Gemm

SMALL = st.integers(1, 7)
THREE = st.tuples(SMALL, SMALL, SMALL)


@given(THREE, THREE, st.sampled_from(ORDERS))
def test_a_walk_ends_at_the_closed_form(sizes, tile, order):
    *_, last = walk(Gemm(*sizes), tile, order)
    assert last.words == traffic(Gemm(*sizes), tile, order)


@settings(max_examples=60)
@given(THREE, THREE, st.sampled_from(ORDERS), THREE, st.sampled_from(ORDERS))
def test_two_levels_end_at_theirs_with_all_sums_finished_and_at_home(sizes, tile, order, inner, inside):
    *_, last = walk(Gemm(*sizes), tile, order, inner, inside)
    clipped = tuple(map(min, tile, sizes))
    mapping = clipped, order, tuple(map(min, inner, clipped)), inside
    assert tuple(level.words for level in last.levels) == levels(Gemm(*sizes), mapping)
    assert set(last.sums.values()) == {sizes[2]}
    assert sum(rows * cols for _, _, rows, cols in last.sums) == sizes[0] * sizes[1]


@given(THREE, THREE, st.sampled_from(ORDERS))
def test_words_never_fall_and_grow_by_what_comes_and_goes(sizes, tile, order):
    before = None
    for now in walk(Gemm(*sizes), tile, order):
        if before is not None:
            (level,) = now.levels
            come = [piece.words if new else 0 for piece, new in zip(level.held, level.came, strict=True)]
            back = level.held[2].words if level.came[2] and level.held[2].again else 0
            home = level.home.words if level.home else 0
            grown = [a - b for a, b in zip(now.words, before.words, strict=True)]
            assert grown == [come[0], come[1], home, back]
        before = now


@given(THREE, THREE, st.sampled_from(ORDERS), THREE, st.sampled_from(ORDERS))
def test_what_is_announced_is_what_comes(sizes, tile, order, inner, inside):
    before = None
    for now in walk(Gemm(*sizes), tile, order, inner, inside):
        if before is not None and before.coming:
            depth, pieces = before.coming
            level = now.levels[depth]
            assert all(piece is None or piece == held for piece, held in zip(pieces, level.held, strict=True))
            assert tuple(piece is not None for piece in pieces) == level.came
        before = now
    assert now.coming is None


def test_every_state_knows_its_number_and_what_all_orders_would_move():
    gemm = Gemm(8, 8, 8)
    moments = list(walk(gemm, (2, 2, 2), "kmn"))
    assert [one.step for one in moments] == list(range(66)) and {one.steps for one in moments} == {65}
    assert moments[0].orders == {order: traffic(gemm, (2, 2, 2), order).words for order in ORDERS}


def test_what_does_not_fit_is_refused_with_the_name_of_the_buffer():
    with pytest.raises(NotAvailable, match="^SRAM: tiles of 8 × 8 × 8 take 192 words, and there is room for 191$"):
        walk(Gemm(8, 8, 8), (16, 16, 16), "mnk", sram_words=191)
    with pytest.raises(NotAvailable, match="^registers: tiles of 4 × 4 × 4 take 48 words"):
        walk(Gemm(8, 8, 8), (8, 8, 8), "mnk", (4, 4, 4), "mnk", 192, 47)
    assert next(walk(Gemm(8, 8, 8), (16, 16, 16), "mnk", sram_words=192)).levels[0].need == 192


def test_a_long_walk_is_thinned_to_its_beginning_some_states_and_its_end():
    moments = list(thin(walk(Gemm(16, 16, 16), (1, 1, 1), "mnk")))
    assert [one.step for one in moments[:57]] == list(range(57))
    assert len(moments) <= 155 and moments[-1].step == moments[-1].steps == 16**3 + 1
    short = list(walk(Gemm(8, 8, 8), (2, 2, 2), "mnk"))
    assert [one.step for one in thin(short)] == [one.step for one in short]


def test_a_walk_without_end_is_refused():
    with pytest.raises(ValueError, match="too many to walk"):
        walk(Gemm(4096, 4096, 4096), (1, 1, 1), "mnk")


def test_a_thinned_walk_keeps_its_beginning_and_its_end():
    whole = list(walk(Gemm(8, 8, 8), (1, 1, 1), ORDERS[0]))
    kept = list(thin(whole, slowly=10, most=30))
    assert kept[:11] == whole[:11] and kept[-1] == whole[-1] and len(kept) <= 32
    for wrong in ({"slowly": -1}, {"slowly": 10, "most": 10}, {"most": 2.5}):
        with pytest.raises((ValueError, TypeError), match=list(wrong)[-1]):
            next(thin(whole, **wrong))
