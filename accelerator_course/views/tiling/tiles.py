"""A tile chosen for a product: its traffic and its two budgets."""

from accelerator_course.views import style
from accelerator_course.views.bars import Rows
from accelerator_course.views.placing import spot
from accelerator_lib.units import binary, number, si

OVER = "#b3261e"


class TileBudget:
    """Traffic of a product over the tile, with the lower bound; below, what the tile needs on the chip.

    >>> edges, room = np.array([1, 8, 64, 512]), tiling.Budget(163 * 1024, 256 * 1024)
    >>> view = TileBudget(edges)
    >>> gemm = tiling.square(8192)
    >>> curve = tiling.gemm_bytes(gemm, edges, edges)
    >>> view.show((tiling.Choice(gemm, 1, 1, tiling.budget(1, 1, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 128, 64, tiling.budget(128, 64, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 512, 512, tiling.budget(512, 512, 64), room), curve))
    """

    def __init__(self, edges):
        self.figure = style.figure((7.2, 5.0))
        top, low = self.figure.subplots(2, 1, height_ratios=[2.4, 1])
        ends = style.room(float(edges[0]), float(edges[-1]))
        names = "edge of a square tile, logarithmic axis", "traffic [B], logarithmic axis"
        style.dress(top, *names, ends, (1e5, 1e14), log="xy")
        style.plain(top.xaxis)
        self.edges, self.top = edges, top
        self.curve = top.plot([], [], color=style.COMPUTE, linewidth=2.5, label="square tiles whose sums fit")[0]
        self.bound = top.axhline(
            1e9, color=style.INK, linewidth=1.5, linestyle="--", label="lower bound with this much memory"
        )
        self.dot = style.dot(top, style.COMPUTE, 13, "s", label="your tile")
        top.legend(frameon=False, fontsize=10, loc="upper right")
        style.dress(low, "share of the budget", "", (0, 2))
        style.percents(low.xaxis)
        low.axvline(1, color=style.INK, linewidth=1.5)
        self.rows = Rows(low, ["strips, in the\nshared memory", "sums, in the\nregisters"])
        style.moving(self.curve, self.bound, self.dot)

    def show(self, result):
        """`result`: (tiling.Choice, traffic of square tiles [byte], one for each of the edges)."""
        chosen, traffic = result
        self.curve.set_data(self.edges, traffic)
        self.bound.set_ydata([chosen.least_bytes] * 2)
        self.dot.set_data([chosen.edge], [chosen.bytes_moved])
        need, room = chosen.need, chosen.room
        sizes = zip(need.both, room.both, strict=True)
        self._fill(chosen, [f"{binary(used)} of {binary(there)}" for used, there in sizes])
        full = need.takes_every_register(room)
        wrong = "Its sums take every register." if full else "It does not fit the chip."
        verdict = "It fits." if chosen.fits else wrong
        return (
            f"Tiles of {chosen.tile_m} × {chosen.tile_n} move {si(chosen.bytes_moved, 'B')}: "
            f"{number(chosen.intensity)} FLOP per byte, {number(chosen.excess)} times the lower bound. {verdict}"
        )

    def place(self, axis, value, row=None):
        """A traffic [B], at the edge of the tile that is shown."""
        return spot(self.top, float(self.dot.get_xdata()[0]), value)

    def _fill(self, chosen, words):
        """Bars of shares; what is too much turns red; sums must leave a register."""
        over = [not fit for fit in chosen.need.fit(chosen.room)]
        said = [word + ": too much" * much for much, word in zip(over, words, strict=True)]
        self.rows.draw(chosen.shares.values(), said)
        for much, bar, text in zip(over, self.rows.marks, self.rows.texts, strict=True):
            bar.set(facecolor=OVER if much else style.MEMORY, hatch="xx" if much else "")
            text.set(x=1.02, ha="left")  # right of the line of all there is
