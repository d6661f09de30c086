"""A session and its seconds: a clock made by hand, groups by weight, what is kept of it."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course import measure
from accelerator_course.measure import file, plan
from accelerator_course.measure.session import Budget, Session, spread_out
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.machine import timing

GROUPS = ["products", "streams", "decode", "launches", "attention"]


@pytest.mark.parametrize("seconds", [3, 20, 60])
@pytest.mark.parametrize("speed", [2e9, 1e11, 1e13])
def test_a_session_keeps_to_its_seconds_on_slow_and_fast_machines(simulated, seconds, speed):
    session, machine = simulated(seconds, flops_per_s=speed, bytes_per_s=speed / 10)
    progress = list(session.steps())
    longest = max(5 * found.seconds + machine.compiling + 0.1 for _, found in session.measured)
    assert machine.now <= seconds + longest + 0.5  # the probe, and the smallest case of each group
    assert session.complete and progress[-1].fraction == 1 and progress[-1].result is session
    fractions = [each.fraction for each in progress]
    assert fractions == sorted(fractions) and fractions[0] == 0


def test_with_time_enough_every_group_is_measured_whole_and_products_go_in_steps_of_64(simulated):
    session, _ = simulated(300)
    list(session.steps())
    groups = [case.group for case, _ in session.measured]
    assert list(dict.fromkeys(groups)) == GROUPS and session.left_out == 0
    edges = sorted(case.conditions["M"] for case, _ in session.measured if case.group == "products")
    assert edges == list(range(64, edges[-1] + 1, 64)) and edges[-1] >= 1024


def test_a_faster_machine_gets_larger_products_and_no_array_passes_the_memory(simulated):
    tops = []
    for speed in (2e9, 2e10, 2e12):
        session, _ = simulated(30, flops_per_s=speed)
        list(session.steps())
        tops.append(max(case.conditions["M"] for case, _ in session.measured if case.group == "products"))
        for case, _ in session.measured:
            if case.group != "decode":
                assert (
                    case.bytes_moved / {"read": 1, "scale": 2, "triad": 1.5}.get(case.conditions.get("kernel"), 1)
                    <= 64e6
                )
    assert tops == sorted(tops) and tops[0] < tops[-1]


def test_several_devices_add_up_and_one_does_not(simulated):
    for count in (1, 4):
        session, _ = simulated(120, "gpu", count, flops_per_s=1e14, bytes_per_s=1e12)
        list(session.steps())
        assert any(case.group == "collectives" for case, _ in session.measured) == (count > 1)


def test_the_chip_s_peaks_are_found_again(simulated):
    """Two roads: what the simulated machine can do, and what the file says that it can."""
    session, _ = simulated(120, flops_per_s=1e11, bytes_per_s=1e10, launching=0)
    list(session.steps())
    mine = file.read(session.content())
    assert mine.chip.peak("fp32") == pytest.approx(1e11)
    assert mine.chip.bytes_per_s == pytest.approx(1e10)
    assert mine.estimated and "estimated from its own measurements" in mine.chip.name


def test_what_is_measured_before_an_interruption_is_kept(simulated):
    session, machine = simulated(60)
    steps = session.steps()
    for _ in range(9):
        next(steps)
    machine.timer_was, session.timer = machine.timer, _interrupted
    with pytest.raises(KeyboardInterrupt):
        next(steps)
    mine = file.read(session.content())
    assert len(mine.measurements) == 7 and not mine.complete


def _interrupted(*_, **__):
    raise KeyboardInterrupt


def test_a_case_that_does_not_fit_the_device_s_memory_is_left_out_and_the_others_go_on(simulated):
    session, machine = simulated(120)
    timed = machine.timer

    def timer(case, **given):
        if case.group == "attention":
            raise RuntimeError("RESOURCE_EXHAUSTED: Out of memory")
        return timed(case, **given)

    session.timer = timer
    list(session.steps())
    assert session.complete and session.left_out == 5
    assert not file.read(session.content()).of("attention")


def test_a_brief_session_on_this_machine(tmp_path):
    """Two real seconds: real kernels, a real file."""
    session = Session(2)
    list(session.steps())
    file.save(session.content(), tmp_path / "mine.json")
    mine = measure.load(tmp_path / "mine.json")
    assert {each.group for each in mine.measurements} >= {"products", "streams"}
    for each in mine.measurements:
        assert 0 < each.low <= each.seconds <= each.high and each.repeats >= 3
    assert mine.chip.bytes_per_s > 1e8 and mine.chip.peak("fp32") > 1e8
    assert {"jax", "numpy", "python"} <= set(mine.versions) and mine.cores >= 1


def test_every_kernel_computes_what_its_flops_are_counted_for():
    """Two roads: our counts, and XLA's."""
    pace = plan.Pace(1e10, 1e10, 0.01)
    for group in GROUPS:
        case = plan.cases(group, "cpu", 1, pace, 1)[1 if group == "products" else 0][-1]
        cost, _ = timing.run(*case.make(), in_place=case.in_place, budget_s=0.001)
        slack = 0.3 if group == "attention" else 0.02  # softmax is counted, too
        assert cost["flops"] == pytest.approx(case.flops, rel=slack), case


def test_seconds_are_checked():
    for wrong in (0, -3, math.nan, 1e6):
        with pytest.raises(ValueError, match="seconds"):
            Session(wrong, device={"platform": "cpu", "count": 1})


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_seconds_are_dealt_out_by_weight_and_what_a_group_leaves_goes_to_those_after_it():
    clock = Clock()
    budget = Budget(60, {"products": 3, "streams": 2, "decode": 1}, clock)
    assert budget.open("products") == 30
    assert budget.allows(30) and not budget.allows(30.1)
    clock.now += 6
    assert budget.open("streams") == pytest.approx(54 * 2 / 3)
    clock.now += 60
    assert budget.left == 0 and budget.open("decode") == 0
    assert not budget.allows(0.001)


def test_a_group_that_is_not_planned_and_seconds_that_are_none_are_one_line():
    with pytest.raises(UnknownName, match="did you mean 'streams'"):
        Budget(10, {"streams": 1}).share("stream")
    for wrong in (0, -1, float("nan"), 1e9):
        with pytest.raises(ValueError, match="seconds"):
            Budget(wrong, {"streams": 1})


@given(st.integers(0, 300))
def test_every_place_comes_once_and_the_ends_first(count):
    order = spread_out(count)
    assert sorted(order) == list(range(count))
    assert set(order[:2]) == {0, count - 1} if count > 1 else order == list(range(count))


@given(st.integers(8, 300), st.data())
def test_wherever_one_stops_no_gap_is_much_wider_than_if_all_were_alike(count, draw):
    stop = draw.draw(st.integers(3, count))
    done = sorted(spread_out(count)[:stop])
    assert max(right - left for left, right in pairwise(done)) <= 4 * count / stop
