"""Where time goes: a trace as profilers draw it, a frame by stages, versions of a program, what one change brings."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent, si

WHAT = {  # of a span: role, word in the legend, whose it is, what the pointer reads
    "prepare": ("memory tint", "prepares a batch", "batch", "prepares batch {}"),
    "wait": ("bad tint", "waits", "host", "the host waits, step {}"),
    "copy": ("memory", "copies", "copy", "copies batch {}"),
    "launch": ("other", "launches", "host", "launches a kernel of step {}"),
    "kernel": ("compute", "runs a kernel", "GPU", "kernel of step {}"),
}
PARAMETERS = {
    "load_s": "a worker loads a batch in",
    "workers": "workers",
    "launch_s": "time of a launch",
    "kernels": "kernels a step",
    "arithmetic_s": "arithmetic of a kernel",
    "memory_s": "memory traffic of a kernel",
    "waits": "host waits after each kernel",
    "pinned": "copies from pinned memory",
}


class Timeline(Stage):
    """A trace and its parameters: loader, host, copies, GPU; how busy arithmetic and memory are; what a fix changed.

    >>> view = Timeline()
    >>> view.show(codesign.traces.trace("A")), view.show(codesign.traces.trace("C"))
    >>> view.show(codesign.traces.trace("D", "half the bytes"))
    """

    size, noun = (760, 532), "setting"
    left, right, high = 136, 744, 34
    lanes = {"loader": 48, "host": 108, "copy": 160, "GPU": 212}  # upper edges

    def marks(self, trace):
        """`trace`: codesign.traces.Trace."""
        scale, y = (self.right - self.left) / trace.window, np.array(list(self.lanes.values()))
        names, key = list(self.lanes), [(role, said) for role, said, _, _ in WHAT.values()]
        yield boxes("lanes", names, self.left, y, self.right - self.left, self.high, "muted soft")
        yield texts("lane-words", names, 10, y + self.high / 2, names, "ink bold start", 14)
        # Loader's spans in thin rows, one for each worker; what lies beyond the window is cut off
        spans = [span for span in trace.spans if span.start < trace.window]
        start, step = np.array([span.start for span in spans]), np.array([span.step for span in spans])
        wide = scale * (np.minimum([span.end for span in spans], trace.window) - start)
        loads, workers = np.array([span.lane == "loader" for span in spans]), min(trace.job.workers, 8)
        high = np.where(loads, self.high / workers, self.high)
        y = np.array([self.lanes[span.lane] for span in spans]) + np.where(loads, step % workers * high, 0)
        long = np.maximum(wide - np.minimum(1, 0.25 * wide), 0.4)
        kind = [list(WHAT).index(span.what) for span in spans]
        number_of = np.where(loads & (long > 14) & (high > 14), step + 1, 0)
        said, roles = pick(["", *map(str, range(1, 9))], number_of), pick([role for role, *_ in WHAT.values()], kind)
        who = [f"batch {one.step + 1}" if one.lane == "loader" else WHAT[one.what][2] for one in spans]
        says, x = [WHAT[one.what][3].format(one.step + 1) for one in spans], self.left + scale * start
        yield boxes("spans", range(len(x)), x, y + 2, long, high - 3, roles, said, 12, who, says)
        yield from self._meter("arithmetic", 290, trace, trace.arithmetic_share, "compute tint", scale)
        yield from self._meter("memory", 348, trace, trace.memory_share, "memory tint", scale)
        window, y = 1e3 * trace.window, 396
        ticks = np.arange(0, window, next(one for one in (1, 2, 5, 10, 20, 50) if window / one <= 11))
        x = self.left + scale * ticks / 1e3
        yield words("title", (10, 22, f"trace {trace.name}", "ink bold start", 16))
        yield lines("axis", [0], self.left, y, self.right, y, "muted", 1.2)
        yield texts("ticks", ticks.astype(int), x, y + 13, [f"{t:g}" for t in ticks], "muted", 12)
        yield words("unit", (10, y + 13, "time [ms]", "muted start", 12))
        yield from legend("key", self.left, 432, key, size=12)
        yield from self._parameters(trace)

    def _meter(self, name, top, trace, share, role, scale):
        """How much of its best the GPU reaches while kernels run."""
        kernels = [span for span in trace.of("GPU") if span.start < trace.window]
        start, tall = np.array([span.start for span in kernels]), self.high * share
        wide = scale * (np.minimum([span.end for span in kernels], trace.window) - start)
        who, says = f"{name} of the GPU", f"{percent(share)} of its best while a kernel runs"
        x, y, keys = self.left + scale * start, top + self.high - tall, range(len(kernels))
        head = [(f"GPU: {name}", "ink bold start", 13), "share of its best"]
        yield boxes(f"{name}-back", [0], self.left, top, self.right - self.left, self.high, "muted soft")
        yield boxes(f"{name}-meter", keys, x, y, wide, tall, role, who=who, says=says)
        yield below(f"{name}-word", 10, top + 10, head, 16, "muted start", 12)

    def _parameters(self, trace):
        """Two columns of four; what a fix has changed, with what it was."""
        said = []
        for name, what in PARAMETERS.items():
            now, before = getattr(trace.job, name), getattr(trace.before, name)
            was = f" (was {_value(name, before)})" if now != before else ""
            said.append((f"{what}: {_value(name, now)}{was}", "good bold start" if was else "ink start"))
        return [below(f"parameters {x}", x, 462, part, 17, size=12) for x, part in ((10, said[:4]), (386, said[4:]))]

    def say(self, trace):
        arithmetic, memory = percent(trace.arithmetic_share), percent(trace.memory_share)
        return (
            f"Trace {trace.name}: a step takes {si(trace.step_seconds, 's')}; the GPU runs a kernel "
            f"{percent(trace.busy)} of the time, at {arithmetic} of its arithmetic and {memory} of its memory’s rate."
        )


def _value(name, value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return si(value, "s") if name.endswith("_s") else number(value)


class FrameTime(Stage):
    """One frame of a detector: what each stage takes, before any repair and now, beside a limit of 10 ms.

    >>> view = FrameTime()
    >>> view.show(codesign.detector.answer()), view.show(codesign.detector.answer(half=True, compiled=True))
    >>> view.show(codesign.detector.answer(True, True, True, True))
    """

    size, noun = (760, 372), "setting"
    chart = Chart((30, 730), (300, 56), (0, 32), (0, 1))  # milliseconds
    roles = {
        "preprocess": "memory",
        "copy": "muted",
        "launches": "other",
        "products": "compute",
        "element-wise": "compute tint",
        "boxes": "memory tint",
    }

    def marks(self, answer):
        """`answer`: codesign.detector.Answer."""
        (left, right), (floor, top), limit = self.chart.across, self.chart.up, self.chart.x(answer.target_ms)
        ticks, head = np.arange(0, 31, 5), "with your repairs" if answer.repairs else "no repair yet"
        said = [f"{t} ms" if t else "0" for t in ticks]
        yield lines("limit", [0], limit, top, limit, floor, "bad dashed", 2)
        yield words("limit-word", (limit, top - 14, f"must be done: {number(answer.target_ms)} ms", "bad bold"))
        yield from self._bar("before", 92, answer.before, "as it was", answer.target_ms)
        yield from self._bar("now", 212, answer.stages, head, answer.target_ms)
        yield lines("axis", [0], left, floor, right, floor, "muted", 1.2)
        yield texts("ticks", ticks, self.chart.x(ticks), floor + 15, said, "muted", 12)
        yield from legend("key", left, floor + 51, [(role, _stage(name)) for name, role in self.roles.items()], size=12)

    def _bar(self, name, top, stages, head, target):
        took, who = np.array(list(stages.values())), [_stage(one) for one in stages]
        x, total = self.chart.x(np.cumsum(took) - took), took.sum()
        long, short = self.chart.x(took) - self.chart.x(0), [number(one) for one in took]
        said = [one if room > 16 + 7 * (len(one) - 1) else "" for one, room in zip(short, long, strict=True)]
        roles, says = [self.roles[one] for one in stages], [f"{number(one, 4)} ms" for one in took]
        look = "good bold start" if total <= target else "ink bold start"
        place = self.chart.x(target) + 14, top - 14
        yield words(f"{name}-head", (*place, f"{head}: {number(total, 4)} ms", look, 15))
        yield boxes(name, list(stages), x, top, long - 1, 46, roles, said, 14, who=who, says=says)

    def say(self, answer):
        verdict = "within 10 ms" if answer.in_time else f"{number(answer.late_ms, 4)} ms too slow"
        return (
            f"{number(answer.total_ms, 4)} ms a frame, {verdict}. The longest stage is now “{_stage(answer.longest)}”, "
            f"{number(answer.stages[answer.longest])} ms."
        )


def _stage(name):
    return "sort out boxes" if name == "boxes" else name


class Versions(Stage):
    """Seven versions of one program: rungs at the height of their speed, climbed one by one.

    >>> from accelerator_course.frames import codesign as frames
    >>> view, run = Versions(), list(frames.improved())
    >>> view.show(run[0]), view.show(run[3]), view.show(run[6])
    """

    size, noun = (760, 446), "rung"
    chart = Chart((96, 366), (412, 36), (0, 1), (1, 10**5.2), log="y")  # times the first version

    def marks(self, now):
        """`now`: Improved of frames.codesign."""
        reached, (left, right), (floor, top) = now.versions[: now.number], self.chart.across, self.chart.up
        y, last = self.chart.y([one.speedup for one in reached]), now.number - 1
        roles, thick = ["ink"] * last + ["compute"], [4] * last + [6]
        names = [f"{one.name}: {_seconds(one.seconds)}" for one in reached]
        says = [f"{number(one.speedup)} times the first, {number(one.gflop_s)} GFLOP/s" for one in reached]
        label, looks = y - 11 - (np.arange(len(y)) == last), [f"{role} bold start" for role in roles]
        keys = range(len(y))
        yield from self._scale(left, right)
        yield lines("rails", range(2), (left, right), floor, (left, right), top, "muted", 5)
        yield lines("rungs", keys, left, y, right, y, roles, thick, who=[one.name for one in reached], says=says)
        yield texts("names", keys, left + 12, label, names, looks)
        yield boxes(
            "climber", [0], right + 12, y[-1] - 9, 18, 18, "compute round", who="where you stand", says=says[-1]
        )
        yield from self._beside(now, right, y)

    def _scale(self, left, right):
        powers = np.arange(6)
        y = self.chart.y(10.0**powers)
        yield lines("decades", powers, left, y, right, y, "muted faint", 1)
        yield texts("ticks", powers, left - 12, y, [f"{each:,.0f}×" for each in 10.0**powers], "muted end", 12)

    def _beside(self, now, right, y):
        here, x, made = now.here, right + 82, f"{number(now.gain)} times" if now.gain else ""
        lines_ = [
            (x, 78, here.name, "compute bold start", 16),
            (x, 110, _times(here), "ink bold start", 16),
            (x, 140, f"{_seconds(here.seconds)} for the product", "ink start", 14),
            (x, 164, f"{percent(here.peak_share)} of the processor’s peak", "ink start", 14),
        ]
        if not made:
            return [words("beside", *lines_)]
        lines_.append((x, 212, f"this step alone: {made}", "compute bold start", 16))
        gain = lines("gain", [0], right + 46, y[-2], right + 46, y[-1], "compute", 8, "this step", f"{made} faster")
        return [words("beside", *lines_), gain]

    def say(self, now):
        here, gain = now.here, f", {number(now.gain)} times the rung below" if now.gain else ""
        return (
            f"Rung {now.number} of {len(now.versions)}, {here.name}: {_seconds(here.seconds)}{gain}, {_times(here)}, "
            f"{percent(here.peak_share)} of the peak."
        )


def _times(version):
    return f"{number(version.speedup)} times the first version" if version.speedup > 1 else "the first version"


def _seconds(seconds):
    return f"{number(seconds)} s" if seconds >= 1 else si(seconds, "s")


class Changes(Stage):
    """Changes: the time of a model as it is, and after each of some changes.

    >>> view = Changes()
    >>> view.show(codesign.worksheet.what_helps())
    >>> view.show(codesign.worksheet.what_helps(512, "a100-80gb-sxm"))
    >>> view.show(codesign.worksheet.what_helps(32768, "tpu-v5e", 1))
    """

    size, noun = (730, 350), "change"

    def marks(self, found):
        """`found`: {change: seconds}, the first without any."""
        (_, most), *rest = found.items()
        best, left, y = min(rest, key=lambda one: one[1])[0], 280, rows(56, 50, len(found))
        said = [si(value, "s") + " ★" * (name == best) for name, value in found.items()]
        roles = ["muted tint", *("good" if name == best else "memory tint" for name, _ in rest)]
        looks, names = ["good bold end" if name == best else "ink end" for name in found], list(found)
        long = [320 * value / most for value in found.values()]
        yield texts("names", names, left - 12, y, names, looks)
        yield from bars("bars", names, left, y, long, 32, roles, said, "ink bold start", names, said, size=14)

    def say(self, found):
        (first, now), *rest = found.items()
        best, after = min(rest, key=lambda one: one[1])
        others = ", ".join(f"{name} {si(value, 's')}" for name, value in rest if name != best)
        return f"{si(now, 's')} {first}. What helps most: {best}, {si(after, 's')}. The others: {others}."
