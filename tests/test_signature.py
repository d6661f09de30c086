"""Checks in the signature: what was given, what is allowed, and nothing that the function itself would say better."""

import inspect
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

from accelerator_lib import hardware, roofline
from accelerator_lib.checks.signature import (
    BytesPerS,
    Count,
    FlopsPerS,
    Given,
    Number,
    OneOf,
    Share,
    Single,
    Switch,
    Watts,
    Whole,
    checked,
)
from accelerator_lib.hardware import AChip


@checked
def ratio(peak: FlopsPerS, bandwidth: BytesPerS, share: Share = 1.0, note=None):
    """FLOP for each byte."""
    return peak / bandwidth * share


@dataclass(frozen=True)
@checked
class Shape:
    rows: Whole(high=1000, unit="rows")
    cols: Whole() = 4
    kind: OneOf(("wide", "tall")) = None

    def __post_init__(self):
        if self.rows * self.cols > 10_000:
            raise ValueError("too many")

    @property
    def size(self):
        return self.rows * self.cols


def test_the_body_gets_checked_values_by_place_and_by_name():
    assert ratio(6, 2) == ratio(peak=6, bandwidth=2) == 3 and ratio(6, 2, share=0.5) == 1.5
    assert np.allclose(ratio([2, 4], 2), [1, 2])


@pytest.mark.parametrize(
    ("call", "error", "line"),
    [
        (lambda: ratio(0, 2), ValueError, "^peak = 0 FLOP/s is outside the allowed range, 1e-30 to 1e[+]30 FLOP/s$"),
        (lambda: ratio(1, float("nan")), ValueError, "^bandwidth is not a number"),
        (
            lambda: ratio(1, bandwidth="2"),
            TypeError,
            "^bandwidth must be a number or an array of numbers, not str '2'$",
        ),
        (lambda: ratio(1, 2, 1.5), ValueError, "^share = 1.5 is outside the allowed range, 0 to 1$"),
        (lambda: ratio(1), TypeError, "bandwidth"),
        (lambda: ratio(1, 2, 1, None, 5), TypeError, "takes from 2 to 4 positional arguments but 5 were given"),
        (lambda: ratio(1, 2, width=3), TypeError, "width"),
        (lambda: Shape(0), ValueError, "^rows = 0 rows is outside"),
        (lambda: Shape(2.5), ValueError, "^rows must be whole, not 2.5$"),
        (lambda: Shape(2, 2, "tal"), KeyError, "did you mean 'tall'"),
        (lambda: Shape(1000, 1000), ValueError, "too many"),
    ],
)
def test_what_is_wrong_is_one_line_where_it_enters(call, error, line):
    with pytest.raises(error, match=line):
        call()


def test_none_is_allowed_where_it_is_the_default():
    assert Shape(3).kind is None and Shape(3, kind=None).cols == 4 and ratio(6, 2, 1, None) == 3
    with pytest.raises(TypeError, match="cols must be a number"):
        Shape(3, None)

    @checked
    def scaled(x: Share, by: Share = None, to: Share = 1.0):
        return x if by is None else x * by

    assert scaled(0.5, None) == scaled(0.5, by=None) == 0.5 and scaled(0.5, 0.5) == 0.25
    with pytest.raises(TypeError, match="to must be a number"):
        scaled(0.5, 0.5, None)
    with pytest.raises(ValueError, match="by = 2 is outside"):
        scaled(0.5, 2)


def test_two_arrays_must_fit_each_other():
    assert ratio([2, 4], 2).tolist() == [1, 2] and ratio(8, [2, 4]).tolist() == [4, 2]
    with pytest.raises(ValueError, match="peak.*bandwidth") as error:
        ratio([1, 2, 3], [1, 2])
    assert "\n" not in str(error.value)


def test_a_record_stays_frozen_and_holds_what_the_checks_returned():
    shape = Shape(np.int64(3), 4.0)
    assert type(shape.rows) is int and type(shape.cols) is int and shape.size == 12
    with pytest.raises(FrozenInstanceError):
        shape.rows = 5


def test_the_signature_tells_kinds_units_and_ranges():
    told = str(inspect.signature(ratio))
    assert "peak: number [FLOP/s]" in told and "share: number 0 to 1" in told
    assert ratio.kinds["bandwidth"].unit == "B/s" and ratio.__doc__ == "FLOP for each byte."
    assert Shape.kinds["rows"].high == 1000 and "note" not in ratio.kinds


def test_a_default_that_names_a_chip_becomes_the_chip():
    @checked
    def name_of(chip: AChip = "h100-sxm5", exact: Switch = False):
        return chip.name

    assert name_of() == hardware.chip("h100-sxm5").name and name_of("tpu-v4") == "Google TPU v4"
    with pytest.raises(TypeError, match="exact must be True or False"):
        name_of(exact=1)


def test_one_number_is_no_array_where_a_list_needs_a_size():
    @checked
    def many(count: Count(high=9)):
        return [0] * count

    assert many(3) == [0, 0, 0]
    with pytest.raises(TypeError, match="count must be one whole number"):
        many(np.array([1, 2]))


def test_a_range_of_its_own_is_kept():
    @checked
    def clock(hertz: Number(low=1, high=10, unit="Hz")):
        return hertz

    assert clock(10) == 10
    with pytest.raises(ValueError, match="hertz = 11 Hz is outside the allowed range, 1 to 10 Hz"):
        clock(11)


def test_models_say_what_they_take():
    assert {"peak", "bandwidth"} <= set(roofline.ridge_point.kinds)


def test_a_single_value_is_one_of_its_kind():
    @checked
    def joules(watts: Single(Watts)):
        return watts

    assert joules(3) == 3 and str(inspect.signature(joules)) == "(watts: one number [W])"
    with pytest.raises(TypeError, match=r"watts must be one number, not list \[1, 2\]"):
        joules([1, 2])
    with pytest.raises(ValueError, match="watts = -1 W is outside"):
        joules(-1)


@checked
def totals(first: Number(), *rest: Number(low=0), times: Count() = 1):
    return (first + sum(rest)) * times


def only_even(value):
    if value % 2:
        raise ValueError("it is odd\nvery odd")
    return value


@checked
def halved(number_of_chips: Given("an even number", only_even)):
    return number_of_chips / 2


def test_each_of_several_arguments_is_checked_and_those_before_them():
    assert totals(1, 2, 3, times=2) == 12 and totals(5) == 5
    for call, name in (((0, 1), "first"), ((1, 2, -1), "rest"), ((1, "2"), "rest")):
        with pytest.raises((ValueError, TypeError), match=f"^{name} "):
            totals(*call)
    with pytest.raises(ValueError, match="^times "):
        totals(1, 2, times=0)


def test_arrays_that_do_not_fit_together_are_refused_by_name():
    with pytest.raises(ValueError, match=r"peak \(2,\), bandwidth \(3,\)"):
        ratio([1, 2], [1, 2, 3])
    assert ratio([[1], [2]], [1, 2, 3]).shape == (2, 3)
    with pytest.raises(ValueError, match="^peak must be rows of the same length"):
        ratio([[1, 2], [3]], 1)


def test_what_a_kind_makes_of_a_value_fails_in_one_line_with_the_name_of_the_argument():
    with pytest.raises(ValueError, match="^number_of_chips: it is odd very odd$"):
        halved(3)
    with pytest.raises(TypeError, match="^number_of_chips: "):
        halved(None)
    assert halved(4) == 2
