"""The registers of an array in one cycle: who multiplies, what waits at the edges, what leaves, with its numbers."""

import numpy as np

from accelerator_lib.views import style
from accelerator_lib.views.painted import Painted, font
from accelerator_lib.views.painted import cells as rectangles

CELLS = np.array([[255, 255, 255], [219, 233, 244], [238, 238, 238], [240, 180, 138], [203, 182, 234]], dtype=np.uint8)
EMPTY, WAITING, IDLE, BUSY = range(4)  # and one more: busy with a fold of odd number
LOOK, WRITTEN = 4, 8  # cycles of the feed that are shown; the largest array with numbers in it


class Grid:
    """The PEs of an array on given axes, what is about to enter at its edges, and what leaves below.

    Painted as one image: two hundred text artists would take 120 ms a cycle, their picture takes 5.
    """

    def __init__(self, ax, size=11):
        self.size = size
        self.picture = Painted(style.bare(ax, (0, 1), (1, 0)))

    def draw(self, cycles, at):
        """`cycles`: wavefront.Cycle, all of a run."""
        now, after = cycles[at], cycles[at + 1 : at + 1 + LOOK]
        rows, cols = now.active.shape
        cells = np.full((rows + LOOK + 1, cols + LOOK), EMPTY)
        passing = np.where(now.chain.there, WAITING, IDLE)
        cells[LOOK:-1, LOOK:] = np.where(now.active, BUSY + now.working % 2, passing)
        for wait, cycle in enumerate(after):
            cells[LOOK:-1, LOOK - 1 - wait][cycle.enters_left.there] = WAITING
            cells[LOOK - 1 - wait, LOOK:][cycle.enters_top.there] = WAITING
        cells[-1, LOOK:][now.leaves_bottom.there] = WAITING
        most = max(rows, cols)
        self._paint(cells, _written(now, after) if most <= WRITTEN else [], most <= 16)

    def _paint(self, cells, written, lines):
        """Cells, white lines between them, the outline of the array, numbers."""
        from PIL import ImageDraw

        wide, high = self.picture.size
        picture = rectangles(CELLS[cells], (wide, high))
        draw, (down, across) = ImageDraw.Draw(picture), cells.shape
        x, y = (lambda col: col * wide / across), (lambda row: row * high / down)
        for col in range(1, across) if lines else ():
            draw.line((x(col), 0, x(col), high), fill="white", width=3)
        for row in range(1, down) if lines else ():
            draw.line((0, y(row), wide, y(row)), fill="white", width=3)
        draw.rectangle((x(LOOK), y(LOOK), wide - 1, y(down - 1)), outline=style.INK, width=3)
        for row, col, value, bold, share in written:
            own = font(self.size * share * min(1, 9 / across), bool(bold))
            draw.text((x(col + 0.5), y(row + 0.5)), value, fill=style.INK, font=own, anchor="mm")
        self.picture.paint(picture)


def _written(now, after):
    """(row, column, text, bold, size) of every number on the picture."""
    found = []
    for row, col in np.ndindex(*now.active.shape):
        busy, place = now.active[row, col], (row, col)
        if busy:
            meet = f"{now.across.value[place]:g}×{now.partner.value[place]:g}"
            found.append((LOOK + row - 0.22, LOOK + col, meet, False, 0.85))
        elif now.chain.there[place]:
            found.append((LOOK + row - 0.22, LOOK + col, f"↓{now.chain.value[place]:g}", False, 0.85))
        elif now.dataflow != "os" and now.held.there[place]:
            found.append((LOOK + row - 0.22, LOOK + col, f"{now.held.value[place]:g}", False, 0.85))
        if now.sums.there[place]:
            found.append((LOOK + row + 0.2, LOOK + col, f"{now.sums.value[place]:g}", busy, 1.1))
    for wait, cycle in enumerate(after):
        found += [(LOOK + lane, LOOK - 1 - wait, text, False, 1) for lane, text in _lanes(cycle.enters_left)]
        found += [(LOOK - 1 - wait, LOOK + lane, text, False, 1) for lane, text in _lanes(cycle.enters_top)]
    below = LOOK + len(now.active)
    return found + [(below, LOOK + lane, text, True, 1) for lane, text in _lanes(now.leaves_bottom)]


def _lanes(wires):
    """(lane, number) of the wires of an edge that carry one."""
    return [(lane, f"{wires.value[lane]:g}") for lane in np.flatnonzero(wires.there)]
