"""Wafer: how many rectangles fit on a disc, and how large a rectangle may be.

    dies = pi (d/2)^2 / A - pi d / sqrt(2 A)        the area, less a ring of dies that the edge cuts

A wafer is exposed field by field; a die cannot be larger than one field. Then it is sawn along the scribe lines between
the dies. The formula knows neither the shape of a die nor scribe nor edge; `wafer_map` places them one by one.
Source: data/silicon.yaml (geometry); the formula stands in texts on yield.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, Single, checked

Area = Number(low=1e-3, high=1e5, unit="mm²")
Diameter = Number(low=25, high=450, unit="mm")
Side, Margin = Single(Number(low=0.5, high=450, unit="mm")), Single(Number(low=0, high=10, unit="mm"))
WAFER_MM, EDGE_MM, SCRIBE_MM, FIELD_MM = (
    data.load("silicon")["geometry"][name]["value"] for name in ("wafer_mm", "edge_mm", "scribe_mm", "field_mm")
)
FIELD_MM2 = FIELD_MM[0] * FIELD_MM[1]
ASPECT = max(FIELD_MM) / min(FIELD_MM)  # of dies that may grow as large as the field


@checked
def dies_per_wafer(area_mm2: Area, diameter_mm: Diameter = WAFER_MM):
    """Dies on a wafer by the formula, not rounded; 0 where it would be negative. Scalars or arrays."""
    whole = np.pi * (diameter_mm / 2) ** 2 / area_mm2
    found = np.maximum(whole - np.pi * diameter_mm / np.sqrt(2 * area_mm2), 0.0)
    return float(found) if np.ndim(found) == 0 else found


@checked
def wafer_map(
    width_mm: Side,
    height_mm: Side,
    diameter_mm: Single(Diameter) = WAFER_MM,
    edge_mm: Margin = EDGE_MM,
    scribe_mm: Margin = SCRIBE_MM,
):
    """Centres [n, 2] in mm from the middle of the wafer: the best of four centrings of one grid.
    A die counts with the scribe around it, where all of it lies inside the edge. The middle of the wafer is that of a
    die, of one of its sides, or a corner."""
    pitch = np.array([width_mm + scribe_mm, height_mm + scribe_mm])
    return max((_placed(pitch, diameter_mm / 2 - edge_mm, shift) for shift in product((0, 0.5), repeat=2)), key=len)


def _placed(pitch, radius, shift):
    """Centres of one grid of which all four corners lie within the radius."""
    most = (radius // pitch).astype(int) + 1
    x, y = ((np.arange(-n, n + 1) + s) * p for n, s, p in zip(most, shift, pitch, strict=True))
    x, y = np.meshgrid(x, y)
    inside = np.hypot(np.abs(x) + pitch[0] / 2, np.abs(y) + pitch[1] / 2) <= radius
    return np.column_stack([x[inside], y[inside]])


@checked
def fits_field(width_mm: Side, height_mm: Side):
    """Whether one exposure can print the die, turned as one likes: the field is a rectangle of 26 x 33 mm."""
    short, long = sorted((width_mm, height_mm))
    return short <= min(FIELD_MM) and long <= max(FIELD_MM)


@dataclass(frozen=True)
class Largest:
    """The largest die of a shape that one exposure prints, and which of its sides meets the field first."""

    area_mm2: float
    side: str  # "width" or "height"


@checked
def largest(aspect: Single(Number(low=1, high=20)) = 1.0):
    """Largest of the dies whose height is `aspect` times their width."""
    (wide, high), by = sorted(FIELD_MM), ("width", "height")
    areas = wide**2 * aspect, high**2 / aspect
    return Largest(min(areas), by[areas.index(min(areas))])


@dataclass(frozen=True, eq=False)
class Cut:
    """A wafer cut into dies [mm]: their centres, whether a scanner could print them, and the formula's count."""

    width: float
    height: float
    centres: np.ndarray
    fits: bool
    formula: float
    scribe: float = SCRIBE_MM
    edge: float = EDGE_MM

    area = property(lambda self: self.width * self.height)
    # share of the wafer that becomes dies
    used = property(lambda self: len(self.centres) * self.area / (np.pi * (WAFER_MM / 2) ** 2))
    # [n, 2]: the upper left corner of every die
    corners = property(lambda self: self.centres - [self.width / 2, self.height / 2])

    def die_of(self, points):
        """The number of the die that each point [n, 2] lies in, -1 for none (scribe, edge)."""
        pitch = np.array([self.width + self.scribe, self.height + self.scribe])
        if not len(self.centres):
            return np.full(len(points), -1)
        grid = np.rint((self.centres - self.centres[0]) / pitch).astype(int)
        low = grid.min(0)
        table = np.full(grid.max(0) - low + 1, -1)
        table[tuple((grid - low).T)] = np.arange(len(grid))
        place = (np.asarray(points, float) - self.centres[0]) / pitch
        cell = np.rint(place).astype(int)
        off = np.abs(place - cell) * pitch  # from the middle of the cell
        there = ((cell >= low) & (cell <= grid.max(0))).all(1) & (off <= [self.width / 2, self.height / 2]).all(1)
        found = np.full(len(cell), -1)
        found[there] = table[tuple((cell[there] - low).T)]
        return found


@checked
def sides(area_mm2: Single(Area), aspect: Single(Number(low=1, high=20)) = 1.0):
    """(width, height) [mm] of a die of this area whose height is `aspect` times its width."""
    return (area_mm2 / aspect) ** 0.5, (area_mm2 * aspect) ** 0.5


@checked
def cut(area_mm2: Single(Area), aspect=1.0, scribe_mm: Margin = SCRIBE_MM, edge_mm: Margin = EDGE_MM):
    """Cut of a 300 mm wafer into dies of this area; arguments as for `sides` and `wafer_map`."""
    width, height = sides(area_mm2, aspect)
    centres = wafer_map(width, height, edge_mm=edge_mm, scribe_mm=scribe_mm)
    return Cut(width, height, centres, fits_field(width, height), dies_per_wafer(width * height), scribe_mm, edge_mm)
