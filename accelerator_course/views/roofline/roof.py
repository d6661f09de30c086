"""Pictures of the roofline itself: one kernel on its chip, several of them."""

import numpy as np

from accelerator_course.views.charts import ground, signs
from accelerator_course.views.kit import Chart, shares, wide, words
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.stage import Stage, boxes, lines
from accelerator_lib.units import number, percent, si

LEFT, RIGHT, TOP, FLOOR = 68, 730, 34, 372  # of the plot [px]


class Roof:
    """Log-log axes with one roof: a slope (memory, blue), a flat part (compute, orange), the ridge between."""

    def __init__(self, intensity, flops_per_s, chart=None):
        self.chart = chart or Chart((LEFT, RIGHT), (FLOOR, TOP), intensity, flops_per_s, log="xy", inside=True)

    def marks(self, placed, thick=None, put=lambda *rows: [words(*rows)]):
        """The axes and the roof of a Placed; `thick` names the part that binds; `put` lays words."""
        chart, ends = self.chart, corner(self.chart, placed.peak, placed.bandwidth, placed.ridge_point)
        (x, y), (cx, cy) = ends
        (left, right), rate = chart.across, f"{si(placed.peak, unit(placed.dtype))}, {placed.dtype}"
        size = {bound: 5 if thick == bound else 2 for bound in LIMITS}
        ridge, slope = f"ridge {number(placed.ridge_point)} FLOP/byte", si(placed.bandwidth, "B/s")
        aside = cx - left > 0.35 * (right - left)  # at the left edge the words would run into the axis
        long, ends = wide(ridge), ("end" if aside else "start")
        right_of_ridge = cx - 6 if aside else cx + 6 + long
        end = min(max(x + 0.45 * (cx - x) - 10, left + wide(slope) + 8), right)
        along = y + (cy - y) * min(1, (end - x) / max(cx - x, 1)) - 12
        along -= 36 * (end > cx - (long if aside else 0) and along > cy - 26)
        above = cy - (36 if right - 4 - 1.1 * wide(rate) < right_of_ridge else 14)
        names = "arithmetic intensity [FLOP/byte], logarithmic", "throughput [FLOP/s], logarithmic"
        yield from ground(chart, *names)
        yield lines("slope", [0], x, y, cx, cy, "memory", size["memory"], "bandwidth", slope)
        yield lines("flat", [0], cx, cy, right, cy, "compute dashed", size["compute"], "peak", rate)
        yield from put(
            "roof",
            (cx - 6 if aside else cx + 6, cy - 14, ridge, f"ink bold {ends}"),
            (end, max(along, chart.up[1] + 8), slope, "memory end"),
            (right - 4, above, rate, "compute end"),
        )

    def dots(self, name, placed, who, dtype, factor=1.1):
        """A round blue dot of each Placed that waits for bytes, an orange square of each that multiplies."""
        x, y = [one.intensity for one in placed], [one.flops_per_s for one in placed]
        roles, shapes, *_ = zip(*(LIMITS[one.bound] for one in placed), strict=True)
        says = [f"{number(one.intensity)} FLOP/byte, {si(one.flops_per_s, unit(dtype))}" for one in placed]
        return signs(self.chart, name, range(len(x)), x, y, shapes, roles, who, says, factor)


def corner(chart, peak, bandwidth, ridge_point):
    """Where the slope begins and where it meets the flat part, within a chart: pixels."""
    (low, high), (floor, top) = chart.scales
    start = min(max(low, floor / bandwidth), high)
    ridge = min(max(ridge_point, start), high)
    ends = (start, start * bandwidth), (ridge, min(peak, ridge * bandwidth, top))
    return tuple((float(chart.x(x)), float(chart.y(y))) for x, y in ends)


def unit(dtype):
    """Integer work is counted in OP, not FLOP."""
    return "OP/s" if dtype.startswith("int") else "FLOP/s"


