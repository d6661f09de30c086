import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.validation import record as scales


@pytest.mark.parametrize(
    "unit, known, told",
    [
        ("TB/s", ("GB/s",), ("GB/s", 1000)),
        ("GB/s", ("GB/s",), ("GB/s", 1)),
        ("GFLOP/s", ("TFLOP/s", "1"), ("TFLOP/s", 1e-3)),
        ("TFLOPS", ("TFLOP/s",), ("TFLOP/s", 1)),
        ("us", ("ms", "TFLOP/s"), ("ms", 1e-3)),
        ("μs", ("s",), ("s", 1e-6)),
        ("GiB/s", ("GB/s",), ("GB/s", 1.073741824)),
        ("1", ("%",), ("%", 100)),
        ("tok/s", ("tokens/s",), ("tokens/s", 1)),
        ("GOPS", ("TOP/s",), ("TOP/s", 1e-3)),
        ("parsecs", ("GB/s",), ("parsecs", 1)),  # no unit of ours: the model will say so
        ("GB/s", ("ms",), ("GB/s", 1)),  # of another dimension
        ("x", ("%",), ("x", 1)),  # a speed-up is no share
    ],
)
def test_a_unit_becomes_one_that_the_models_speak(unit, known, told):
    assert scales.spoken(unit, known) == (told[0], pytest.approx(told[1]))


@given(st.sampled_from(["kB/s", "MB/s", "GB/s", "TB/s", "GiB/s"]), st.sampled_from(["MB/s", "GB/s", "TB/s"]))
def test_there_and_back_again_is_where_one_was(unit, other):
    _, there = scales.spoken(unit, (other,))
    _, back = scales.spoken(other, (unit,))
    assert there * back == pytest.approx(1)


def test_of_times_less_is_better():
    assert {"s", "ms", "us", "µs", "ns", "cycles"} <= scales.TIMES
    assert not {"GB/s", "%", "tokens/s", "x"} & scales.TIMES
