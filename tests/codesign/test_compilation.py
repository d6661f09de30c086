"""When tuning and compiling pay, lengths in buckets, and compilations for new shapes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.codesign import compilation


def test_the_case_of_the_kernel():
    assert compilation.break_even_runs(12, 0.022, 0.012) == pytest.approx(1200)
    assert compilation.break_even_runs(12, 0.012, 0.022) is compilation.break_even_runs(0, 0.01, 0.01) is None
    assert compilation.break_even_runs([12, 0], [0.022, 0.012], 0.012).tolist() == [pytest.approx(1200), None]


@given(st.floats(0.01, 1e4), st.floats(1e-3, 1), st.floats(1e-3, 1))
def test_at_the_break_even_both_ways_take_as_long(tune, before, after):
    runs = compilation.break_even_runs(tune, before, after)
    if runs is not None:
        assert runs * before == pytest.approx(tune + runs * after, rel=1e-6)
    else:
        assert after >= before


def test_the_best_number_of_buckets_by_trying_all():
    assert compilation.best_buckets(10_000, 0.005, 2.0) == pytest.approx(5.0)
    for requests, seconds, compile_seconds in ((10_000, 0.005, 2.0), (1e6, 0.01, 0.7), (300, 0.02, 5.0), (2, 0.001, 9)):
        totals = [compilation.buckets(n, requests, seconds, compile_seconds).total for n in range(1, 400)]
        best = compilation.best_buckets(requests, seconds, compile_seconds)
        assert abs(1 + int(np.argmin(totals)) - best) <= 1


def test_padding_by_padding_every_request():
    lengths = np.random.default_rng(3).uniform(0, 1, 200_000)
    for n in (1, 4, 16):
        made = compilation.buckets(n, len(lengths), 0.005, 2.0)
        ends = np.array(made.ends)
        padded = ends[np.searchsorted(ends, lengths)]
        seconds = 2 * 0.005 * padded.sum()  # a length of 1 takes twice the mean
        assert seconds == pytest.approx(made.useful + made.padding, rel=0.01)


def test_who_compiles_when():
    total = {when: compilation.buckets(8, when=when) for when in compilation.WHEN}
    assert total["just in time"].total == total["ahead of time"].total
    assert total["just in time"].longest_wait - total["ahead of time"].longest_wait == pytest.approx(2)
    assert total["kept from last time"].compiling == 0 and total["kept from last time"].padding == 50 / 8
    assert compilation.buckets(1).padding == compilation.buckets(1).useful
    assert compilation.buckets(64).compiling > compilation.buckets(64).useful


def test_bad_input():
    with pytest.raises(ValueError, match="outside the allowed range"):
        compilation.break_even_runs(-1, 0.1, 0.1)
    with pytest.raises(ValueError, match="outside the allowed range"):
        compilation.best_buckets(0, 1.0, 1.0)
    with pytest.raises(KeyError, match="did you mean"):
        compilation.buckets(when="ahead of tim")


def test_a_program_for_every_shape_and_none_twice():
    lengths = compilation.draw(24, 7)
    for how, pad in compilation.PADDED.items():
        *_, end = compilation.serve(lengths, how)
        assert end.programs == tuple(dict.fromkeys(map(pad, lengths)))
        assert len(end.lengths) == end.planned == 24 and all(p >= n for n, p in zip(lengths, end.padded, strict=True))


def test_fewer_programs_cost_more_padding():
    lengths = compilation.draw(40)
    ends = [list(compilation.serve(lengths, how))[-1] for how in compilation.PADDED]
    programs, padding = [len(end.programs) for end in ends], [end.padding for end in ends]
    assert programs == sorted(programs, reverse=True) and programs[-1] == 1
    assert padding[0] == 0 and padding[1] < padding[3] and padding[2] < padding[3]


def test_padding_up():
    pad = compilation.PADDED["to powers of two"]
    assert [pad(n) for n in (1, 2, 3, 64, 65, 128)] == [1, 2, 4, 64, 128, 128]
    pad = compilation.PADDED["to multiples of 32"]
    assert [pad(n) for n in (1, 16, 17, 128)] == [32, 32, 32, 128]


def test_the_first_state_has_served_nobody_and_each_run_starts_empty():
    first, *_, end = compilation.serve((5, 5, 6))
    assert first.lengths == () and first.padding == 0 and first.planned == 3
    assert end.compiled == (True, False, True)
    *_, again = compilation.serve((5, 5, 6))
    assert again.compiled == end.compiled


def test_lengths_are_drawn_from_one_to_the_longest():
    for seed in range(20):
        assert all(1 <= n <= compilation.LONGEST for n in compilation.draw(50, seed))
    assert compilation.draw(9, 1) == compilation.draw(9, 1) != compilation.draw(9, 2)


def test_no_length_and_no_padding():
    with pytest.raises(KeyError, match="did you mean 'to powers of two'"):
        compilation.serve((1,), "to power of two")
    with pytest.raises(ValueError, match="outside the allowed range"):
        compilation.serve((0,))


@pytest.mark.parametrize("lengths", [None, 3, (1,) * 201])
def test_lengths_that_are_none_are_answered(lengths):
    with pytest.raises(TypeError, match="lengths must be"):
        compilation.serve(lengths)
