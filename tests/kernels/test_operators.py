import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import fault, ran

PAIRS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=32, max_size=32)


@pytest.mark.parametrize("sign", ["+", "-", "*", "&", "|", "^", "//", "%", "<", "<=", ">", ">=", "==", "!="])
@settings(max_examples=15)
@given(PAIRS)
def test_an_operator_is_pythons_in_each_lane(sign, pairs):
    a, b = np.array(pairs).T
    text = f"if b[lane] != 0:\n    out[lane] = a[lane] {sign} b[lane]"
    made = ran(text, a=a, b=b, out=np.zeros(32, int))
    assert made.arrays["out"].tolist() == [int(eval(f"x {sign} y", {"x": x, "y": y})) if y else 0 for x, y in pairs]


def test_and_asks_on_only_where_it_holds_and_or_only_where_it_does_not():
    counted = ran(
        "x = lane < 4 and a[lane] > 0\ny = lane < 4 or a[lane] > 0\nz = lane < 40 or a[99] > 0", a=np.zeros(32)
    ).counted
    assert [row.lanes for row in counted.lines.values()] == [32 + 4 + 4, 32 + 28 + 28, 32]
    assert counted.loads["a"].asked_bytes == 4 * 4 + 28 * 4


@pytest.mark.parametrize(
    ("text", "lane"), [("1 // (lane - 7)", 7), ("5 % (lane - 31)", 31), ("(lane + 1) % (lane * (lane - 3))", 0)]
)
def test_the_first_thread_that_divides_by_zero_is_named(text, lane):
    found = fault(f"y = 1\nx = {text}", 1, 32)
    assert (found.kind, found.line, found.words) == ("division", 2, f"division by zero, in thread {lane} of block 0")
    assert fault(f"if lane != {lane} and lane != 3:\n    x = {text}") is None


def test_shifts_go_by_0_to_31_places():
    assert fault("x = lane >> lane") is None and fault("x = 0 << lane") is None
    assert fault("x = 1 >> (lane - 1)").kind == fault("x = lane >> (lane + 1)").kind == "value"
    assert fault("x = (1 << lane) // 4") is None and fault("x = 1 << lane").words.startswith(
        "a whole number grows beyond 32 bits"
    )


def test_sums_of_products_are_one_instruction_and_products_of_sums_are_not():
    for text, cost in {
        "lane * 3 + lane": 1,
        "lane - lane * 3": 1,
        "lane * 2 * 3 + 1": 2,
        "(lane + 1) * (lane + 2)": 3,
        "lane * 3 / 2": 2,
    }.items():
        assert ran(f"x = {text}").counted.instructions == cost, text
