"""A box of chips to scale, the plane that halves it, and two collectives: on this grid, and on one large switch."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, texts
from accelerator_lib.units import counted, number, si

LEFT, FLOOR, ROOM = 40, 400, 210  # of the box, and pixels for its longest side
DEEP = 0.45, -0.36  # where the third axis goes
AXIS, END = 450, 660


class Box(Stage):
    """Torus, mesh or switch: a box of chips, and how long two collectives take on it.

    >>> view = Box()
    >>> view.show(network.grids.compare((16, 16, 16)))
    >>> view.show(network.grids.compare((8, 8, 1), wrap=False))
    >>> view.show(network.grids.compare((2, 1, 1)))
    """

    size, noun = (746, 440), "setting"

    def marks(self, grid):
        """`grid`: network.grids.Grid."""
        return [*self._box(grid.torus), *self._facts(grid), *self._times(grid)]

    def _box(self, torus):
        dims = [*torus.dims, 1, 1][:3]
        unit = ROOM / max(dims)
        x, y, z = (unit * k for k in dims)

        def at(a, b, c):
            """Pixels of a point of the box, in units of its sides."""
            return LEFT + a * x + DEEP[0] * c * z, FLOOR - b * y + DEEP[1] * c * z

        def walls(k, make):
            return [make(i / k) for i in range(k + 1)]

        ends = [
            *walls(dims[0], lambda s: (at(s, 0, 0), at(s, 1, 0))),
            *walls(dims[1], lambda s: (at(0, s, 0), at(1, s, 0))),
            *walls(dims[0], lambda s: (at(s, 1, 0), at(s, 1, 1))),
            *walls(dims[2], lambda s: (at(0, 1, s), at(1, 1, s))),
            *walls(dims[1], lambda s: (at(1, s, 0), at(1, s, 1))),
            *walls(dims[2], lambda s: (at(1, 0, s), at(1, 1, s))),
        ]
        (x1, y1), (x2, y2) = np.array(ends).transpose(1, 2, 0)
        grid = lines("grid", range(len(ends)), x1, y1, x2, y2, "muted", 0.8)
        axis = int(np.argmax(dims))
        s = (dims[axis] // 2) / dims[axis] if dims[axis] > 1 else 0
        corners = [(s, 0, 0), (s, 1, 0), (s, 1, 1), (s, 0, 1)]
        if axis:
            corners = (
                [(0, s, 0), (1, s, 0), (1, s, 1), (0, s, 1)]
                if axis == 1
                else [(0, 0, s), (1, 0, s), (1, 1, s), (0, 1, s)]
            )
        text = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in (at(*c) for c in corners)) + "Z"
        cut = paths("cut", [0], text, role="bad tint", size=2, who="the cut",
                    says=f"{torus.bisection_links} links cross it")  # fmt: skip
        sides = [str(k) for k in dims]
        places = [
            (LEFT + x / 2, FLOOR + 16),
            (LEFT - 16, FLOOR - y / 2),
            (LEFT - 14 + DEEP[0] * z / 2, FLOOR - y + DEEP[1] * z / 2 - 6),
        ]
        px, py = np.array(places).T
        return [grid, cut, texts("sides", range(3), px, py, sides, "ink bold", 14)]

    def _facts(self, grid):
        torus = grid.torus
        closed = any(torus.closed(k) for k in torus.dims)
        words = [
            f"{torus.nodes:,} chips, {'axes close' if torus.wrap else 'axes end'}",
            f"farthest apart: {counted(torus.diameter, 'hop')}, in the mean {number(torus.mean_hops)}",
            f"cut in half: {counted(torus.bisection_links, 'link')}" + (", those around too" if closed else ""),
            f"a chip: {counted(torus.links_per_chip(), 'link')}, {si(grid.chip_bytes_per_s, 'B/s')} one way",
        ]
        roles = ["ink bold start", "ink start", "bad start", "ink start"]
        return [texts("facts", range(4), AXIS - 80, 26 + 22 * np.arange(4), words, roles, 14)]

    def _times(self, grid):
        values = np.array([grid.all_reduce, grid.switch_all_reduce, grid.all_to_all, grid.switch_all_to_all])
        y = np.array([174, 224, 318, 368])
        scale = (END - AXIS) / values.max()
        here = "torus" if grid.torus.wrap else "mesh"
        names = [here, "switch"] * 2
        titles = [f"all-reduce of {si(grid.bytes_moved, 'B')}", f"all-to-all, {si(grid.bytes_moved, 'B')} a chip"]
        bars = boxes("times", range(4), AXIS, y, np.maximum(values * scale, 0.5), 24, ["compute", "memory tint"] * 2,
                     who=[f"{t}, {n}" for t, n in zip(np.repeat(titles, 2), names, strict=True)],
                     says=[si(v, "s") for v in values])  # fmt: skip
        said = texts("names", range(4), AXIS - 8, y + 12, names, "ink end", 13)
        ends = texts("values", range(4), END + 80, y + 12, [si(v, "s") for v in values], "ink bold end", 13)
        head = texts("titles", range(2), AXIS - 80, [150, 294], titles, "ink bold start", 14)
        return [bars, said, ends, head]

    def say(self, grid):
        """The grid and its two times."""
        torus = grid.torus
        name = f"{' × '.join(str(k) for k in torus.dims)} {'torus' if torus.wrap else 'mesh'}"
        return (
            f"{name}: {torus.nodes:,} chips, mean {number(torus.mean_hops)} hops, "
            f"{counted(torus.bisection_links, 'link')} cut. "
            f"All-reduce {si(grid.all_reduce, 's')}, on a switch {si(grid.switch_all_reduce, 's')}; all-to-all "
            f"{si(grid.all_to_all, 's')}, on a switch {si(grid.switch_all_to_all, 's')}."
        )
