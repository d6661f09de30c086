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


@checked
def scaled(x: Share, by: Share = None, to: Share = 1.0):
    return x if by is None else x * by


@checked
def name_of(chip: AChip = "h100-sxm5", exact: Switch = False):
    return chip.name


@checked
def many(count: Count(high=9)):
    return [0] * count


@checked
def clock(hertz: Number(low=1, high=10, unit="Hz")):
    return hertz


@checked
def joules(watts: Single(Watts)):
    return watts


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


def test_the_body_gets_checked_values_by_place_and_by_name():
    assert ratio(6, 2) == ratio(peak=6, bandwidth=2) == 3 and ratio(6, 2, share=0.5) == 1.5
    assert np.allclose(ratio([2, 4], 2), [1, 2])


WRONG = ["ratio(0, 2): ^peak = 0 FLOP/s is outside the allowed range, 1e-30 to 1e[+]30 FLOP/s$", 'ratio(1, float("nan")): ^bandwidth is not a number', "ratio(1, bandwidth=\"2\"): ^bandwidth must be a number or an array of numbers, not str '2'$", "ratio(1, 2, 1.5): ^share = 1.5 is outside the allowed range, 0 to 1$", "ratio(1): bandwidth", "ratio(1, 2, 1, None, 5): takes from 2 to 4 positional arguments but 5 were given", "ratio(1, 2, width=3): width", "ratio([1, 2, 3], [1, 2]): peak [(]3,[)], bandwidth [(]2,[)]", "ratio([[1, 2], [3]], 1): ^peak must be rows of the same length", "Shape(0): ^rows = 0 rows is outside", "Shape(2.5): ^rows must be whole, not 2.5$", "Shape(2, 2, \"tal\"): did you mean 'tall'", "Shape(1000, 1000): too many", "Shape(3, None): cols must be a number", "scaled(0.5, 0.5, None): to must be a number", "scaled(0.5, 2): by = 2 is outside", "name_of(exact=1): exact must be True or False", "many(np.array([1, 2])): count must be one whole number", "clock(11): hertz = 11 Hz is outside the allowed range, 1 to 10 Hz", "joules([1, 2]): watts must be one number, not list [[]1, 2[]]", "joules(-1): watts = -1 W is outside", "totals(0, 1): ^first ", "totals(1, 2, -1): ^rest ", 'totals(1, "2"): ^rest ', "totals(1, 2, times=0): ^times ", "halved(3): ^number_of_chips: it is odd very odd$", "halved(None): ^number_of_chips: "]


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_one_line_where_it_enters(line):
    call, _, said = line.partition("): ")
    with pytest.raises((ValueError, TypeError, KeyError), match=said) as error:
        eval(f"{call})")
    assert "\n" not in str(error.value)


def test_none_is_allowed_where_it_is_the_default():
    assert Shape(3).kind is None and Shape(3, kind=None).cols == 4 and ratio(6, 2, 1, None) == 3
    assert scaled(0.5, None) == scaled(0.5, by=None) == 0.5 and scaled(0.5, 0.5) == 0.25


def test_two_arrays_must_fit_each_other():
    assert ratio([2, 4], 2).tolist() == [1, 2] and ratio(8, [2, 4]).tolist() == [4, 2]
    assert ratio([[1], [2]], [1, 2, 3]).shape == (2, 3)


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


def test_a_default_that_names_a_chip_becomes_the_chip_and_a_kind_says_what_it_takes():
    assert name_of() == hardware.chip("h100-sxm5").name and name_of("tpu-v4") == "Google TPU v4"
    assert many(3) == [0, 0, 0] and clock(10) == 10 and joules(3) == 3 and halved(4) == 2
    assert str(inspect.signature(joules)) == "(watts: one number [W])"
    assert {"peak", "bandwidth"} <= set(roofline.ridge_point.kinds)
    assert totals(1, 2, 3, times=2) == 12 and totals(5) == 5  # each of several arguments, and those before them
