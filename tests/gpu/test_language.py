import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.gpu import language, simt

ALL = np.ones(32, bool)


def worth(expression, data=range(32), mask=ALL):
    """What an expression is in each lane."""
    (statement,) = language.statements(f"x = {expression}")
    return language.value(statement.value, {"lane": np.arange(32), "a": np.array(data)}, mask)


@pytest.mark.parametrize(
    "expression",
    [
        "a * 2 - lane", "a // 3 + a % 5", "(lane & 5) | 2", "-a", "not a", "a > 9 and lane < 20", "a == 3 or lane != 3",
        "a <= lane", "a >= 3",
    ],
)  # fmt: skip
@given(st.lists(st.integers(-40, 40), min_size=32, max_size=32))
def test_an_expression_is_worth_what_python_says_lane_by_lane(expression, data):
    wanted = [int(eval(expression, {"lane": lane, "a": data[lane]})) for lane in range(32)]
    if "and" in expression or "or" in expression:
        wanted = [int(bool(one)) for one in wanted]
    assert worth(expression, data).tolist() == wanted


def test_data_of_another_lane_can_be_read():
    assert worth("a[31 - lane]", range(100, 132)).tolist() == list(range(131, 99, -1))


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = y", "line 1: y has no value yet"),
        ("x = a // (lane - 3)", "line 1: division by zero in lane 3"),
        ("x = a[lane + 1]", r"line 1: lane 31 reads a\[32\], but a ends at a\[31\]"),
        ("x = a[lane - 2]", r"line 1: lane 0 reads a\[-2\], but a begins at a\[0\]"),
        ("x = 1.5", "line 1: this small language has only"),
        ("x = 9999999999\nwhile x > 0:\n    x = x * x", "grows beyond"),
        ("x = 9007199254740992\n" + "x = x + x\n" * 12, r"line 2: a sum grows beyond 2\*\*53"),
        ("x = 9007199254740992\ny = 0 - x - x - x", r"line 2: a difference grows beyond 2\*\*53"),
        ("x = 9007199254740992\nx += 1", r"line 2: a sum grows beyond 2\*\*53"),
        ("x = 4611686018427387904\ny = x+x+x+x\n", r"line 1: a number is at most 2\*\*53"),
        ("x = 1" + "0" * 30, r"line 1: a number is at most 2\*\*53"),
        ("x = a[99999999999999999999]", r"line 1: a number is at most 2\*\*53"),
        ("x = -9223372036854775808", r"line 1: a number is at most 2\*\*53"),
        ("x = " + "-" * 1500 + "1", "line 1: this expression is nested too deeply"),
        ("x = 1\n" * 300_000, "source: a kernel has at most 20,000 letters, this one 1,800,000"),
        ("x = a; y = [1]", "line 1: this small language has only"),
        ("x = a ** 2", "line 1: this small language has only"),
        ("x = 1 < a < 3", "line 1: this small language has only"),
    ],
)
def test_what_the_small_language_lacks_is_said_with_its_line(source, line):
    with pytest.raises(ValueError, match=line):
        list(simt.run(source))


def test_a_masked_lane_may_hold_anything():
    assert worth("a // (lane - 3)", mask=np.arange(32) != 3)[4] == 4


def test_a_kernel_is_text():
    with pytest.raises(TypeError, match="a kernel is text in Python's notation, not int"):
        language.statements(3)


def test_what_a_masked_lane_would_add_does_no_harm():
    source = "x = 9007199254740992\nif lane < 3:\n    x = 1\nif lane < 3:\n    y = x + x"
    *_, last = simt.run(source)
    assert last.values["y"].tolist() == [2] * 3 + [0] * 29
    *_, last = simt.run("x = 9007199254740991 + 1")
    assert last.values["x"].tolist() == [2**53] * 32
