"""A tile chosen for a product: its traffic and its two budgets."""

from accelerator_course.views.charts import Rows, curve, ground, key_rows, signs, sized
from accelerator_course.views.kit import Chart, shares
from accelerator_course.views.stage import Stage, lines, paths
from accelerator_lib.units import binary, number, percent, si


class TileBudget(Stage):
    """Traffic of a product over the tile, with the lower bound; below, what the tile needs on the chip.

    >>> edges, room = np.array([1, 8, 64, 512]), tiling.Budget(163 * 1024, 256 * 1024)
    >>> view, gemm = TileBudget(edges), tiling.square(8192)
    >>> curve = tiling.gemm_bytes(gemm, edges, edges)
    >>> view.show((tiling.Choice(gemm, 1, 1, tiling.budget(1, 1, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 128, 64, tiling.budget(128, 64, 64), room), curve))
    >>> view.show((tiling.Choice(gemm, 512, 512, tiling.budget(512, 512, 64), room), curve))
    """

    size, noun = (760, 490), "setting"

    def __init__(self, edges):
        x = edges[0] / 1.15, edges[-1] * 1.15
        self.edges, self.chart = edges, Chart((78, 738), (294, 74), x, (1e5, 1e14), "xy", inside=True)

    def marks(self, result):  # (tiling.Choice, traffic of square tiles [byte], one for each of the edges)
        chosen, traffic = result
        chart, self.at, least = self.chart, chosen.edge, chosen.least_bytes
        keys = [("square tiles whose sums fit", "compute", "", None)]
        keys += [("lower bound with this memory", "ink", "dashed", None), ("your tile", "compute", None, "square")]
        (left, right), y = chart.across, float(chart.y(least))
        moved = si(chosen.bytes_moved, "B")
        yield from key_rows(keys, left, 750, 16, gap=52)[0]
        yield from ground(chart, "edge of a square tile, logarithmic axis", "traffic, logarithmic axis", ("", "B"))
        yield curve(chart, "traffic", self.edges, traffic, "compute line", 2.5, "square tiles")
        yield lines("bound", [0], left, y, right, y, "ink dashed", 1.5, "lower bound", si(least, "B"))
        role = "compute" if chosen.fits else "bad"
        yield signs(chart, "dot", [0], [self.at], [chosen.bytes_moved], "square", role, "your tile", moved, 1.1)
        # What is too much is red, with an arrow where it lies beyond the axis; sums must leave a register.
        names, parts = ["strips, in the shared memory", "sums, in the registers"], [*chosen.shares.values()]
        rows = Rows(names, (0, 2), 364, 34, right=510, name="budget")
        over, (floor, top) = [not fit for fit in chosen.need.fit(chosen.room)], rows.chart.up
        sizes = zip(chosen.need.both, chosen.room.both, parts, over, strict=True)
        said = [f"{binary(used)} of {binary(there)}{f': {percent(part)}' * much}" for used, there, part, much in sizes]
        roles, looks = [["bad" if much else own for much in over] for own in ("memory", "ink")]
        yield from rows.frame("share of the budget", (0, 0.5, 1, 1.5, 2), ["0", "50 %", "100 %", "150 %", "200 %"])
        yield from rows.drawn(parts, said, (0, 2), 22, roles, [f"{one} bold start" for one in looks], beyond=536)
        far = [i for i, part in enumerate(parts) if part > 2]
        yield paths("far", far, sized("beyond", 1.6), rows.chart.across[1], rows.y[far], "bad")
        yield lines("all of it", [0], (all_of_it := rows.chart.x(1)), top, all_of_it, floor, "ink", 1.5)

    def say(self, result):
        chosen, _ = result
        full = chosen.need.takes_every_register(chosen.room)
        tiles, moved = f"Tiles of {chosen.tile_m} × {chosen.tile_n}", si(chosen.bytes_moved, "B")
        if not chosen.fits:
            return f"{tiles} would move {moved}. {'Their sums take every register.' if full else 'They do not fit.'}"
        beside = f"{number(chosen.excess)} times the lower bound: {number(chosen.intensity)} FLOP per byte"
        return f"{tiles} move {moved}, {beside}. They fit."

    def place(self, axis, value, row=None):
        """A traffic [B], at the edge of the tile that is shown, as shares of the picture."""
        return shares(self.size, self.chart.x(self.at), self.chart.y(value))
