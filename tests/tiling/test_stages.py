from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import tiling

times = st.integers(1, 40)


@given(times, times, times, st.integers(1, 6))
def test_in_the_long_run_a_tile_takes_what_the_formula_says(latency, transfer, work, buffers):
    run = tiling.staged(400, latency * 1e-8, transfer * 1e-8, work * 1e-8, buffers)
    played = (run.works[-1] - run.works[-1 - 60]) / 60  # 60: a whole number of rounds of 1 to 6 buffers
    assert played == pytest.approx(run.each) and run.busy <= 1


@given(times, times, times)
def test_fewer_buffers_than_enough_are_slower_and_more_bring_nothing(latency, transfer, work):
    each = {n: tiling.staged(4, latency * 1e-8, transfer * 1e-8, work * 1e-8, n).each for n in range(1, 130)}
    enough = tiling.staged(4, latency * 1e-8, transfer * 1e-8, work * 1e-8).enough
    assert each[enough] == pytest.approx(max(transfer, work) * 1e-8) == pytest.approx(each[enough + 3])
    assert enough == 1 or each[enough - 1] > each[enough]
    if work >= transfer:
        assert enough == ceil((latency + transfer) / work) + 1


def test_a_copy_of_600_ns_and_work_of_200_need_four_buffers():
    """0.5 us of latency, 0.1 of transfer, 0.2 of arithmetic: 0.8 us around, a fourth of it with four buffers."""
    runs = {n: tiling.staged(40, 5e-7, 1e-7, 2e-7, n) for n in (1, 2, 4, 5)}
    assert [run.each for run in runs.values()] == pytest.approx([8e-7, 4e-7, 2e-7, 2e-7])
    assert runs[1].enough == 4 and runs[2].busy == pytest.approx(0.5)
    assert list(runs[2].works[:3]) == pytest.approx([6e-7, 8e-7, 14e-7])


def test_times_are_seconds():
    with pytest.raises(ValueError, match="work_seconds = 0 s is outside"):
        tiling.staged(4, 0, 0, 0)
