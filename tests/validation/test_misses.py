"""Misses: bins, stacks, and sums that agree with those of the report."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import misses
from accelerator_lib.validation.report import report


@pytest.mark.parametrize("by", misses.LEFT_OUT)
@pytest.mark.parametrize("kind", ["gemm", "decode", "memory_latency", "tpu_v1"])
def test_medians_and_intervals_are_those_of_the_report(kind, by):
    found, told = misses.spread(kind, by), report()[kind][by]
    assert found.factors == pytest.approx((exp(told.median), exp(told.worst_tenth)))
    assert found.held / len(found.rows) == pytest.approx(told.coverage) and len(found.rows) == len(told.counted)


def test_all_kinds_are_the_sum_of_the_kinds():
    kinds = [kind for kind in report() if report()[kind]["publisher"].counted]
    assert len(misses.spread().rows) == sum(len(misses.spread(kind).rows) for kind in kinds)
    assert misses.spread().held == sum(misses.spread(kind).held for kind in kinds)


@given(st.floats(-5, 5))
def test_a_bin_is_a_twentieth_wide_and_the_last_one_open(off):
    bin = misses.bin_of(off)
    assert abs(bin) <= misses.EDGE and misses.bin_of(-off) == -bin
    if abs(bin) < misses.EDGE:
        assert abs(off - bin * log(1.05)) <= log(1.05) / 2 + 1e-9
    else:
        assert abs(off) >= (misses.EDGE - 0.5) * log(1.05) - 1e-9


def test_bricks_of_a_bin_stand_on_each_other_and_those_outside_on_top():
    stacks = {}
    for row, off, bin, place in misses.spread().rows:
        assert bin == misses.bin_of(off)
        stacks.setdefault(bin, {})[place] = row.held
    for stack in stacks.values():
        assert sorted(stack) == list(range(len(stack)))
        held = [stack[place] for place in sorted(stack)]
        assert held == sorted(held, reverse=True)


def test_a_time_thought_too_short_is_a_machine_thought_too_fast():
    for row, off, *_ in misses.spread("memory_latency").rows:
        assert off == pytest.approx(log(row.measured / row.told.value))
    fast = [row for row, off, *_ in misses.spread("gemm").rows if off > 0]
    assert all(row.told.value > row.measured for row in fast)
    assert misses.spread("gemm").fast == len(fast) / len(misses.spread("gemm").rows)


def test_what_no_row_counts_of_is_named():
    with pytest.raises(NotAvailable, match="TPU v4"):
        misses.spread("tpu_v4")


def test_a_band_is_that_of_publishers_drawn_anew():
    """Second road: whole publishers drawn one by one; wider than if rows were drawn, which go together."""
    found = misses.spread()
    by = {}
    for row, *_ in found.rows:
        by.setdefault(row.publisher, []).append(row.held)
    rng, shares = np.random.default_rng(1), []
    for _ in range(2000):
        drawn = [held for name in rng.choice(sorted(by), len(by)) for held in by[name]]
        shares.append(sum(drawn) / len(drawn))
    assert found.band() == pytest.approx(np.quantile(shares, (0.05, 0.95)), abs=0.015)
    assert found.band()[1] - found.band()[0] > 2 * 1.645 * (0.7 * 0.3 / 449) ** 0.5
