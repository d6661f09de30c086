import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_instruction
from accelerator_lib import gpu
from accelerator_lib.gpu import simt


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


def test_a_loop_runs_as_long_as_its_slowest_lane():
    steps = list(simt.run("i = 0\nwhile i < lane % 4:\n    i = i + 1"))
    assert [step.working for step in steps if step.line == 2] == [32, 24, 16, 8]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = ", "line 1: this is not Python"),
        ("x = 1\nimport os", "line 2: this small language has only"),
        ("while 1 == 1:\n    x = 1", "more than 2,000 instructions"),
        ("lane = 3", "line 1: lane is given"),
        ("x = y = 3", "line 1: this small language has only"),
    ],
)
def test_what_a_kernel_may_not_do_is_said_with_its_line(source, line):
    with pytest.raises(ValueError, match=line):
        list(simt.run(source))


def test_data_are_32_whole_numbers():
    with pytest.raises(ValueError, match="a must hold 32 whole numbers"):
        simt.run("x = a", [1, 2])
    with pytest.raises(ValueError, match="a must be whole"):
        simt.run("x = a", [0.5] * 32)


def test_a_masked_lane_may_not_divide_by_zero_but_does_no_harm():
    *_, last = simt.run("x = 0\nif lane != 3:\n    x = a // (lane - 3)", list(range(32)))
    assert last.values["x"][3] == 0


def test_a_condition_tells_where_it_holds_and_an_assignment_what_it_set():
    first, second, third = simt.run("if lane < 8:\n    x = a * 2\ny = 3", list(range(32)))
    assert (first.target, second.target, third.target) == ("", "x", "y")
    assert first.result.tolist() == [True] * 8 + [False] * 24
    assert second.result.tolist() == [2 * lane for lane in range(8)] + [0] * 24


@pytest.mark.parametrize("name", simt.kernels())
def test_a_watched_run_is_the_run_with_who_worked_so_far(name):
    source = simt.kernels()[name]
    issues, watched = list(simt.run(source)), list(by_instruction(source))
    assert [w.now.text for w in watched] == [issue.text for issue in issues]
    assert [w.length for w in watched] == [len(issues)] * len(issues)
    for at, state in enumerate(watched, 1):
        assert state.masks.sum() / state.masks.size == pytest.approx(state.now.efficiency) and len(state.masks) == at
        assert state.code[state.now.line - 1].strip() == state.now.text


def test_the_data_that_a_kernel_gets_unless_told_otherwise():
    """Seven more in each lane, and 19 less where it would be 19 or more: in lane 5, where a = 16, a * 2 is 32."""
    *_, last = simt.run("x = a * 2")
    expected, value = [], 0
    for _ in range(32):
        expected.append(2 * value)
        value = value + 7 if value + 7 < 19 else value + 7 - 19
    assert last.values["x"].tolist() == expected and expected[5] == 32
