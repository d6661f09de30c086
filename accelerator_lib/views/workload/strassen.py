"""What Strassen gains, and where it loses."""

import numpy as np

from accelerator_lib.units import counted
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves
from accelerator_lib.workload import strassen


class Strassen(Curves):
    """What Strassen gains over the ordinary product, with the bytes of its additions: below one it loses."""

    def __init__(self, sizes=(256, 262_144)):
        super().__init__(["one level", "levels of the slider"], "n", "speed-up", sizes, (0, 1.6))
        style.plain(self.ax.yaxis)
        self.ax.axhline(1, color=style.MUTED, linewidth=1.2)
        self.sizes = np.geomspace(*sizes, 120)

    def show(self, result):
        """`result`: (n, levels, chip, dtype)."""
        n, levels, chip, dtype = result
        curves, here = ([strassen.times(s, count, chip, dtype).gain for count in (1, levels)] for s in (self.sizes, n))
        self.draw(self.sizes, curves, n, here)
        verdict = "gains" if here[1] > 1 else "loses"
        return (
            f"{n:,} × {n:,} with {counted(levels, 'level')}: {here[1]:.2f} times as fast, so it "
            f"{verdict}. One level pays from n = {strassen.crossover(chip, dtype):,.0f} on this chip."
        )
