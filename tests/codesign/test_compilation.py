"""When tuning and compiling pay, and lengths in buckets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.codesign import compilation


def test_who_compiles_when_and_what_never_pays():
    assert compilation.break_even_runs(12, 0.022, 0.012) == pytest.approx(1200)
    assert compilation.break_even_runs(12, 0.012, 0.022) is compilation.break_even_runs(0, 0.01, 0.01) is None
    assert compilation.break_even_runs([12, 0], [0.022, 0.012], 0.012).tolist() == [pytest.approx(1200), None]
    total = {when: compilation.buckets(8, when=when) for when in compilation.WHEN}
    assert total["just in time"].total == total["ahead of time"].total
    assert total["just in time"].longest_wait - total["ahead of time"].longest_wait == pytest.approx(2)
    assert total["kept from last time"].compiling == 0 and total["kept from last time"].padding == 50 / 8
    assert compilation.buckets(1).padding == compilation.buckets(1).useful
    assert compilation.buckets(64).compiling > compilation.buckets(64).useful


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
        ends = (1 + np.arange(n)) / n
        padded = ends[np.searchsorted(ends, lengths)]
        seconds = 2 * 0.005 * padded.sum()  # a length of 1 takes twice the mean
        assert seconds == pytest.approx(made.useful + made.padding, rel=0.01)
