"""A cache that evicts beside a store that keeps."""

import numpy as np

from accelerator_lib.memory import scratchpad
from accelerator_lib.units import number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class CacheOrScratchpad(Curves):
    """Hit rate of a repeated walk: an LRU cache falls off a cliff, a scratchpad that keeps what fits does not."""

    def __init__(self, capacity_kib=32):
        names = ["LRU cache", "scratchpad"]
        super().__init__(names, "array [KiB]", "hit rate", (4, 1024), (0, 1.0), legend="upper right")
        style.percents(self.ax.yaxis)
        self.capacity = capacity_kib * 1024
        self.ax.axvline(capacity_kib, color=style.MUTED, linewidth=1.2)
        style.label(self.ax, f"capacity {capacity_kib} KiB", capacity_kib * 1.05, 0.03, style.MUTED)
        self.sizes = np.geomspace(4, 1024, 300)

    def show(self, result):
        """`result`: (array [KiB], passes)."""
        kib, passes = result
        rates = [scratchpad.hit_rates(size * 1024, self.capacity, passes) for size in self.sizes]
        cache, pad = scratchpad.hit_rates(kib * 1024, self.capacity, passes)
        self.draw(self.sizes, np.transpose(rates), kib, [cache, pad])
        rates = f"the cache hits {percent(cache)}, the scratchpad {percent(pad)} of the time"
        return f"{number(kib)} KiB, {passes} passes: {rates}."
