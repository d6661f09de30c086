import numpy as np
import pytest
from launched import ran

from accelerator_lib.kernels.loops import MOST_UNROLLED


def count(source, **arguments):
    return ran(source, **arguments).counted.instructions


def test_few_rounds_between_constants_are_unrolled_and_more_are_counted():
    assert MOST_UNROLLED == 16
    assert (
        count("for k in range(16):\n    x = lane") == 16
        and count("for k in range(17):\n    x = lane") == 1 + 17 * 3 + 1
    )
    assert count("for k in range(n):\n    x = lane", n=4) == 1 + 4 * 3 + 1
    assert (
        count("K = 4\nfor k in range(K):\n    x = lane + 2 * k") == 4
        and count("for k in range(3):\n    x = 2 * k + 1") == 3
    )
    assert count("for k in range(0):\n    x = lane") == 0


@pytest.mark.parametrize(
    ("ends", "n"), [("n", 5), ("2, n", 9), ("n, 0, -2", 7), ("0, 40, 9", 0), ("5, 2", 0), ("lane % 4, n, 2", 6)]
)
def test_rounds_are_pythons_lane_by_lane(ends, n):
    made = ran(f"x = 0\nfor k in range({ends}):\n    x = 3 * x + k\nout[lane] = x", n=n, out=np.zeros(32, int))
    for lane in range(32):
        x = 0
        for k in eval(f"range({ends})", {"n": n, "lane": lane}):
            x = 3 * x + k
        assert made.arrays["out"][lane] == x


def test_a_warp_goes_round_until_its_last_lane_is_done():
    counted = ran("i = 0\nwhile i < lane % 4:\n    i += 1").counted
    assert (counted.lines[2].instructions, counted.lines[2].lanes) == (8, 2 * (32 + 24 + 16 + 8)) and counted.lines[
        3
    ].lanes == 24 + 16 + 8
    counted = ran("for k in range(lane % 4):\n    x = k", 1, 64).counted
    assert counted.lines[2].instructions == 2 * 3 and counted.lines[2].lanes == 2 * 48
    assert counted.lines[1].lanes == 2 * (2 * 32 + (32 + 24 + 16 + 8) + 48)


def test_warps_go_round_as_often_as_each_needs():
    counted = ran("for k in range(warp * 2 + 1):\n    x = k", 1, 96).counted
    assert counted.lines[2].instructions == 1 + 3 + 5


def test_how_far_a_range_goes_is_asked_once():
    made = ran("m = 3\nx = 0\nfor k in range(m):\n    m = 9\n    x += 1\nout[lane] = x", out=np.zeros(32, int))
    assert set(made.arrays["out"].tolist()) == {3}


def test_two_loops_may_count_with_one_name_one_after_the_other():
    made = ran(
        "x = 0\nfor k in range(3):\n    x += k\nfor k in range(20):\n    x += k\nout[lane] = x", out=np.zeros(32, int)
    )
    assert made.arrays["out"][0] == 3 + 190
