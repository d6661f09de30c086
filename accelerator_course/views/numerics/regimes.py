"""Ways to do one product in fewer bits: on the roofline, and how much faster each is."""

import numpy as np
from matplotlib.ticker import NullLocator

from accelerator_course.views import style
from accelerator_lib.units import counted, number, si

SLOPE, REACH = (0.5, 2e4), (2e11, 2e16)
MARKS = "ABCDEF"
MOST = 4.6
ROWS = (
    "A  bf16",
    "B  8-bit weights,\nbf16 maths",
    "C  4-bit weights,\nbf16 maths",
    "D  int8 maths, fused",
    "E  int8 maths, 4-bit\nweights, fused",
    "F  int8 maths, kernels\nof their own",
)
APART = 8, 1.3  # dots closer than this, as ratios along both axes, share one label


class Regimes:
    """Six ways to do a product: where each lies under the roofs, and its speed against bf16.

    >>> view = Regimes()
    >>> view.show(numerics.regimes(Gemm(1, 8192, 8192), "h100-sxm5"))
    >>> view.show(numerics.regimes(Gemm(4096, 8192, 8192), "h100-sxm5"))
    >>> view.show(numerics.regimes(Gemm(2048, 1024, 1024), "tpu-v4", 1e-5))
    """

    def __init__(self):
        self.figure = style.figure((8.0, 4.0))
        roof, bars = self.figure.subplots(1, 2, width_ratios=[1, 1])
        self.roof = style.dress(roof, "arithmetic intensity [FLOP/byte]", "throughput [FLOP/s]", SLOPE, REACH, log="xy")
        style.plain(roof.xaxis)
        self.slope = roof.plot([], [], color=style.MEMORY, linewidth=3)[0]
        self.flats = [
            roof.plot([], [], color=style.COMPUTE, linewidth=3, linestyle=dash)[0] for dash in ("-", (0, (4, 1.5)))
        ]
        self.peaks = [
            style.label(roof, ha="left", va=va, color=style.COMPUTE, fontweight="bold") for va in ("top", "bottom")
        ]
        self.dots = [style.dot(roof, size=9) for _ in MARKS]
        self.names = [style.label(roof, ha="left", va="top", fontweight="bold", size=11) for _ in MARKS]
        self.bars = style.dress(bars, "times as fast as bf16", "", (0, MOST), (-0.6, 5.6))
        style.plain(bars.xaxis)
        bars.xaxis.set_ticks([0, 1, 2, 3, 4])
        bars.yaxis.set_minor_locator(NullLocator())
        self.at = np.arange(6)[::-1]
        bars.set_yticks(self.at, ROWS)
        bars.tick_params(axis="y", labelsize=9.5)
        bars.grid(axis="y", visible=False)
        self.lengths = bars.barh(self.at, [0] * 6, 0.6, edgecolor="white", linewidth=0)
        self.one = bars.axvline(1, color=style.INK, linewidth=1, linestyle=":")
        self.words = [style.label(bars, y=y, va="center", fontweight="bold") for y in self.at]
        for word in (*self.words, *self.peaks):
            word.set_path_effects([])  # nothing lies behind them; each would cost a millisecond
        style.moving(self.slope, *self.flats, *self.peaks, *self.dots, *self.names, *self.lengths, *self.words)

    def show(self, found):
        """`found`: {name: regimes.Regime}."""
        made = list(found.values())
        self._draw_roof(made)
        seen = []
        for dot, name, mark, one in zip(self.dots, self.names, MARKS, made, strict=True):
            x, y = one.placed.intensity, one.placed.flops_per_s
            dot.set_data([x], [y])
            dot.set(color=style.BOUND[one.bound], marker=style.MARKER[one.bound])
            near = [other for other in seen if _near(x, other[0], APART[0]) and _near(y, other[1], APART[1])]
            if near:
                near[0][2].set_text(near[0][2].get_text() + mark)
            else:
                seen.append((x, y, name))
            name.set(position=(x * 1.15, y / 1.4), text="" if near else mark)
        for bar, word, one in zip(self.lengths, self.words, made, strict=True):
            bar.set_width(min(one.speedup, MOST))
            bar.set(facecolor=style.BOUND[one.bound], hatch="" if one.bound == "memory" else "..")
            word.set(x=min(one.speedup, MOST) + 0.06, text=f"{one.speedup:.2g}x" if one.speedup < 10 else "")
        return self._told(found)

    def _draw_roof(self, made):
        bandwidth = made[0].placed.bandwidth
        peaks = sorted({one.placed.peak: one.placed.dtype for one in reversed(made)}.items())
        corner = peaks[-1][0] / bandwidth
        self.slope.set_data([SLOPE[0], corner], [SLOPE[0] * bandwidth, peaks[-1][0]])
        for place, (flat, text) in enumerate(zip(self.flats, self.peaks, strict=True)):
            there = place < len(peaks)
            peak, dtype = peaks[place] if there else (1, "")
            flat.set_data([peak / bandwidth, SLOPE[1]] if there else [], [peak, peak] if there else [])
            lift = 1 / 1.25 if text.get_va() == "top" else 1.2
            kind = "bf16, int8" if len(peaks) == 1 else dtype
            rate = si(peak, "OP/s" if dtype == "int8" else "FLOP/s")
            text.set(position=(SLOPE[0] * 1.3, peak * lift), text=f"{rate} {kind}" if there else "")

    def _told(self, found):
        base, best = found["bf16"], max(found.values(), key=lambda one: one.speedup)
        own = list(found.values())[-1]
        work = base.placed.work
        return (
            f"{counted(work.m, 'row')}, {number(work.n)} × {number(work.k)} weights on {base.placed.chip.short_name}: "
            f"bf16 takes {si(base.seconds, 's')}, {base.bound}-bound. Fastest: {best.name}, {best.speedup:.2f}x; with "
            f"kernels of their own {own.speedup:.2f}x."
        )


def _near(a, b, ratio):
    return 1 / ratio < a / b < ratio
