"""Warps: lanes that part, kernels in the small language, a scheduler that covers waits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import LAST, TICK, by_instruction, by_tick
from accelerator_lib import gpu, memory
from accelerator_lib.gpu import language, scheduler, simt
from accelerator_lib.hardware import chip


@pytest.mark.parametrize(("lanes", "share"), [(0, 1), (16, 0.5), (31, 0.884), (32, 1)])
def test_only_lanes_that_disagree_cost(lanes, share):
    assert gpu.branch_efficiency(lanes, 100, 10) == pytest.approx(share, abs=1e-3)


def test_branches_by_hand():
    assert gpu.simt_cycles([(31, 10), (1, 100)]) == 110
    assert gpu.simt_efficiency([(31, 10), (1, 100)]) == pytest.approx(410 / 3520)
    assert gpu.simt_cycles([(32, 1), (0, 1000)]) == 1


@given(st.integers(0, 32), st.integers(1, 1000), st.integers(1, 1000))
def test_slots_that_work_are_counted_one_by_one(lanes, long, short):
    ways = [([lane < lanes for lane in range(32)], long), ([lane >= lanes for lane in range(32)], short)]
    masks = [mask for mask, length in ways if any(mask) for _ in range(length)]
    assert gpu.simt_cycles([(lanes, long), (32 - lanes, short)]) == len(masks)
    assert gpu.branch_efficiency(lanes, long, short) == pytest.approx(sum(map(sum, masks)) / (32 * len(masks)))


def scalar(source, lane, data):
    """One lane on its own, by Python itself."""

    class Data(int):
        def __getitem__(self, place):
            return int(data[place])

    found = {"lane": lane, "a": Data(data[lane])}
    exec(source, {}, found)
    return {name: int(value) for name, value in found.items() if name not in ("lane", "a")}


@pytest.mark.parametrize("name", simt.kernels())
@given(st.lists(st.integers(0, 40), min_size=32, max_size=32))
def test_a_warp_computes_what_each_lane_would_alone(name, data):
    source = simt.kernels()[name]
    *_, last = simt.run(source, data)
    for lane in range(32):
        for variable, value in scalar(source, lane, data).items():
            assert last.values[variable][lane] == value, (variable, lane)


@pytest.mark.parametrize("lanes", [0, 1, 8, 31, 32])
def test_the_stepper_and_the_formula_agree_on_a_branch(lanes):
    steps = list(simt.run(f"if lane < {lanes}:\n    x = 1\n    x = 2\n    x = 3\nelse:\n    x = 4"))
    assert len(steps) == 1 + gpu.simt_cycles([(lanes, 3), (32 - lanes, 1)])
    useful = 32 + lanes * 3 + (32 - lanes)
    assert steps[-1].efficiency == pytest.approx(useful / (32 * len(steps)))
    assert sum(step.working for step in steps) == useful


@pytest.mark.parametrize("name", simt.kernels())
def test_a_watched_run_is_the_run_with_who_worked_so_far(name):
    source = simt.kernels()[name]
    issues, watched = list(simt.run(source)), list(by_instruction(source))
    assert [w.now.text for w in watched] == [issue.text for issue in issues]
    assert [w.length for w in watched] == [len(issues)] * len(issues)
    for at, state in enumerate(watched, 1):
        assert state.masks.sum() / state.masks.size == pytest.approx(state.now.efficiency) and len(state.masks) == at
        assert state.code[state.now.line - 1].strip() == state.now.text


def test_steps_by_hand():
    steps = list(simt.run("i = 0\nwhile i < lane % 4:\n    i = i + 1"))
    assert [step.working for step in steps if step.line == 2] == [32, 24, 16, 8]
    first, second, third = simt.run("if lane < 8:\n    x = a * 2\ny = 3", list(range(32)))
    assert (first.target, second.target, third.target) == ("", "x", "y")
    assert first.result.tolist() == [True] * 8 + [False] * 24
    assert second.result.tolist() == [2 * lane for lane in range(8)] + [0] * 24
    # Seven more in each lane, and 19 less where it would be 19 or more: in lane 5, where a = 16, a * 2 is 32.
    *_, last = simt.run("x = a * 2")
    expected, value = [], 0
    for _ in range(32):
        expected.append(2 * value)
        value = value + 7 if value + 7 < 19 else value + 7 - 19
    assert last.values["x"].tolist() == expected and expected[5] == 32


ALL = np.ones(32, bool)


def worth(expression, data=range(32), mask=ALL):
    """What an expression is in each lane."""
    (statement,) = language.statements(f"x = {expression}")
    return language.value(statement.value, {"lane": np.arange(32), "a": np.array(data)}, mask)


EXPRESSIONS = "a * 2 - lane; a // 3 + a % 5; (lane & 5) | 2; -a; not a; a > 9 and lane < 20; a == 3 or lane != 3"


@pytest.mark.parametrize("expression", [*EXPRESSIONS.split("; "), "a <= lane", "a >= 3"])
@given(st.lists(st.integers(-40, 40), min_size=32, max_size=32))
def test_an_expression_is_worth_what_python_says_lane_by_lane(expression, data):
    wanted = [int(eval(expression, {"lane": lane, "a": data[lane]})) for lane in range(32)]
    if "and" in expression or "or" in expression:
        wanted = [int(bool(one)) for one in wanted]
    assert worth(expression, data).tolist() == wanted


def test_masked_lanes():
    *_, last = simt.run("x = 0\nif lane != 3:\n    x = a // (lane - 3)", list(range(32)))
    assert last.values["x"][3] == 0
    assert worth("a[31 - lane]", range(100, 132)).tolist() == list(range(131, 99, -1))
    assert worth("a // (lane - 3)", mask=np.arange(32) != 3)[4] == 4
    source = "x = 9007199254740992\nif lane < 3:\n    x = 1\nif lane < 3:\n    y = x + x"
    *_, last = simt.run(source)
    assert last.values["y"].tolist() == [2] * 3 + [0] * 29
    *_, last = simt.run("x = 9007199254740991 + 1")
    assert last.values["x"].tolist() == [2**53] * 32


def played(warps, work, wait, cycles):
    """Who issues in each cycle, None where nobody is ready: cycle by cycle, the one that has been ready longest."""
    ready, left, current, found = [0] * warps, 0, None, []
    for cycle in range(cycles):
        if not left:
            waiting = [(since, warp) for warp, since in enumerate(ready) if since <= cycle]
            current, left = (min(waiting)[1], work) if waiting else (None, 0)
        found.append(current)
        if left:
            left -= 1
            if not left:
                ready[current] = cycle + 1 + wait
    return found


@given(st.integers(1, 16), st.integers(1, 40), st.integers(1, 300))
def test_bursts_are_the_run_that_is_played_cycle_by_cycle(warps, work, wait):
    found = [None] * 500
    for burst in scheduler.bursts(warps, work, wait, 500):
        found[burst.begin : burst.end] = [burst.warp] * (min(burst.end, 500) - burst.begin)
        assert burst.end - burst.begin == work and burst.back - burst.end == wait
    assert found == played(warps, work, wait, 500)


@given(st.integers(1, 60), st.integers(1, 300))
def test_as_many_warps_as_cover_a_wait_lose_no_cycle_and_one_fewer_does(work, wait):
    enough = scheduler.warps_to_cover(work, wait)
    if enough <= 64:
        assert None not in played(enough, work, wait, 3 * (work + wait))
    if 1 < enough <= 65:
        assert None in played(enough - 1, work, wait, 3 * (work + wait))


@pytest.mark.parametrize("warps", [1, 7, 15])
def test_ticks_are_the_run_seen_every_few_cycles(warps):
    run, who = list(by_tick(warps, 40, 552)), played(warps, 40, 552, LAST)
    assert [tick.cycle for tick in run] == [*range(0, LAST + 1, TICK)]
    assert run[0].issuing is None and not run[0].busy
    for tick in run[1:]:
        assert tick.issuing == who[tick.cycle - 1] and tick.issuing not in tick.waiting
        assert tick.issued == sum(one is not None for one in who[: tick.cycle])
    assert run[-1].busy == pytest.approx(min(1, warps * 40 / 592), rel=0.03)


@pytest.mark.parametrize(("warps", "share"), [(0, 0), (1, 0.0239), (32, 0.7648), (41, 0.98), (42, 1), (64, 1)])
def test_each_warp_adds_its_share_until_the_memory_is_busy(warps, share):
    assert gpu.bandwidth_share(2.039e12, 400 / 1.41e9, 108, 4, warps) == pytest.approx(share, rel=2e-3)


@pytest.mark.parametrize("bytes_per_thread", [4, 16, 64])
def test_the_number_of_warps_that_saturates_is_the_first_that_reaches_all(bytes_per_thread):
    given = 2.039e12, 400 / 1.41e9, 108, bytes_per_thread
    shares = gpu.bandwidth_share(*given, np.arange(1, 65))
    assert 1 + int(np.argmax(shares == 1)) == gpu.warps_to_saturate(*given)


def test_warps_to_saturate_are_littles_law():
    a100 = chip("a100-80gb-sxm")
    wanted = [gpu.warps_to_saturate(a100.bytes_per_s, 400 / 1.41e9, 108, size) for size in (4, 16, 64)]
    assert wanted == [42, 11, 3]
    assert isinstance(gpu.warps_to_saturate(1e12, 1e-6, 100, np.array([4, 8])), np.ndarray)
    assert a100.units == 108
    tank = memory.tank(284e-9, 2.039e12, 16, 5, 108)
    assert tank.warps_needed == gpu.warps_to_saturate(2.039e12, 284e-9, 108, 16)
    assert tank.share == pytest.approx(gpu.bandwidth_share(2.039e12, 284e-9, 108, 16, 5))
