"""Choices of formats: ways to do one product, a model's parts in one memory."""

import numpy as np

from accelerator_course.views.charts import Rows, ground, signs
from accelerator_course.views.kit import Chart, spots, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, number, percent, si

MARKS = "ABCDEF"
FASTEST = 4.6
ROWS = ("A  bf16",), ("B  8-bit weights,", "bf16 maths"), ("C  4-bit weights,", "bf16 maths"), ("D  int8 maths, fused",)
ROWS += ("E  int8 maths, 4-bit", "weights, fused"), ("F  int8 maths, kernels", "of their own")
NAMES = [" ".join(row) for row in ROWS]
APART = 8, 1.3  # dots closer than this, as ratios along both axes, share one label


class Regimes(Stage):
    """Six ways to do a product: where each lies under the roofs, and its speed against bf16.

    >>> view = Regimes()
    >>> view.show(numerics.regimes(Gemm(1, 8192, 8192), "h100-sxm5"))
    >>> view.show(numerics.regimes(Gemm(4096, 8192, 8192), "h100-sxm5"))
    >>> view.show(numerics.regimes(Gemm(2048, 1024, 1024), "tpu-v4", 1e-5))
    """

    size, noun = (800, 400), "setting"
    blind = False  # whether a guess comes first: only bf16 is drawn

    def marks(self, found):  # {name: regimes.Regime}
        made = list(found.values())
        seen = made[:1] if self.blind else made
        return [*self._roofs(made), *self._dots(seen), *self._speeds(seen)]

    def say(self, found):
        base, best = found["bf16"], max(found.values(), key=lambda one: one.speedup)
        own, work = list(found.values())[-1], base.placed.work
        said = f"{counted(work.m, 'row')}, {number(work.n)} × {number(work.k)} weights on "
        said += f"{base.placed.chip.short_name}: bf16 takes {si(base.seconds, 's')}, {base.bound}-bound. Fastest: "
        return said + f"{best.name}, {best.speedup:.2f}x; with kernels of their own {own.speedup:.2f}x."

    def _roofs(self, made):
        """One slope, and a flat part for each peak: all but the lowest dashed."""
        self.chart = chart = Chart((64, 392), (342, 34), (0.5, 2e4), (2e11, 2e16), "xy", inside=True, name="roof")
        bandwidth, (left, right), floor = made[0].placed.bandwidth, chart.scales[0], chart.scales[1][0]
        peaks = sorted({one.placed.peak: one.placed.dtype for one in reversed(made)}.items())
        start, corner = max(left, floor / bandwidth), peaks[-1][0] / bandwidth
        ends, rate, said = ([start, corner], [start * bandwidth, peaks[-1][0]]), si(bandwidth, "B/s"), []
        yield from ground(chart, "arithmetic intensity [FLOP/byte]", "throughput [FLOP/s]")
        yield chart.line("slope", *ends, "memory line", 3, "bandwidth", rate)
        for place, (peak, dtype) in enumerate(peaks):
            kind = "bf16, int8" if len(peaks) == 1 else dtype
            rate = f"{si(peak, 'OP/s' if dtype == 'int8' else 'FLOP/s')} {kind}"
            role = f"compute line{' dashed' * place}"
            yield chart.line(f"flat {place}", [peak / bandwidth, right], [peak] * 2, role, 3, "peak", rate)
            lift = 14 if place == 0 and len(peaks) > 1 else -14
            said.append((chart.across[0] + 8, float(chart.y(peak)) + lift, rate, "compute bold start"))
        yield words("peaks", *said)

    def _dots(self, made):
        """A dot for each way, at the rate of its whole time, and its letter; dots that are close share one label."""
        x, y = [one.placed.intensity for one in made], [one.rate for one in made]
        low, *_, high = [one.placed.peak for one in (made[0], *made)]
        (roles, shapes, *_), seen = zip(*(LIMITS[one.bound] for one in made), strict=True), []
        for mark, a, b in zip(MARKS[: len(made)], x, y, strict=True):
            near = [marks for c, d, marks in seen if max(a / c, c / a) < APART[0] and max(b / d, d / b) < APART[1]]
            if near:
                near[0].append(mark)
            else:
                seen.append((a, b, [mark]))
        says = [f"{number(a)} FLOP/byte, {si(b, 'FLOP/s')}" for a, b in zip(x, y, strict=True)]
        letters = []
        for a, b, own in sorted(seen, key=lambda one: -one[1]):
            under = (high > low) * (1 + (b > 0.99 * high)) * (b > 1.05 * low)  # the lower roof, between both, over both
            side, lift, end = ((8, 13, "start"), (-8, 0, "end"), (8, -13, "start"))[under]
            left, height, text = float(self.chart.x(a)) + side, float(self.chart.y(b)) + lift, "".join(own)
            while any(abs(left - at) < 44 and abs(height - y) < 15 for at, y, *_ in letters):
                height += 4
            letters.append((left, height, text, f"ink bold {end}", 14))
        yield signs(self.chart, "dots", range(len(made)), x, y, shapes, roles, NAMES[: len(made)], says, 0.9)
        yield words("letters", *letters)

    def _speeds(self, made):
        rows = Rows(NAMES, (0, FASTEST), 34, 51, left=566, right=746, foot=2, size=1)
        chart, roles = rows.chart, [LIMITS[one.bound].role for one in made]
        said = [f"{one.speedup:.2g}x" if one.speedup < 10 else "" for one in made]
        yield from rows.frame("times as fast as bf16", range(5), [str(one) for one in range(5)])[:-1]
        left, one = chart.across[0] - 10, float(chart.x(1))
        each = zip(rows.y, ROWS, strict=True)
        parts = [(y + 16 * place - 8 * (len(row) - 1), part) for y, row in each for place, part in enumerate(row)]
        yield words("names", *((left, y, part, "ink end", 12) for y, part in parts))
        yield from rows.drawn([one.speedup for one in made], said, (0, FASTEST), 30, roles, beyond=one + 6)
        yield lines("one", [0], one, chart.up[1], one, chart.up[0], "ink dotted", 1.2)


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
    PARTS = {"attention": ("memory", "attention"), "gate and up": ("compute", "gate and up")}  # (role, its words)
    PARTS |= {"down": ("other", "down"), "cache": ("good", "key-value cache"), "rest": ("muted", "rest, bf16")}

    def marks(self, state):  # budget.Spent
        scale, left, right = self.WIDE / self.MOST, self.LEFT, self.RIGHT
        room, used, over = state.limit_bytes * scale, state.bytes_stored * scale, "good" if state.fits else "bad"
        limit, low, noise = left + room, self.TOP + self.HIGH + 18, self.NOISE - 18
        sizes = {part: si(value, "B") for part, value in state.bytes_by_part.items()}
        shares = {part: percent(value) for part, value in state.noise_shares.items()}
        step = si(state.step_seconds, "s")
        yield boxes("room", [0], left, self.TOP - 8, room, self.HIGH + 16, "muted tint")
        yield lines("limit", [0], limit, self.TOP - 18, limit, low, over, 3)
        yield boxes("over", [0] * (used > room), limit, self.TOP - 8, used - room, self.HIGH + 16, "bad line dashed")
        yield from self._stack("bytes", state.bytes_by_part, self.TOP, self.HIGH, scale, sizes, 62)
        yield from self._stack("noise", state.noise_shares, self.NOISE, self.NOISE_HIGH, self.WIDE, shares, 44)
        # What each colour is and how it is stored; in two rows
        stored = dict(zip(self.PARTS, state.choice, strict=False))
        roles, place = [role for role, _ in self.PARTS.values()], np.arange(len(self.PARTS))
        said = [f"{word}: {stored[part]}" if part in stored else word for part, (_, word) in self.PARTS.items()]
        x, y = self.LEFT + 236 * (place % 3), self.NOISE + self.NOISE_HIGH + 30 + 26 * (place // 3)
        yield spots("legend", place, x + 8, y, 16, roles)
        yield texts("parts", place, x + 22, y, said, "ink start", 14)
        yield words(
            "words",
            (left, 24, "bytes", "ink bold start", 15),
            (left, noise, "noise, by source", "ink bold start", 15),
            (left, 340, "every step reads all bytes once", "ink start", 14),
            (right, 24, si(state.bytes_stored, "B"), f"{over} bold end", 17),
            (right, noise, f"{state.snr_db:.1f} dB", "ink bold end", 17),
            (right, 340, f"{step} a step", "ink bold end", 17),
            (limit + 8, low, f"room: {si(state.limit_bytes, 'B')}", f"{over} bold start"),
        )

    def _stack(self, name, parts, top, high, scale, said, room):
        """Boxes side by side, as wide as their numbers; words only where they are wider than `room`."""
        wide = scale * np.array(list(parts.values()))
        x, keys = self.LEFT + np.append(0, wide.cumsum()[:-1]), list(parts)
        inside = [said[part] if one > room else "" for part, one in zip(keys, wide, strict=True)]
        roles = [self.PARTS[part][0] for part in keys]
        yield boxes(name, keys, x, top, wide, high, roles, who=keys, says=[said[part] for part in keys])
        yield texts(f"{name} said", keys, x + wide / 2, top + high / 2, inside, "paper bold")

    def say(self, state):
        room, worst = "fits" if state.fits else "does not fit", state.noisiest
        stored = dict(zip(self.PARTS, state.choice, strict=False))[worst]
        said = f"{si(state.bytes_stored, 'B')}: {room} into {si(state.limit_bytes, 'B')}. {state.snr_db:.1f} dB, "
        said += f"{si(state.step_seconds, 's')} a step; {percent(state.noise_shares[worst])} of the noise is from "
        return said + f"{self.PARTS[worst][1]} in {stored}."
