"""Overlay: the measurements of a file over the roof of their chip, as the pictures need them."""

from typing import NamedTuple

import numpy as np

from accelerator_course.measure.mine import Measurement, Mine
from accelerator_lib import roofline
from accelerator_lib.checks.inputs import NotAvailable, count

GROUPS = ("streams", "decode", "attention", "products")  # in the order of their intensities


class Curve(NamedTuple):
    """Sizes, the rate at each (median), and the rates between which the middle 80 % of the repeats lie."""

    sizes: tuple
    rates: tuple
    low: tuple
    high: tuple


class Picked(NamedTuple):
    """One dot: its place on the roof, and on the curve of its group, if it has one."""

    measurement: Measurement
    attainable: float  # FLOP/s that the roof allows
    reached: float  # share of that
    size: float  # edge of a product, bytes of a stream; 0 for others


class Overlay(NamedTuple):
    """What is drawn."""

    name: str  # of the device in the file
    chip: str  # whose roof it is
    estimated: bool  # whether that roof comes from the file itself
    peak: float
    bytes_per_s: float
    products: Curve
    streams: dict  # {kernel: Curve}, every size
    groups: dict  # {group: (intensities, rates)} of the dots
    dots: tuple  # Measurement of each, in the same order

    ridge_point = property(lambda self: roofline.ridge_point(self.peak, self.bytes_per_s))

    def at(self, place):
        """The Picked of a dot by its place, from 0."""
        each = self.dots[count("place", place, 0, len(self.dots) - 1)]
        allowed = roofline.attainable(each.intensity, self.peak, self.bytes_per_s)
        return Picked(each, allowed, each.flops_per_s / allowed, _size(each))


def overlay(mine):
    """Overlay of a file's measurements. Raises TypeError, and NotAvailable where there is no roof or no dot."""
    if not isinstance(mine, Mine):
        raise TypeError(f"mine must be what measure.load(path) returns, not {type(mine).__name__}")
    chip, dots = mine.chip, {group: _dots(mine, group) for group in GROUPS}
    if not any(dots.values()):
        raise NotAvailable(f"the file of {mine.name} has no measurement that could lie on a roof")
    kernels = {}
    for each in mine.of("streams"):
        kernels.setdefault(each.conditions.get("kernel", each.name), []).append(each)
    return Overlay(
        name=mine.name,
        chip=chip.short_name if mine.known else mine.name,
        estimated=mine.estimated,
        peak=chip.peak(mine.dtype),
        bytes_per_s=chip.need("bytes_per_s"),
        products=_curve(mine.of("products"), lambda each, seconds: each.flops / seconds),
        streams={kernel: _curve(some, lambda each, s: each.bytes_moved / s) for kernel, some in kernels.items()},
        groups={
            group: (tuple(each.intensity for each in found), tuple(each.flops_per_s for each in found))
            for group, found in dots.items()
            if found
        },
        dots=tuple(each for found in dots.values() for each in found),
    )


def _dots(mine, group):
    found = mine.from_memory if group == "streams" else mine.of(group)
    return tuple(each for each in found if each.flops > 0)


def _curve(measurements, rate):
    ordered = sorted(measurements, key=_size)
    ends = ([rate(each, getattr(each, name)) for each in ordered] for name in ("seconds", "high", "low"))
    return Curve(tuple(map(_size, ordered)), *(tuple(np.array(each).tolist()) for each in ends))


def _size(each):
    return float(each.conditions.get({"products": "M", "streams": "array_bytes"}.get(each.group), 0) or 0)