class Roofline(Stage):
    """One kernel on one chip's roof; the part that binds is thick, the paper takes its colour.

    >>> view = Roofline()
    >>> view.show(roofline.place(Gemm(1, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(512, 8192, 8192), "h100-sxm5"))
    >>> view.show(roofline.place(Gemm(16384, 8192, 8192), "h100-sxm5", overlap=False))
    >>> view.show(roofline.place(Gemm(2, 8192, 8192), "tpu-v4"))
    """

    size, noun = (760, 424), "setting"

    def __init__(self, intensity=(0.1, 1e4), flops_per_s=(1e10, 1e17)):
        self.roof = Roof(intensity, flops_per_s)

    def marks(self, placed):  # roofline.Placed
        self.at, chart, role = placed.intensity, self.roof.chart, LIMITS[placed.bound].role
        x, y, roof = (float(one) for one in (chart.x(self.at), chart.y(placed.flops_per_s), chart.y(placed.roof)))
        reach = si(placed.flops_per_s, unit(placed.dtype))
        late, low = x + 18 + 1.1 * wide(reach, 14) > self.size[0] - 6, y > FLOOR - 32
        side, place = ("end", x - 16) if late else ("start", x + 16)
        yield boxes("paper", [0], LEFT, TOP, RIGHT - LEFT, FLOOR - TOP, f"{role} soft faint")
        yield from self.roof.marks(placed, placed.bound)
        yield lines("drop", [0], x, roof, x, FLOOR, "muted dotted", 1.4)
        yield self.roof.dots("dot", [placed], "this kernel", placed.dtype)
        yield words("reach", (place, y + (-22 if low else 20), reach, f"{role} bold {side}", 14))

    def place(self, axis, value, row=None):
        """A throughput [FLOP/s], at the intensity of the kernel that is shown, as shares of the picture."""
        return shares(self.size, self.roof.chart.x(self.at), self.roof.chart.y(value))

    def say(self, placed):
        said = f"{number(placed.intensity)} FLOP per byte on {placed.chip.name} (ridge {number(placed.ridge_point)}): "
        said += f"{LIMITS[placed.bound].pace}. {si(placed.seconds, 's')}, {percent(placed.utilization)} of the "
        return said + f"{placed.peak_unit} unit's {placed.dtype} peak."


class Kernels(Stage):
    """Several named kernels on one roof; round and blue are memory-bound, square and orange compute-bound.

    >>> view, works = Kernels(), {f"{m:,} rows": Gemm(m, 8192, 8192) for m in (1, 64, 4096)}
    >>> view.show(roofline.place_all(works, "h100-sxm5"))
    >>> view.show(roofline.place_all({"one row": Gemm(1, 8192, 8192), **works}, "a100-80gb-sxm"))
    """

    size, noun = (760, 424), "setting"

    def __init__(self, labels=6, intensity=(0.1, 1e4), flops_per_s=(1e10, 1e17)):
        """At most so many dots are labelled: of more kernels, some from end to end of the intensities."""
        self.labels, self.roof = labels, Roof(intensity, flops_per_s)

    def marks(self, group):  # roofline.Group
        names, placed = zip(*group.kernels, strict=True)
        yield from self.roof.marks(placed[0])
        yield self.roof.dots("dots", placed, names, placed[0].dtype, 0.8)
        # Names to the lower right of their dots; one in the way of another goes lower, none below the axis
        ordered = sorted(dict(group.kernels).items(), key=lambda pair: pair[1].intensity)
        chosen = np.unique(np.linspace(0, len(ordered) - 1, self.labels).round().astype(int))
        taken, made = [], []  # (left, right, height) of the names so far
        for name, placed in (ordered[index] for index in chosen):
            x, y = float(self.roof.chart.x(placed.intensity)), float(self.roof.chart.y(placed.flops_per_s))
            long, side = wide(name, 12), "start" if x + 10 + wide(name, 12) < RIGHT else "end"
            left = x + 10 if side == "start" else x - 10 - long
            height, way = (y + 14, 4) if y + 14 < FLOOR - 8 else (y - 14, -4)
            while any(left < to and start < left + long and abs(height - at) < 14 for start, to, at in taken):
                height, way = (y - 14, -4) if way > 0 and height + way > FLOOR - 8 else (height + way, way)
            taken.append((left, left + long, height))
            role = f"{LIMITS[placed.bound].role} {side}"
            made.append((left if side == "start" else left + long, height, name, role, 12))
        yield words("names", *made)

    def say(self, group):
        placed = [p for _, p in group.kernels]
        said = f"{len(group.waiting)} of {len(placed)} kernels are memory-bound on {placed[0].chip.name}; they do "
        return said + f"{percent(group.waiting_share)} of the FLOP."
