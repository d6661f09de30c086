"""The staircase of memory of the machine that runs the notebook."""

from accelerator_course.views import style
from accelerator_lib.units import binary, number, si


class Stairs:
    """The measured staircase: latency above, bandwidth below, the caches that the system reports as lines.

    >>> from accelerator_lib.machine.staircase import Staircase
    >>> stairs = Staircase((4e3, 4e5, 3e7), (1e-9, 5e-9, 9e-8), (4e3, 3e7), (1e11, 2e10), {"L1": 32768})
    >>> view = Stairs(stairs)
    >>> view.show(stairs.near(4e3))
    >>> view.show(stairs.near(3e7))
    """

    def __init__(self, stairs):
        self.figure = style.figure((7.2, 5.2))
        top, bottom = self.figure.subplots(2, 1, sharex=True)
        sizes = stairs.latency_sizes
        limits = style.room(sizes[0], sizes[-1])
        style.dress(top, "", "one access [s]", limits, (0.5e-9, 2e-6), log="xy")
        style.dress(bottom, "working set [B]", "stream [B/s]", limits, (5e8, 2e12), log="xy")
        top.plot(sizes, stairs.latencies, "s-", color=style.COMPUTE, markersize=5)
        bottom.plot(stairs.bandwidth_sizes, stairs.bandwidths, "o--", color=style.MEMORY, markersize=6)
        for name, size in stairs.caches.items():
            if limits[0] < size < limits[1]:
                for ax in (top, bottom):
                    ax.axvline(size, color=style.MUTED, linewidth=1.2, linestyle=":")
                style.label(top, name, size, 1e-6, style.MUTED, ha="right")
        self.marks = [style.dot(ax, style.OTHER, 12, "D") for ax in (top, bottom)]
        style.moving(*self.marks)

    def show(self, reading):
        """`reading`: staircase.Reading, what was measured nearest to a working set."""
        self.marks[0].set_data([reading.access_bytes], [reading.access_seconds])
        self.marks[1].set_data([reading.stream_bytes], [reading.stream_bytes_per_s])
        slower = number(reading.slower)
        compared = "the shortest of all" if slower == "1" else f"{slower} times the shortest"
        return (
            f"{binary(reading.access_bytes)}: one access takes {si(reading.access_seconds, 's')}, {compared}. "
            f"Streaming {binary(reading.stream_bytes)}: {si(reading.stream_bytes_per_s, 'B/s')}."
        )
