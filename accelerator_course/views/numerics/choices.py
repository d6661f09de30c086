"""Choices of formats: ways to do one product, bits against signal, a model's parts in one memory."""

import numpy as np
from matplotlib.ticker import NullLocator

from accelerator_course.views import style
from accelerator_course.views.kit import spots, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si

SLOPE, REACH = (0.5, 2e4), (2e11, 2e16)
MARKS = "ABCDEF"
FASTEST = 4.6
ROWS = (
    "A  bf16",
    "B  8-bit weights,\nbf16 maths",
    "C  4-bit weights,\nbf16 maths",
    "D  int8 maths, fused",
    "E  int8 maths, 4-bit\nweights, fused",
    "F  int8 maths, kernels\nof their own",
)
APART = 8, 1.3  # dots closer than this, as ratios along both axes, share one label
SCALES = {
    "e8m0": ("o", style.MEMORY),
    "e4m3": ("s", style.COMPUTE),
    "fp16": ("^", style.OTHER),
    "fp32": ("D", style.GOOD),
}
NAMED = {"e8m0": "power of two", "e4m3": "E4M3 under FP32", "fp16": "FP16", "fp32": "FP32"}


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
        self.bars = style.dress(bars, "times as fast as bf16", "", (0, FASTEST), (-0.6, 5.6))
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
            bar.set_width(min(one.speedup, FASTEST))
            bar.set(facecolor=style.BOUND[one.bound], hatch="" if one.bound == "memory" else "..")
            word.set(x=min(one.speedup, FASTEST) + 0.06, text=f"{one.speedup:.2g}x" if one.speedup < 10 else "")
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


class TradeOff:
    """Every element, block and scale: stored bits of an element and signal to noise, and one of them here.

    >>> view = TradeOff()
    >>> t = numerics.tradeoff
    >>> at = lambda e, b, s, d: (t.choice(e, b, s, d), t.choices(d), t.front(d))
    >>> view.show(at("e2m1", 16, "e4m3", "normal"))
    >>> view.show(at("int8", 1024, "fp32", "t3"))
    >>> view.show(at("int4", 8, "e8m0", "outlier channels"))
    """

    def __init__(self):
        self.figure, ax = style.axes("stored bits of an element", "signal to noise [dB]", (3.7, 12.3), (-2, 54))
        style.plain(ax.xaxis)
        self.ax = ax
        self.dots = {
            scale: ax.plot([], [], mark, color=color, markersize=5, alpha=0.75, label=f"scale: {NAMED[scale]}")[0]
            for scale, (mark, color) in SCALES.items()
        }
        self.front = ax.plot([], [], color=style.INK, linewidth=1.6, drawstyle="steps-post", label="front")[0]
        self.here = ax.plot([], [], "o", color=style.INK, markersize=15, markerfacecolor="none", markeredgewidth=2.5)[0]
        self.word = style.label(ax, fontweight="bold", va="top", ha="left", size=11)
        ax.legend(frameon=False, fontsize=9.5, loc="lower right")
        style.moving(*self.dots.values(), self.front, self.here, self.word)

    def show(self, result):
        """`result`: (tradeoff.Choice, all of them, those of the front)."""
        here, every, front = result
        for scale, dots in self.dots.items():
            mine = [one for one in every if one.scale == scale]
            dots.set_data([one.bits for one in mine], [one.snr_db for one in mine])
        self.front.set_data([one.bits for one in front], [one.snr_db for one in front])
        self.here.set_data([here.bits], [here.snr_db])
        left = here.bits > 9
        self.word.set(
            position=(here.bits + (-0.25 if left else 0.25), here.snr_db - 1.5), ha="right" if left else "left"
        )
        self.word.set_text(f"{here.element}, {here.block}, {NAMED[here.scale]}")
        better = [one for one in every if one.beats(here)]
        place = "on the front" if not better else f"better in bits and signal: {len(better)}"
        zeros = percent(here.zero_share) if here.zero_share else "none"
        return (
            f"{here.element} in blocks of {here.block}, scale {NAMED[here.scale]}: {number(here.bits)} bits, "
            f"{here.snr_db:.1f} dB, {zeros} of the values became 0; {place}."
        )


