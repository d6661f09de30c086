"""The roofline built from empty axes, linear or logarithmic: two lines, a kernel's dot, published products."""

import numpy as np

from accelerator_course.views.charts import SHAPES
from accelerator_course.views.kit import Chart, shares, ticks, wide, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.roofline.roof import corner
from accelerator_course.views.stage import Stage, lines, paths, texts
from accelerator_lib.units import number, percent, si

FLOOR, TOP, LEFT, RIGHT = 372, 46, 96, 736  # of the plot [px]


class Axes(Stage):
    """A roofline, part by part: what binds is thick, a blue round dot waits for bytes, an orange square multiplies.

    >>> view, layer = Axes(), roofline.place(Gemm(1, 28672, 8192), "h100-sxm5")
    >>> view.show(frames.roofline.Roof(layer, "linear", "axes"))
    >>> view.show(frames.roofline.Roof(layer, "linear", "and the bandwidth"))
    >>> view.show(frames.roofline.Roof(layer, "linear", "and the peak"))
    >>> view.show(frames.roofline.Roof(layer, "linear"))
    >>> view.show(frames.roofline.Roof(roofline.place(Gemm(2048, 28672, 8192), "h100-sxm5")))
    >>> products, long = roofline.products("a100-80gb-sxm"), Gemm(802816, 192, 768)
    >>> here = roofline.place(long, "a100-80gb-sxm", "fp16")
    >>> view.show(frames.roofline.Roof(here, found=products, chosen=5, turns=True))
    """

    size, noun = (760, 424), "setting"
    blind = False  # whether a guess comes first: nothing that was measured is drawn

    def __init__(self, intensity=(0.5, 5000), flops_per_s=(1e12, 2e15), linear=((0, 3000), (0, 1.2e15))):
        """The ends of the logarithmic axes, then those of the linear ones."""
        self.ends = {"logarithmic": (intensity, flops_per_s), "linear": linear}
        sides = zip(linear, (intensity, flops_per_s), strict=True)
        self.ticks = [sorted({*ticks(*even, most=6), *ticks(*decades, log=True)}) for even, decades in sides]

    def marks(self, roof):  # frames.roofline.Roof
        placed, scale, log = roof.placed, roof.scale, roof.scale == "logarithmic"
        self.at = placed.intensity
        self.chart = chart = Chart((LEFT, RIGHT), (FLOOR, TOP), *self.ends[scale], log="xy" * log)
        # Ticks of both scales, so that they move to where the other scale has them; words where there is room
        for side, values, (low, high) in zip("xy", self.ticks, self.ends[scale], strict=True):
            inside = [value for value in values if max(low, 1e-30 * log) <= value <= high]
            native = {float(value) for value in ticks(low, high, log, 6)}
            at = (chart.x if side == "x" else chart.y)(np.array(inside))
            unit = 1 if side == "x" else 1e12
            said = [number(value / unit) if float(value) in native else "" for value in inside]
            if side == "x":
                yield lines("x grid", _keys(inside), at, TOP, at, FLOOR, "muted faint", 1)
                yield texts("x words", _keys(inside), at, FLOOR + 16, said, "muted", 12)
            else:
                yield lines("y grid", _keys(inside), LEFT, at, RIGHT, at, "muted faint", 1)
                yield texts("y words", _keys(inside), LEFT - 8, at, said, "muted end", 12)
        across = (LEFT + RIGHT) / 2, FLOOR + 40, f"arithmetic intensity [FLOP/byte], {scale} axis"
        yield lines("foot", range(2), LEFT, FLOOR, [RIGHT, LEFT], [FLOOR, TOP], "ink", 1.4)
        yield words("names", across, (16, 18, f"speed [TFLOP/s], {scale} axis"))
        if roof.parts > 1:
            (x, y), (cx, cy) = corner(chart, placed.peak, placed.bandwidth, placed.ridge_point)
            thick = {bound: 6 if roof.parts > 3 and placed.bound == bound else 2.5 for bound in LIMITS}
            near = roof.found or abs(self._dot_at(placed)[1] - (y + 0.42 * (cy - y))) < 26
            share = 0.75 if near else 0.42  # out of the way of dots
            place = x + share * (cx - x) + 14, y + share * (cy - y) + 8
            said = [(*place, f"slope: {si(placed.bandwidth, 'B/s')}", "memory bold start")]
            yield lines("slope", [0], x, y, cx, cy, "memory", thick["memory"], "bandwidth", si(placed.bandwidth, "B/s"))
            if roof.parts > 2:
                peak, late = si(placed.peak, "FLOP/s"), cx > 420
                yield lines("flat", [0], cx, cy, RIGHT, cy, "compute dashed", thick["compute"], "peak", peak)
                said.append((RIGHT - 4, cy - (36 if cx > RIGHT - 290 else 16), f"peak: {peak}", "compute bold end"))
                named = f"corner at {number(placed.ridge_point)} FLOP/byte"
                said.append((cx - 4 if late else cx, cy - 16, named, "ink bold " + ("end" if late else "start")))
            yield words("roof", *said)
        if roof.turns:
            yield from self._turns(roof)
        if roof.parts > 3:
            yield from self._dot(placed, not roof.found)
        if roof.found and not self.blind:
            yield from self._found(roof)

    def _dot_at(self, placed):
        return float(self.chart.x(placed.intensity)), float(self.chart.y(placed.flops_per_s))

    def _dot(self, placed, named):
        (x, y), bound = self._dot_at(placed), LIMITS[placed.bound]
        speed = si(placed.flops_per_s, "FLOP/s")
        late, below = x + 14 + 1.1 * wide(speed, 14) > self.size[0] - 14, y < FLOOR - 34
        role = f"{bound.role} bold {'end' if late else 'start'}"
        says = f"{number(placed.intensity)} FLOP/byte, {speed}"
        yield lines("drop", [0], x, y, x, FLOOR, "muted dotted", 1.4)
        yield paths("dot", [0], SHAPES[bound.sign], x, y, bound.role, 1, "this kernel", says)
        yield words("reach", (x + (-14 if late else 14), y + (22 if below else -18), speed if named else "", role, 14))

    def _turns(self, roof):
        """The line of kernels that fetch and compute in turns: below both others, by half at the corner."""
        low, high = self.chart.scales[0]
        x = np.geomspace(low, high, 60)
        said = "dotted: fetching and multiplying take turns"
        yield self.chart.line("turns", x, roof.in_turns(x), "other line dotted", 2.5, "in turns")
        yield words("turn words", (RIGHT - 10, FLOOR - 18, said, "other bold end"))

    def _found(self, roof):
        """Published products as open diamonds; the chosen one is filled, and hangs below the roof."""
        found, chart = roof.found, self.chart
        x, y = chart.x(found.intensity), chart.y(found.flops_per_s)
        names = [" × ".join(f"{size:,}" for size in shape) for shape in found.shapes]
        roles = ["good" if i == roof.chosen else "good line" for i in range(len(x))]
        says = [si(rate, "FLOP/s") for rate in found.flops_per_s]
        said = f"measured: {si(roof.measured, 'FLOP/s')}"
        late = x[roof.chosen] + 14 + 1.1 * wide(said, 14) > self.size[0] - 14
        place = float(x[roof.chosen]) + (-14 if late else 14), FLOOR - 46
        yield paths("found", range(len(x)), SHAPES["diamond"], x, y, roles, 2, names, says)
        yield words("measured", (*place, said, "good bold " + ("end" if late else "start"), 14))

    def place(self, axis, value, row=None):
        """Shares of the picture: a speed [FLOP/s] at the kernel's intensity, or an intensity over the whole height."""
        (low, most), (floor, top) = self.chart.scales
        if axis == "x":
            return shares(self.size, self.chart.x(min(max(value, low), most)), TOP, FLOOR)
        return shares(self.size, self.chart.x(self.at), self.chart.y(min(max(value, floor), top)))

    def say(self, roof):
        placed = roof.placed
        peak, rate = si(placed.peak, "FLOP/s"), si(placed.bandwidth, "B/s")
        if roof.parts == 1:
            return f"Both axes are {roof.scale}: FLOP for each byte grow to the right, FLOP in each second upwards."
        if roof.parts == 2:
            return f"Bytes arrive at {rate}: twice the FLOP for each byte allow twice the speed."
        if roof.parts == 3:
            meet = f"The lines meet at {number(placed.ridge_point)} FLOP/byte."
            return f"No kernel is faster than the peak, {peak}. {meet}"
        if roof.found:
            allowed, reached = si(placed.flops_per_s, "FLOP/s"), si(roof.measured, "FLOP/s")
            share = percent(roof.measured_share)
            return f"The roof allows {allowed}; a tuned library reached {reached}, {share} of the peak."
        said = f"{number(placed.intensity)} FLOP/byte on {placed.chip.name}: {LIMITS[placed.bound].decides}. "
        return said + f"It reaches {si(placed.flops_per_s, 'FLOP/s')}, {percent(placed.utilization)} of the peak."


def _keys(values):
    """A tick is the same mark on both scales."""
    return [f"{value:g}" for value in values]
