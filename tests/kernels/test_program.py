import numpy as np
import pytest
from launched import ran

from accelerator_lib.kernels.program import program


def left(source, threads=32, **arguments):
    return ran(source, 1, threads, out=np.zeros(64, int), **arguments).arrays["out"][:threads].tolist()


def test_lanes_take_the_way_that_their_condition_says():
    source = "x = 1\nif lane < 8:\n    x = 2\n    if lane < 3:\n        x += 10\nelif lane < 12:\n    x = 3\nelse:\n    x -= 5\nout[lane] = x"
    assert left(source) == [12] * 3 + [2] * 5 + [3] * 4 + [-4] * 20


def test_a_variable_begins_at_zero_where_it_is_not_set():
    assert left("if lane < 3:\n    x = 7\nout[lane] = x") == [7] * 3 + [0] * 29
    assert left("if lane < 3:\n    x = lane + 0.5\nout[lane] = int(x * 2.0)")[:4] == [1, 3, 5, 0]


@pytest.mark.parametrize(
    ("sign", "value"),
    [("+", 23), ("-", 17), ("*", 60), ("//", 6), ("%", 2), ("&", 0), ("|", 23), ("^", 23), ("<<", 160), (">>", 2)],
)
def test_a_variable_and_a_place_are_set_in_place(sign, value):
    assert left(f"x = 20\nx {sign}= 3\nout[lane] = x")[0] == value
    assert left(f"out[lane] = 20\nout[lane] {sign}= 3")[5] == value


def test_a_way_that_no_lane_takes_costs_nothing():
    counted = ran("if lane > 40:\n    x = 1\nelse:\n    x = 2\nif warp == 1:\n    y = 3", 1, 64).counted
    assert {line: row.instructions for line, row in counted.lines.items()} == {1: 2, 4: 2, 5: 2, 6: 1}


def test_both_ways_are_run_where_lanes_disagree():
    counted = ran("if lane < 8:\n    x = lane + 1\n    x = x + 2\nelse:\n    x = lane - 1").counted
    assert (counted.instructions, counted.lanes) == (4, 32 + 8 + 8 + 24)


def test_a_kernel_is_read_without_being_run():
    found = program("x = 1 // lane\nbarrier()", {}, {})
    assert [op.kind for op in found.ops] == ["alu", "barrier"] and found.lines == ("x = 1 // lane", "barrier()")
    assert (found.ops[0].dst, found.ops[0].line, found.ops[1].line) == ("x", 1, 2)


def test_an_instruction_waits_for_what_it_reads():
    found = program("x = lane + 1\ny = x * x + 2\nz = 3\nz = y", {}, {})
    assert [(op.dst, op.srcs) for op in found.ops] == [("x", ()), ("y", ("x",)), ("z", ()), ("z", ("y",))]
