"""Shown: the kernels of the page cost what addresses say, and each step of a rung is blamed for what it says."""

from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder import shown
from accelerator_lib import gpu, kernels

STEPS = [(id, place) for id, rung in ladder.rungs().items() for place in range(len(rung.steps))]
QUICK = [(id, place) for id, place in STEPS if id not in ("matmul", "reduction", "product")]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 32))
def test_a_stride_brings_the_sectors_that_chapter_5_counts(stride):
    made = shown.strided(stride)
    assert made.counted.loads["a"].sectors == gpu.sectors(stride) and made.counted.stores["out"].sectors == 4
    assert list(made.arrays["out"][:32]) == [stride * lane for lane in range(32)]


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 64))
def test_a_column_takes_the_turns_of_the_common_divisor(words):
    made = shown.column(words)
    assert made.counted.shared_turns == gcd(words, 32) == gpu.bank_conflict(words)


@pytest.mark.parametrize("places", [1, 2, 3, 8, 31, 32])
def test_lanes_queue_for_the_fullest_counter(places):
    assert shown.counting(places).counted.atomic_turns == -(-32 // places)


def test_a_transpose_moves_more_and_lasts_longer_though_not_as_much():
    copy, turned = shown.moved("copy", 64), shown.moved("transpose", 64)
    assert (turned.arrays["out"] == copy.arrays["out"].T).all()
    assert turned.counted.global_bytes == 4.5 * copy.counted.global_bytes  # 4 sectors and 32, not 4 and 4
    assert turned.counted.dram_bytes == copy.counted.dram_bytes and 1 < turned.timed.cycles / copy.timed.cycles < 2


def test_more_warps_hide_more_of_the_latency_until_the_bandwidth_is_used():
    cycles = [shown.streamed(warps).timed.cycles for warps in (1, 2, 4, 32)]
    assert cycles == sorted(cycles, reverse=True) and cycles[0] == pytest.approx(2 * cycles[1], rel=0.01)
    assert kernels.least_cycles(8 * shown.STREAM) < cycles[-1] < 1.2 * kernels.least_cycles(8 * shown.STREAM)


@pytest.mark.parametrize("id, place", QUICK)
def test_a_step_scores_what_its_run_says_and_is_blamed_for_its_fault(id, place):
    rung = ladder.rung(id)
    assert shown.score(id, place) == pytest.approx(rung.score(rung.run(rung.steps[place].text, rung.scoring)))
    blamed = shown.blamed(id, place)
    assert (blamed.counter if blamed else "") == rung.steps[place].fault


def test_a_step_beyond_the_last_is_the_last_and_a_run_is_made_once():
    assert shown.ran("copy", 9) is shown.ran("copy", 1) and shown.score("copy", 9) == ladder.rung("copy").par


@pytest.mark.parametrize("call", [lambda: shown.ran("maps"), lambda: shown.moved("swap"), lambda: shown.column(0)])
def test_what_is_not_shown_is_one_line(call):
    with pytest.raises((ValueError, KeyError)) as found:
        call()
    assert "\n" not in str(found.value)


def test_chips_have_the_tile_without_a_spare_column_before_the_straight_one_and_the_machine_behind():
    """Second road: the printed times and rates, divided by hand."""
    machine, page, blog = shown.beside().values()
    assert page == pytest.approx({"straight": 3.14, "tile": 1.77, "padded": 1.10}, abs=0.01)
    assert blog == pytest.approx({"straight": 2.46, "tile": 1.39, "padded": 0.94}, abs=0.01)
    assert machine == pytest.approx({"straight": 1.33, "tile": 1.98, "padded": 1.03}, abs=0.01)
    for ways in (page, blog):
        assert ways["straight"] > ways["tile"] > ways["padded"]
    assert machine["tile"] > machine["straight"] > machine["padded"]  # no question may rest on this order
