"""The staircase of memory of the machine that runs the notebook."""

from accelerator_course.views.charts import ground, signs
from accelerator_course.views.kit import Chart, words
from accelerator_course.views.stage import Stage, lines
from accelerator_lib.units import binary, number, si


class Stairs(Stage):
    """The measured staircase: latency above, bandwidth below, the caches that the system reports as lines.

    >>> from accelerator_lib.machine.staircase import Staircase
    >>> stairs = Staircase((4e3, 4e5, 3e7), (1e-9, 5e-9, 9e-8), (4e3, 3e7), (1e11, 2e10), {"L1": 32768})
    >>> view = Stairs(stairs)
    >>> view.show(stairs.near(4e3)), view.show(stairs.near(3e7))
    """

    size, noun = (760, 500), "working set"

    def __init__(self, stairs):
        self.stairs, sizes, across = stairs, stairs.latency_sizes, (86, 732)
        x = sizes[0] / 1.15, sizes[-1] * 1.15
        self.above = Chart(across, (230, 40), x, (0.5e-9, 2e-6), "xy", True, "above")
        self.low = Chart(across, (448, 276), x, (5e8, 2e12), "xy", True)

    def marks(self, reading):  # staircase.Reading, what was measured nearest to a working set
        stairs = self.stairs
        sides = (
            (self.above, "access", stairs.latency_sizes, stairs.latencies, "compute", "", "square", "s"),
            (self.low, "stream", stairs.bandwidth_sizes, stairs.bandwidths, "memory", " dashed", "round", "B/s"),
        )
        here = (reading.access_bytes, reading.access_seconds), (reading.stream_bytes, reading.stream_bytes_per_s)
        low, high = self.low.scales[0]
        caches = {name: float(self.low.x(size)) for name, size in stairs.caches.items() if low < size < high}
        names, edges = (("", "one access"), ("working set", "stream")), list(caches.values())
        for (chart, name, x, y, role, dash, shape, unit), its, (at, value) in zip(sides, names, here, strict=True):
            who, says = [binary(size) for size in x], [si(one, unit) for one in y]
            floor, top = chart.up
            yield from ground(chart, *its, ("B", unit), said=(None if its[0] else "", None))
            yield chart.line(name, x, y, f"{role} line{dash}", 1.5, name)
            yield signs(chart, f"{name} dots", range(len(x)), x, y, shape, role, who, says, 0.5)
            yield lines(f"{name} caches", list(caches), edges, top, edges, floor, "muted dotted", 1.2)
            own = [at], [value], "diamond", "other", binary(at), si(value, unit)
            yield signs(chart, f"{name} here", [0], *own, 1.1)
        yield words("caches", *((a - 4, self.above.up[1] + 10, name, "muted end") for name, a in caches.items()))

    def say(self, reading):
        slower = number(reading.slower)
        compared = "the shortest of all" if slower == "1" else f"{slower} times the shortest"
        said = f"{binary(reading.access_bytes)}: one access takes {si(reading.access_seconds, 's')}, {compared}. "
        return said + f"Streaming {binary(reading.stream_bytes)}: {si(reading.stream_bytes_per_s, 'B/s')}."
