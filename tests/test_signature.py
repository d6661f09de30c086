"""Checks in the signature: what was given, what is allowed, and nothing that the function itself would say better."""

import inspect
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path

import numpy as np
import pytest

from accelerator_lib import data, hardware, roofline
from accelerator_lib.checks import signature as kinds
from accelerator_lib.checks.signature import checked
from accelerator_lib.hardware import AChip


@checked
def ratio(peak: kinds.FlopsPerS, bandwidth: kinds.BytesPerS, share: kinds.Share = 1.0, note=None):
    """FLOP for each byte."""
    return peak / bandwidth * share


@dataclass(frozen=True)
@checked
class Shape:
    rows: kinds.Whole(high=1000, unit="rows")
    cols: kinds.Whole() = 4
    kind: kinds.OneOf(("wide", "tall")) = None

    def __post_init__(self):
        if self.rows * self.cols > 10_000:
            raise ValueError("too many")

    @property
    def size(self):
        return self.rows * self.cols


@checked
def scaled(x: kinds.Share, by: kinds.Share = None, to: kinds.Share = 1.0):
    return x if by is None else x * by


@checked
def name_of(chip: AChip = "h100-sxm5", exact: kinds.Switch = False):
    return chip.name


@checked
def many(count: kinds.Count(high=9)):
    return [0] * count


@checked
def clock(hertz: kinds.Number(low=1, high=10, unit="Hz")):
    return hertz


@checked
def joules(watts: kinds.Single(kinds.Watts)):
    return watts


@checked
def pj(node: kinds.NumberOf((45, 7), "nm")):
    return node


@checked
def totals(first: kinds.Number(), *rest: kinds.Number(low=0), times: kinds.Count() = 1):
    return (first + sum(rest)) * times


def only_even(value):
    if value % 2:
        raise ValueError("it is odd\nvery odd")
    return value


@checked
def halved(number_of_chips: kinds.Given("an even number", only_even)):
    return number_of_chips / 2


def test_the_body_gets_checked_values_by_place_and_by_name():
    assert ratio(6, 2) == ratio(peak=6, bandwidth=2) == 3 and ratio(6, 2, share=0.5) == 1.5
    assert np.allclose(ratio([2, 4], 2), [1, 2])


WRONG = data.parse(Path(__file__).with_suffix(".yaml"))


@pytest.mark.parametrize("call", WRONG)
def test_what_is_wrong_is_one_line_where_it_enters(call):
    with pytest.raises((ValueError, TypeError, KeyError), match=WRONG[call]) as error:
        eval(call)
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
    assert str(inspect.signature(pj)) == "(node: one of 45, 7 nm)" and type(pj(np.float64(7))) is int
    assert {"peak", "bandwidth"} <= set(roofline.ridge_point.kinds)
    assert totals(1, 2, 3, times=2) == 12 and totals(5) == 5  # each of several arguments, and those before them
