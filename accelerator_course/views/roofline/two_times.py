"""The two times of a kernel side by side: for its bytes, for its arithmetic."""

import numpy as np

from accelerator_course.views.kit import Chart, shares, words
from accelerator_course.views.stage import Stage, boxes, lines
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
            return f"{tokens} {take} {here}: fetching takes {fetch}, multiplying {multiply}. The longer time decides."
        if not now.seconds:
            work = si(placed.work.flops, "FLOP")
            return f"{tokens}: {si(now.bytes_moved, 'B')} to fetch, {work} to multiply. Both begin now."
        there = f"{si(now.fetched_bytes, 'B')} are fetched"
        return f"{tokens}, after {here}: {there}, {percent(now.multiplied)} of the arithmetic is done."
