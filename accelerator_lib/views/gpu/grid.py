"""A launch: blocks of threads over the elements."""

from matplotlib.patches import Rectangle

from accelerator_lib.units import counted
from accelerator_lib.views import style

COLUMNS, MOST = 16, 64  # blocks drawn


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full.

    >>> view = Grid()
    >>> view.show({"elements": 1000, "threads": 256, "blocks": 4, "idle threads": 24, "empty lanes": 0})
    >>> view.show({"elements": 1, "threads": 33, "blocks": 1, "idle threads": 32, "empty lanes": 31})
    >>> view.show({"elements": 10**6, "threads": 1024, "blocks": 977, "idle threads": 448, "empty lanes": 0})
    """

    def __init__(self):
        self.figure = style.figure((7.2, 2.9))
        ax = style.bare(self.figure.subplots(), (0, COLUMNS), (MOST // COLUMNS + 0.1, -0.1))
        self.boxes, self.fills = [], []
        for place in range(MOST):
            row, col = divmod(place, COLUMNS)
            spot = {"xy": (col + 0.06, row + 0.06), "width": 0.88, "height": 0.88}
            self.boxes.append(ax.add_patch(Rectangle(**spot, facecolor="white", edgecolor=style.MUTED)))
            self.fills.append(ax.add_patch(Rectangle(**spot, facecolor="#f0b48a", edgecolor=style.COMPUTE)))
        style.moving(*self.boxes, *self.fills)

    def show(self, made):
        """`made`: elements, threads of a block, blocks, idle threads of the last one, empty lanes of each, by name."""
        elements, threads, blocks, idle, empty = made.values()
        for place, (box, fill) in enumerate(zip(self.boxes, self.fills, strict=True)):
            last = place == blocks - 1
            box.set_visible(place < blocks)
            fill.set(visible=place < blocks, width=0.88 * (1 - idle / threads if last else 1))
        beyond = f" (the first {MOST} are drawn)" if blocks > MOST else ""
        lanes = f" Each block's last warp has {counted(empty, 'empty lane')}." if empty else ""
        shape = f"{counted(blocks, 'block')} of {counted(threads, 'thread')}{beyond}"
        nothing = f"{counted(idle, 'thread')} of the last block {'has' if idle == 1 else 'have'} nothing to do."
        return f"{counted(elements, 'element')} in {shape}: {nothing}{lanes}"
