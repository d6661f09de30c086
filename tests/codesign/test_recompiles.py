import pytest

from accelerator_lib.codesign import recompiles


def test_a_program_for_every_shape_and_none_twice():
    lengths = recompiles.draw(24, 7)
    for how, pad in recompiles.PADDED.items():
        *_, end = recompiles.serve(lengths, how)
        assert end.programs == tuple(dict.fromkeys(map(pad, lengths)))
        assert len(end.lengths) == end.planned == 24 and all(p >= n for n, p in zip(lengths, end.padded, strict=True))


def test_fewer_programs_cost_more_padding():
    lengths = recompiles.draw(40)
    ends = [list(recompiles.serve(lengths, how))[-1] for how in recompiles.PADDED]
    programs, padding = [len(end.programs) for end in ends], [end.padding for end in ends]
    assert programs == sorted(programs, reverse=True) and programs[-1] == 1
    assert padding[0] == 0 and padding[1] < padding[3] and padding[2] < padding[3]


def test_padding_up():
    pad = recompiles.PADDED["to powers of two"]
    assert [pad(n) for n in (1, 2, 3, 64, 65, 128)] == [1, 2, 4, 64, 128, 128]
    pad = recompiles.PADDED["to multiples of 32"]
    assert [pad(n) for n in (1, 16, 17, 128)] == [32, 32, 32, 128]


def test_the_first_state_has_served_nobody_and_each_run_starts_empty():
    first, *_, end = recompiles.serve((5, 5, 6))
    assert first.lengths == () and first.padding == 0 and first.planned == 3
    assert end.compiled == (True, False, True)
    *_, again = recompiles.serve((5, 5, 6))
    assert again.compiled == end.compiled


def test_lengths_are_drawn_from_one_to_the_longest():
    for seed in range(20):
        assert all(1 <= n <= recompiles.LONGEST for n in recompiles.draw(50, seed))
    assert recompiles.draw(9, 1) == recompiles.draw(9, 1) != recompiles.draw(9, 2)


def test_bad_input():
    with pytest.raises(KeyError, match="did you mean 'to powers of two'"):
        recompiles.serve((1,), "to power of two")
    with pytest.raises(ValueError, match="outside the allowed range"):
        recompiles.serve((0,))


@pytest.mark.parametrize("lengths", [None, 3, (1,) * 201])
def test_lengths_that_are_none_are_answered(lengths):
    with pytest.raises(TypeError, match="lengths must be"):
        recompiles.serve(lengths)
