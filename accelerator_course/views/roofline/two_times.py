"""The two times of a kernel side by side: for its bytes, for its arithmetic; Amdahl's law."""

import numpy as np

from accelerator_course.views.charts import ground, signs
from accelerator_course.views.kit import Chart, shares, words
from accelerator_course.views.stage import Stage, boxes, lines, paths
from accelerator_lib.units import number, percent, si

DOT, HIGH = 1e6, 10  # bytes of a square; squares in a column
LEFT, LEAST = 28, 1.5  # where the bars begin; what is too short to be seen [px]
FETCH, MULTIPLY, FLOOR = (32, 102), (142, 192), 214  # from and to, of the bars; the axis [px]


class TwoTimes(Stage):
    """Two times: a stream of bytes and a bar of arithmetic fill on one time axis.

    >>> view = TwoTimes()
    >>> one, many = (list(frames.roofline.race(roofline.place(Gemm(m, 28672, 8192), "h100-sxm5"))) for m in (1, 400))
    >>> view.show(one[0]), view.show(one[2]), view.show(one[-1]), view.show(many[3]), view.show(many[-1])
    """

    size, noun = (760, 296), "moment"
    time = Chart((LEFT, 732), (FLOOR, 24), (0, 300e-6), (0, 1))

    def marks(self, now):  # frames.roofline.Race
        placed, axis = now.placed, self.time
        fetch, multiply, here = axis.x(np.array([placed.memory_seconds, placed.compute_seconds, now.seconds]))
        said = [f"{si(now.fetched_bytes, 'B')} of {si(now.bytes_moved, 'B')}", f"{percent(now.multiplied)} done"]
        ends = np.maximum([fetch - LEFT, multiply - LEFT], LEAST)
        filled = max(LEAST, min(here, multiply) - LEFT) * (now.seconds > 0)
        tops, looks = [FETCH[0], MULTIPLY[0]], ["memory line", "compute line"]
        ticks = np.arange(7) * 50e-6
        yield from axis.axes(ticks, x_words=["0", *(si(tick, "s") for tick in ticks[1:])], x_name="time on the chip")
        # A square for each megabyte that has arrived, ten in a column, as wide as they take to arrive
        there, pitch = np.arange(round(now.fetched_bytes / DOT)), axis.x(HIGH * DOT / placed.bandwidth) - axis.x(0)
        place = LEFT + pitch * (there // HIGH) + 0.7, FETCH[0] + 7 * (there % HIGH) + 0.7
        yield boxes("squares", there, *place, pitch - 1.4, 5.6, "memory", who="bytes", says=said[0])
        yield boxes("busy", [0], LEFT, MULTIPLY[0], filled, 50, "compute", who="arithmetic", says=said[1])
        yield boxes("frames", range(2), LEFT, tops, ends, [70, 50], looks, who=["bytes", "arithmetic"], says=said)
        slow = f"At normal speed the picture runs {number(now.slowdown)} times slower than the chip"
        fetches = f"fetch {si(now.bytes_moved, 'B')} at {si(placed.bandwidth, 'B/s')}"
        multiplies = f"multiply: {si(placed.work.flops, 'FLOP')} at {si(placed.peak, 'FLOP/s')}"
        heads = (LEFT, 18, fetches, "memory bold start", 15), (LEFT, 128, multiplies, "compute bold start", 15)
        yield words("heads", *heads, (LEFT, 282, f"One blue square is {si(DOT, 'B')}. {slow}.", "muted start", 12))
        # Where the time stands, or the end of the layer: as thick as it is final
        late = here > 560
        look, time = "ink bold " + ("end" if late else "start"), si(now.seconds, "s")
        done, clock = (f"layer done: {time}", "") if now.done else ("", f"{time} now" if now.seconds else "")
        yield lines("now", [0], here, 24, here, FLOOR, "ink" if now.done else "muted dotted", 5 if now.done else 1.5)
        yield words("said", (here + (-9 if late else 9), 122, done, look, 15), (732, 18, clock, "ink bold end", 15))

    def place(self, axis, value, row=None):
        """A time [s] on the axis, over both bars; nothing beyond its end."""
        x = self.time.x(value)
        return shares(self.size, x, 24, FLOOR) if x < self.size[0] else None

    def say(self, now):
        placed, rows = now.placed, now.placed.work.m
        tokens, take = ("1 token", "takes") if rows == 1 else (f"{rows:,} tokens", "take")
        fetch, multiply, here = (si(t, "s") for t in (placed.memory_seconds, placed.compute_seconds, now.seconds))
        if now.done:
            return f"{tokens} {take} {here}: fetching {fetch}, multiplying {multiply}. The longer time decides."
        if not now.seconds:
            work = si(placed.work.flops, "FLOP")
            return f"{tokens}: {si(now.bytes_moved, 'B')} to fetch, {work} to multiply. Both begin now."
        there = f"{si(now.fetched_bytes, 'B')} are fetched"
        return f"{tokens}, after {here}: {there}, {percent(now.multiplied)} of the arithmetic is done."


class Amdahl(Stage):
    """Speed-up of the whole over the share that is accelerated and by how much: lines of equal gain.

    >>> view, speedup = Amdahl(), Axis("speedup", "speed-up of that part", np.array([1.0, 8.0, 64.0]), log=True)
    >>> fraction = Axis("fraction", "share of the time", np.array([0.5, 0.75, 1.0]))
    >>> table = np.array([[1, 1.8, 2.0], [1, 2.9, 3.8], [1, 8.0, 64.0]])
    >>> view.show(Across(speedup, fraction, table, 2.9, {"speedup": 8.0, "fraction": 0.75}))
    >>> view.show(Across(speedup, fraction, table, 64.0, {"speedup": 64.0, "fraction": 1.0}))
    """

    LEVELS = (1.5, 2, 3, 4, 6, 8, 16, 32)
    size, noun, over = (760, 424), "setting", ("speedup", "fraction")

    def __init__(self, say=None):
        """`say`: the sentence, a function of (gain, **given)."""
        self.said = say

    def marks(self, across):  # the gain of the whole, results.Across
        x, y = across.x.values, across.y.values
        chart = Chart((68, 700), (372, 30), (x[0] / 1.04, x[-1] * 1.04), (y[0] - 0.01, y[-1] + 0.01), log="x")
        names = "speed-up of that part", "share of the time that gets faster"
        own = [value for value in (1, 2, 4, 8, 16, 32, 64) if x[0] <= value <= x[-1]]
        at = [[across.given[name]] for name in self.over]
        gain = f"the whole is {across.here:.2f}x as fast"
        # Lines of equal gain, darker above each, and what the gain is at their ends
        ways, areas, said, kept = [], [], [], []
        end, floor = float(chart.x(across.x.values[-1])), float(chart.y(across.y.values[0]))
        for level in self.LEVELS:
            points = _equal(across, level)
            if len(points) < 2:
                continue
            x, y = chart.x(points[:, 0]), chart.y(points[:, 1])
            way = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))
            kept.append(f"{level:g}x")
            ways.append(way)
            areas.append(f"{way}{'' if x[-1] > end - 1 else f'L{end:.1f} {floor:.1f}'}L{end:.1f} {y[0]:.1f}Z")
            inside = x[-1] < end - 1  # it ends below, not at the right
            if inside or all(abs(y[-1] - one[1]) > 13 for one in said if one[0] > end):
                said.append((x[-1] + (6 if inside else 14), y[-1] - 12 * inside, kept[-1], "ink start"))
        yield paths("areas", kept, areas, role="other soft faint")
        says = [f"{one} as fast" for one in kept]
        yield paths("equal", kept, ways, role="muted line", size=1, who="the whole", says=says)
        yield words("gains", *said)
        yield from ground(chart, *names, ("", "%"), own, np.arange(0.5, 1.01, 0.1))
        yield signs(chart, "dot", [0], *at, "square", "compute", "here", gain, 1.1)

    def say(self, across):
        if self.said:
            return self.said(across.here, **across.given)
        speedup, fraction = (across.given[name] for name in self.over)
        part = f"{percent(fraction)} of the time made {number(speedup)}x as fast"
        return f"{part}: the whole is {across.here:.2f}x as fast."


def _equal(across, level):
    """[(x, y)] where the gain is `level`, from the top to the right or to the bottom."""
    x, y, table = np.log(across.x.values), across.y.values, across.table
    found = [(np.interp(level, table[-1], x), y[-1])] if table[-1, 0] <= level <= table[-1, -1] else []
    for place, column in enumerate(table.T):
        if column[0] <= level <= column[-1]:
            found.append((x[place], np.interp(level, column, y)))
    if table[0, 0] <= level <= table[0, -1]:
        found.append((np.interp(level, table[0], x), y[0]))
    found = np.array(found).reshape(-1, 2)
    return np.column_stack([np.exp(found[:, 0]), found[:, 1]])
