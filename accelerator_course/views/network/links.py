"""Links: between the chips of a torus or a mesh; models beside measurements."""

import numpy as np

from accelerator_course.views.charts import ground, key_rows, signs
from accelerator_course.views.kit import Chart, bars, below, words
from accelerator_course.views.stage import Stage, lines, paths, texts
from accelerator_lib.units import counted, number, percent, si


class Box(Stage):
    """Torus, mesh or switch: a box of chips, and how long two collectives take on it.

    >>> view = Box()
    >>> view.show(network.compare((16, 16, 16))), view.show(network.compare((8, 8, 1), wrap=False))
    >>> view.show(network.compare((2, 1, 1)))
    """

    size, noun = (746, 440), "setting"
    left, right, floor, room, deep = 40, 370, 400, 210, (0.45, -0.36)  # longest side [px]; where the third axis goes

    def marks(self, grid):  # network.topology.Grid
        torus, moved, right = grid.torus, si(grid.bytes_moved, "B"), self.right
        yield from self._box(torus)
        around = ", those around too" if any(map(torus.closed, torus.dims)) else ""
        said = [
            (f"{torus.nodes:,} chips, {'axes close' if torus.wrap else 'axes end'}", "ink bold start"),
            f"farthest apart: {counted(torus.diameter, 'hop')}, on average {number(torus.mean_hops)}",
            (f"cut in half: {counted(torus.bisection_links, 'link')}{around}", "bad start"),
            f"a chip: {counted(torus.links_per_chip(), 'link')}, {si(grid.chip_bytes_per_s, 'B/s')} one way",
        ]
        yield below("facts", right, 26, said, 22, size=14)
        axis, y, n = right + 80, np.array([186, 236, 330, 380]), range(4)
        values = np.array([grid.all_reduce, grid.switch_all_reduce, grid.all_to_all, grid.switch_all_to_all])
        names, said = ["torus" if torus.wrap else "mesh", "switch"] * 2, [si(value, "s") for value in values]
        titles, roles = [f"all-reduce of {moved}", f"all-to-all, {moved} a chip"], ["compute", "memory tint"] * 2
        who = [f"{title}, {name}" for title, name in zip(np.repeat(titles, 2), names, strict=True)]
        yield from bars("times", n, axis, y, 210 * values / values.max(), 24, roles, who=who, says=said, least=0.5)
        yield texts("names", n, axis - 8, y, names, "ink end")
        yield texts("values", n, axis + 290, y, said, "ink bold end")
        yield texts("titles", range(2), right, y[::2] - 36, titles, "ink bold start", 14)

    def _box(self, torus):
        """Three faces with a line for every layer of chips, and the plane that halves the longest side."""
        dims = np.array([*torus.dims, 1, 1][:3])
        side = self.room * dims / dims.max()

        def at(points):
            """Pixels [n, 2] of points [n, 3] of the box, in units of its sides."""
            x, y, z = (np.asarray(points, float) * side).T
            return np.array([self.left + x + self.deep[0] * z, self.floor - y + self.deep[1] * z]).T

        ends = []
        for fixed, value in ((2, 0), (1, 1), (0, 1)):  # the front, the top, the right
            for axis, along in ((a, 3 - fixed - a) for a in range(3) if a != fixed):
                for layer in np.arange(dims[axis] + 1) / dims[axis]:
                    line = np.zeros((2, 3))
                    line[:, fixed], line[:, axis], line[1, along] = value, layer, 1
                    ends.append(at(line).ravel())
        axis = int(np.argmax(dims))
        half = dims[axis] // 2 / dims[axis] if dims[axis] > 1 else 0
        corners = np.insert([(0.0, 0), (1, 0), (1, 1), (0, 1)], axis, half, 1)
        cut = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in at(corners)) + "Z"
        (x, y), (_, up), (in_x, in_y) = at([(0.5, 0, 0), (0, 0.5, 0), (0, 1, 0.5)])
        sides = ([x, self.left - 16, in_x - 14], [y + 16, up, in_y - 6])
        crossed = f"{torus.bisection_links} links cross it"
        yield lines("grid", range(len(ends)), *np.array(ends).T, "muted", 0.8)
        yield paths("cut", [0], cut, role="bad tint", size=2, who="the cut", says=crossed)
        yield texts("sides", range(3), *sides, dims, "ink bold", 14)

    def say(self, grid):
        torus = grid.torus
        said = f"{torus.name}: {torus.nodes:,} chips, mean {number(torus.mean_hops)} hops, "
        said += f"{counted(torus.bisection_links, 'link')} cut. All-reduce {si(grid.all_reduce, 's')}, on a switch "
        said += f"{si(grid.switch_all_reduce, 's')}; all-to-all {si(grid.all_to_all, 's')}, on a switch "
        return said + f"{si(grid.switch_all_to_all, 's')}."