class Spending(Stage):
    """A budget of bits: bytes of each part in the memory of one chip, and its share of the noise.

    >>> view = Spending()
    >>> view.show(numerics.budget.spend(("bf16",) * 4))
    >>> view.show(numerics.budget.spend(("int8 b128", "nvfp4", "nvfp4", "int8 b128")))
    >>> view.show(numerics.budget.spend(("int4 b128", "bf16", "mxfp4", "e4m3")))
    """

    size, noun = (740, 372), "choice"
    LEFT, WIDE, RIGHT, MOST = 24, 690, 716, 190e9  # pixels of the widest stack of bytes
    TOP, HIGH = 62, 62
    NOISE, NOISE_HIGH = 196, 46
    PARTS = {  # name: (role, its words)
        "attention": ("memory", "attention"),
        "gate and up": ("compute", "gate and up"),
        "down": ("other", "down"),
        "cache": ("good", "key-value cache"),
        "rest": ("muted", "rest, bf16"),
    }

    def marks(self, state):
        """`state`: budget.Spent."""
        scale, left, right = self.WIDE / self.MOST, self.LEFT, self.RIGHT
        room, used, over = state.limit_bytes * scale, state.bytes_stored * scale, "good" if state.fits else "bad"
        limit, low, noise = left + room, self.TOP + self.HIGH + 18, self.NOISE - 18
        sizes = {part: si(value, "B") for part, value in state.bytes_by_part.items()}
        shares = {part: percent(value) for part, value in state.noise_shares.items()}
        step = si(state.step_seconds, "s")
        return [
            boxes("room", [0], left, self.TOP - 8, room, self.HIGH + 16, "muted tint"),
            lines("limit", [0], limit, self.TOP - 18, limit, low, over, 3),
            boxes("over", [0] * (used > room), limit, self.TOP - 8, used - room, self.HIGH + 16, "bad line dashed"),
            *self._stack("bytes", state.bytes_by_part, self.TOP, self.HIGH, scale, sizes, 62),
            *self._stack("noise", state.noise_shares, self.NOISE, self.NOISE_HIGH, self.WIDE, shares, 44),
            *self._legend(state),
            words(
                "words",
                (left, 24, "bytes", "ink bold start", 15),
                (left, noise, "noise, by where it comes from", "ink bold start", 15),
                (left, 340, "every step reads all of it once", "ink start", 14),
                (right, 24, si(state.bytes_stored, "B"), f"{over} bold end", 17),
                (right, noise, f"{state.snr_db:.1f} dB", "ink bold end", 17),
                (right, 340, f"{step} a step", "ink bold end", 17),
                (limit + 8, low, f"room: {si(state.limit_bytes, 'B')}", f"{over} bold start"),
            ),
        ]

    def _stack(self, name, parts, top, high, scale, said, room):
        """Boxes side by side, as wide as their numbers; words only where they are wider than `room`."""
        wide = scale * np.array(list(parts.values()))
        x, keys = self.LEFT + np.append(0, wide.cumsum()[:-1]), list(parts)
        inside = [said[part] if one > room else "" for part, one in zip(keys, wide, strict=True)]
        roles = [self.PARTS[part][0] for part in keys]
        return [
            boxes(name, keys, x, top, wide, high, roles, who=keys, says=[said[part] for part in keys]),
            texts(f"{name} said", keys, x + wide / 2, top + high / 2, inside, "paper bold"),
        ]

    def _legend(self, state):
        """What each colour is and how it is stored; in two rows."""
        stored = dict(zip(self.PARTS, state.choice, strict=False))
        said = [
            (role, f"{word}: {stored[name]}" if name in stored else word) for name, (role, word) in self.PARTS.items()
        ]
        place, (roles, said) = np.arange(len(said)), zip(*said, strict=True)
        x, y = self.LEFT + 236 * (place % 3), self.NOISE + self.NOISE_HIGH + 30 + 26 * (place // 3)
        return [spots("legend", place, x + 8, y, 16, roles), texts("parts", place, x + 22, y, said, "ink start", 14)]

    def say(self, state):
        room, worst = "fits" if state.fits else "does not fit", state.noisiest
        stored = dict(zip(self.PARTS, state.choice, strict=False))[worst]
        return (
            f"{si(state.bytes_stored, 'B')}: {room} into {si(state.limit_bytes, 'B')}. {state.snr_db:.1f} dB, "
            f"{si(state.step_seconds, 's')} a step; {percent(state.noise_shares[worst])} of the noise is from "
            f"{self.PARTS[worst][1]} in {stored}."
        )
