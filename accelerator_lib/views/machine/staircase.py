"""The staircase of the machine that runs the notebook."""

import numpy as np

from accelerator_lib.units import binary, number, si
from accelerator_lib.views import style


class Stairs:
    """The measured staircase: latency above, bandwidth below, the caches that the system reports as lines."""

    def __init__(self, stairs):
        self.figure = style.figure((7.2, 5.2))
        top, bottom = self.figure.subplots(2, 1, sharex=True)
        sizes = stairs.latency_sizes
        limits = style.room(sizes[0], sizes[-1])
        style.dress(top, "", "one access [s]", limits, (0.5e-9, 5e-7), log="xy")
        style.dress(bottom, "working set [B]", "stream [B/s]", limits, (5e8, 2e12), log="xy")
        top.plot(sizes, stairs.latencies, "s-", color=style.COMPUTE, markersize=5)
        bottom.plot(stairs.bandwidth_sizes, stairs.bandwidths, "o--", color=style.MEMORY, markersize=6)
        for name, size in stairs.caches.items():
            if limits[0] < size < limits[1]:
                for ax in (top, bottom):
                    ax.axvline(size, color=style.MUTED, linewidth=1.2, linestyle=":")
                style.label(top, name, size, 3e-7, style.MUTED, ha="right")
        self.stairs = stairs
        self.marks = [style.dot(ax, style.OTHER, 12, "D") for ax in (top, bottom)]
        style.moving(*self.marks)

    def show(self, size):
        """`size`: a working set [byte]; the nearest measured one is named."""
        s = self.stairs
        i, j = (
            int(np.argmin(np.abs(np.log(np.array(sizes) / size)))) for sizes in (s.latency_sizes, s.bandwidth_sizes)
        )
        self.marks[0].set_data([s.latency_sizes[i]], [s.latencies[i]])
        self.marks[1].set_data([s.bandwidth_sizes[j]], [s.bandwidths[j]])
        return (
            f"{binary(s.latency_sizes[i])}: one access takes {si(s.latencies[i], 's')}, "
            f"{number(s.latencies[i] / s.latencies[0])} times the shortest. "
            f"Streaming {binary(s.bandwidth_sizes[j])}: {si(s.bandwidths[j], 'B/s')}."
        )