MOST = 0.72  # of the miss axis, up and down


class Misses(Stage):
    """Published times as diamonds, the model as a line, and below the miss of each: too fast below zero.

    along: "bytes" on two logarithmic axes, or "chips" on one.

    >>> view = Misses("bytes")
    >>> view.show(network.published.by_size()), view.show(network.published.by_size(15e-6, 2e-6, 231.6e9))
    >>> view.show(network.published.by_size(60e-6, 5e-6, 100e9))
    """

    size, noun = (760, 490), "setting"

    def __init__(self, along):
        self.axis, across = along, (78, 738)
        x, y, log = ((420, 1.5e10), (6e-6, 0.3), "xy") if along == "bytes" else ((6.5, 310), (0, 500e-6), "x")
        self.above = Chart(across, (262, 54), x, y, log, inside=True, name="above")
        self.low = Chart(across, (436, 306), x, (-MOST, MOST), "x", inside=True)

    def marks(self, rows):  # network.published.Beside, one for each size or number of chips
        above, low, n = self.above, self.low, range(len(rows))
        (left, right), middle = low.across, float(low.y(0))
        x = np.array([row.bytes_moved if self.axis == "bytes" else row.n for row in rows], float)
        model, measured, miss = np.array([(row.model, row.measured, row.miss) for row in rows]).T
        name, unit, own = ("size of the array", "B", None) if self.axis == "bytes" else ("chips", "", x)
        who = [row.what for row in rows]
        pairs = [f"{si(a, 's')} by the model, {si(b, 's')} measured" for a, b in zip(model, measured, strict=True)]
        off = [f"{percent(abs(one))} {'too fast' if one < 0 else 'too slow'}" for one in miss]
        shapes = ["triangle" if one >= MOST else "down" if one <= -MOST else "round" for one in miss]
        at, ends, zero = low.x(x), low.y(miss), [f"{share:.0%}".replace("%", " %") for share in (-0.5, 0, 0.5)]
        top = ground(above, "", "time", (unit, "s"), own, said=("", None))
        yield from key_rows([("model", "compute", "", None), ("measured", "memory", None, "diamond")], left, 740, 18)[0]
        yield from top
        yield above.line("model", x, model, "compute line", 2.5, "model")
        yield signs(above, "measured", n, x, measured, "diamond", "memory", who, pairs)
        yield from ground(low, name, "", (unit, "%"), own, (-0.5, 0, 0.5), (None, zero))
        yield words("ways", (left, low.up[1] - 12, "missed by: above 0 too slow, below it too fast"))
        yield lines("zero", [0], left, middle, right, middle, "muted", 1.2)
        yield lines("stems", n, at, middle, at, ends, "other", 3)
        yield signs(low, "ends", n, x, miss, shapes, "other", who, off, 0.8)

    def say(self, rows):
        near = sum(abs(row.miss) <= 0.05 for row in rows)
        worst = max(rows, key=lambda row: abs(row.miss))
        way = "too fast" if worst.miss < 0 else "too slow"
        said = f"{near} of {len(rows)} within 5 %; farthest off at {worst.what}: {si(worst.model, 's')} against "
        return said + f"{si(worst.measured, 's')}, {percent(abs(worst.miss))} {way}."
