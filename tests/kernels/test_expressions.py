import numpy as np
import pytest
from launched import fault, ran

A = (np.arange(32) * 7 % 19).astype(np.int32)


def worth(text, head="", **more):
    made = ran(
        f"{head}\nout[lane] = {text}", a=A, f=A.astype(np.float32), out=np.zeros(32, more.pop("kind", np.int32)), **more
    )
    return made.arrays["out"]


@pytest.mark.parametrize(
    "text",
    [
        "lane * 3 - a[lane]", "(lane & 5) | 2", "lane ^ a[lane]", "a[lane] << 3", "(a[lane] - 9) >> 1", "-a[lane] // 4", "a[lane] % -5",
        "a[lane] > 9", "a[lane] >= 9", "a[lane] == 7", "a[lane] != 7", "(a[lane] < 9) + (lane <= 3)", "3 < a[lane] <= 11", "not lane",
        "lane < 9 and a[lane] > 3", "lane < 9 or a[lane] > 3 or lane == 20", "-(lane > 3)", "+lane", "5 if lane < 7 else a[lane]",
        "min(lane, a[lane], 7)", "max(lane, a[lane])", "abs(lane - 9)", "int(f[lane] * 2)", "int(-f[lane] / 2)", "a[31 - lane]",
    ],
)  # fmt: skip
def test_whole_numbers_are_pythons(text):
    wanted = [int(eval(text, {"lane": lane, "a": A.tolist(), "f": A.tolist()})) for lane in range(32)]
    assert worth(text).tolist() == wanted


@pytest.mark.parametrize("text", ["f[lane] / 3", "a[lane] / 4", "f[lane] * 0.1 - lane", "sqrt(f[lane])", "exp(-f[lane])", "float(lane) + 0.5",
                                  "min(f[lane], 3)", "abs(-f[lane])", "f[lane] if lane > 3 else 1", "(f[lane] > 3) * 2.0"])  # fmt: skip
def test_reals_are_those_of_32_bits(text):
    names = {"sqrt": np.sqrt, "exp": np.exp, "f": A.astype(float), "a": A.tolist()}
    wanted = [eval(text, {**names, "lane": lane}) for lane in range(32)]
    assert worth(text, kind=np.float32) == pytest.approx(wanted, rel=1e-5)


def test_the_other_way_is_not_taken_by_lanes_that_do_not_ask():
    assert worth("a[lane + 30] if lane < 2 else 0").tolist()[:3] == [*A[30:], 0]
    assert (
        worth("lane < 2 and a[lane + 30] > 0").tolist()
        == [int(lane < 2 and A[lane + 30] > 0) for lane in range(2)] + [0] * 30
    )
    assert worth("lane >= 2 or a[lane + 30] > 99").tolist() == [0, 0] + [1] * 30
    assert worth("7 // lane if lane != 0 else 9").tolist() == [9] + [7 // lane for lane in range(1, 32)]
    assert fault("x = a[lane + 30] > 0 and lane < 2", a=A).kind == "bounds"


def test_a_real_divided_by_zero_is_no_fault():
    assert worth("1.0 / (lane - 3.0)", kind=np.float32)[3] == np.inf


@pytest.mark.parametrize(
    ("text", "instructions"),
    [
        ("lane", 0), ("lane + 1", 1), ("lane * 3 + 1", 1), ("1 - lane * 3", 1), ("lane * lane + lane * lane", 2), ("(lane + 1) * 3", 2),
        ("lane * 3 * 5", 2), ("2 * 3 * lane", 1), ("-lane", 0), ("lane < 3", 1), ("1 < lane < 3", 2), ("lane < 3 and lane > 1", 2), ("not lane < 3", 1),
        ("min(lane, 1)", 1), ("min(lane, 1, 2)", 2), ("abs(lane)", 1), ("int(f[lane])", 2), ("a[lane]", 1), ("m[lane // 8, 1]", 3), ("m[1, 2]", 1),
        ("1 if lane < 3 else 2", 2), ("shuffle_down(lane, 1)", 1), ("lane * 3 < lane + 1", 3),
    ],
)  # fmt: skip
def test_what_an_expression_costs(text, instructions):
    made = ran(f"out[lane] = {text}", a=A, f=A.astype(float), m=np.zeros((4, 8), int), out=np.zeros(32))
    assert made.counted.instructions == instructions + 1


def test_a_side_that_no_lane_takes_costs_nothing():
    counted = ran(
        "x = a[lane] if lane > 40 else 2\ny = lane < 0 and a[lane] > 3\nz = lane >= 0 or a[lane] > 3", a=A
    ).counted
    assert counted.loads == {} and [row.instructions for row in counted.lines.values()] == [2, 1, 1]
