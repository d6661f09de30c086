"""A launch: blocks of threads over the elements."""

from matplotlib.patches import Rectangle

from accelerator_lib.units import counted
from accelerator_lib.views import style

COLUMNS, MOST = 16, 64  # blocks drawn


class Grid:
    """A launch: blocks of threads over the elements; the last block is rarely full.

    >>> view = Grid()
    >>> view.show(gpu.launch(1000, 256))
    >>> view.show(gpu.launch(1, 33))
    >>> view.show(gpu.launch(10**6, 1024))
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
        """`made`: grid.Launch."""
        for place, (box, fill) in enumerate(zip(self.boxes, self.fills, strict=True)):
            last = place == made.blocks - 1
            box.set_visible(place < made.blocks)
            fill.set(visible=place < made.blocks, width=0.88 * (made.last_share if last else 1))
        beyond = f" (the first {MOST} are drawn)" if made.blocks > MOST else ""
        lanes = f" Each block's last warp has {counted(made.empty_lanes, 'empty lane')}." if made.empty_lanes else ""
        shape = f"{counted(made.blocks, 'block')} of {counted(made.threads, 'thread')}{beyond}"
        idle = f"{counted(made.idle_threads, 'thread')} of the last block have nothing to do."
        return f"{counted(made.elements, 'element')} in {shape}: {idle}{lanes}"
