"""Floor: where the parts of a design lie, in millimetres: a plan to scale.
A die is 26 mm wide and as high as its area asks; too small for a stack, it is a square. Interfaces of stacks line
its long edges, stacks beside them (chapter 9); arrays fill the middle, SRAM lies below. Wires are part of these areas.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.design.bill import areas
from accelerator_lib.design.machine import ADesign, Design
from accelerator_lib.design.merit import sites
from accelerator_lib.silicon.hbm import PITCH_MM
from accelerator_lib.silicon.wafer import FIELD_MM

WIDE = min(FIELD_MM)
DEEP, GAP = 8.0, 1.0  # of a stack across the edge, and between it and the die
ROW = 4  # stacks without a site in a row


@dataclass(frozen=True, eq=False)
class Floor:  # rectangles (x, y, width, height) in mm from the upper left corner of the die; of several dies, one
    design: Design
    wide: float
    high: float
    areas: tuple  # mm2 of one die: arrays, SRAM, interfaces
    cells: np.ndarray  # [n, 4] arrays, or groups of them
    each: int  # arrays in one cell
    sram: tuple
    interfaces: np.ndarray  # [2, 4]
    stacks: np.ndarray  # [n, 4]; those without a site lie below the die
    placed: np.ndarray  # [n] whether a stack has a site
    area = property(lambda self: sum(self.areas))
    shares = property(lambda self: tuple(part / self.area for part in self.areas))  # of the die


@checked
def floor(design: ADesign, most: Count(high=5000) = 120):
    """Floor of a design; of more than `most` arrays several are drawn as one."""
    parts = tuple(part / design.dies for part in areas(design.machine()))
    wide = WIDE if _sites(design, parts) else min(WIDE, sum(parts) ** 0.5)
    high = sum(parts) / wide
    side = parts[2] / 2 / high
    inner, arrays = wide - 2 * side, -(-design.arrays // design.dies)
    tall, low = parts[0] / inner, parts[1] / inner
    each = -(-arrays // most)
    count = -(-arrays // each)
    columns = min(count, max(1, round((count * inner / tall) ** 0.5)))
    rows = -(-count // columns)
    i = np.arange(count)
    across, deep = inner / columns, tall / rows
    cells = np.column_stack([side + i % columns * across, i // columns * deep, i * 0 + across, i * 0 + deep])
    strips = np.array([[0.0, 0.0, side, high], [wide - side, 0.0, side, high]])
    core = side, tall, inner, low
    return Floor(design, wide, high, parts, cells, each, core, strips, *_stacks(design, high, parts))


def _sites(design, parts):
    return sites(design.dies * sum(parts), design.dies) / design.dies


def _stacks(design, high, parts):
    i = np.arange(-(-design.stacks // design.dies))
    placed = i < _sites(design, parts)
    x = np.where(i % 2, WIDE + GAP, -GAP - DEEP)
    y = i // 2 * PITCH_MM
    out = np.cumsum(~placed) - 1
    x = np.where(placed, x, -GAP - DEEP + out % ROW * (DEEP + GAP))
    y = np.where(placed, y, high + 2 * GAP + out // ROW * PITCH_MM)
    return np.column_stack([x, y + 0.3, i * 0 + DEEP, i * 0 + PITCH_MM - 0.6]).reshape(-1, 4), placed
