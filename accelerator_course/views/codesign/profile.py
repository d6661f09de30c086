"""Where time goes: a trace as profilers draw it, a frame by stages, versions of a program, what one change brings."""

import numpy as np

from accelerator_course.views.kit import Chart, bars, below, legend, pillars, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent, si

WHAT = {  # of a span: role, word in the legend, whose it is, what the pointer reads
    "prepare": ("memory tint", "prepares a batch", "batch", "prepares batch {}"),
    "wait": ("bad tint", "waits", "host", "the host waits, step {}"),
    "copy": ("memory", "copies", "copy", "copies batch {}"),
    "launch": ("other", "launches", "host", "launches a kernel of step {}"),
    "kernel": ("compute", "runs a kernel", "GPU", "kernel of step {}"),
}
PARAMETERS = {"load_s": "a worker loads a batch in", "workers": "workers", "launch_s": "time of a launch"}
PARAMETERS |= {"kernels": "kernels a step", "arithmetic_s": "arithmetic of a kernel"}
PARAMETERS |= {"memory_s": "memory traffic of a kernel", "waits": "host waits after each kernel"}
PARAMETERS |= {"pinned": "copies from pinned memory"}


class Timeline(Stage):
    """A trace and its parameters: loader, host, copies, GPU; how busy arithmetic and memory are; what a fix changed.

    >>> view = Timeline()
    >>> view.show(codesign.traces.trace("A")), view.show(codesign.traces.trace("C"))
    >>> view.show(codesign.traces.trace("D", "half the bytes"))
    """

    size, noun = (760, 532), "setting"
    left, right, high = 136, 744, 34
    lanes = {"loader": 48, "host": 108, "copy": 160, "GPU": 212}  # upper edges

    def marks(self, trace):  # codesign.traces.Trace
        left, right, high, window = self.left, self.right, self.high, trace.window
        scale, y, names = (right - left) / window, np.array(list(self.lanes.values())), list(self.lanes)
        yield boxes("lanes", names, left, y, right - left, high, "muted soft")
        yield texts("lane-words", names, 10, y + high / 2, names, "ink bold start", 14)
        # the loader's spans in thin rows, one for each worker; what lies beyond the window is cut off
        spans = [span for span in trace.spans if span.start < window]
        start, step = np.array([span.start for span in spans]), np.array([span.step for span in spans])
        wide = scale * (np.minimum([span.end for span in spans], window) - start)
        loads, workers = np.array([span.lane == "loader" for span in spans]), min(trace.job.workers, 8)
        thick = np.where(loads, high / workers, high)
        y = np.array([self.lanes[span.lane] for span in spans]) + np.where(loads, step % workers * thick, 0)
        long, kind = np.maximum(wide - np.minimum(1, 0.25 * wide), 0.4), [list(WHAT).index(span.what) for span in spans]
        numbers = np.where(loads & (long > 14) & (thick > 14), step + 1, 0)
        said, roles = pick(["", *map(str, range(1, 9))], numbers), pick([role for role, *_ in WHAT.values()], kind)
        who = [f"batch {one.step + 1}" if one.lane == "loader" else WHAT[one.what][2] for one in spans]
        says = [WHAT[one.what][3].format(one.step + 1) for one in spans]
        yield boxes("spans", range(len(y)), left + scale * start, y + 2, long, thick - 3, roles, said, 12, who, says)
        # how much of its peak the GPU reaches while kernels run
        kernels = [span for span in trace.of("GPU") if span.start < window]
        x, end = (scale * np.minimum([getattr(one, side) for one in kernels], window) for side in ("start", "end"))
        x, end = left + x, left + end
        for name, top, share in (("arithmetic", 290, trace.arithmetic_share), ("memory", 348, trace.memory_share)):
            who, says = f"{name} of the GPU", f"{percent(share)} of its peak while a kernel runs"
            look = {"arithmetic": "compute tint", "memory": "memory tint"}[name], (), "ink", who, says
            head = [(f"GPU: {name}", "ink bold start", 13), "share of its peak"]
            yield boxes(f"{name}-back", [0], left, top, right - left, high, "muted soft")
            yield from pillars(f"{name}-meter", range(len(x)), (x + end) / 2, top + high, end - x, high * share, *look)
            yield below(f"{name}-word", 10, top + 10, head, 16, "muted start", 12)
        long, y = 1e3 * window, 396
        ticks = np.arange(0, long, next(one for one in (1, 2, 5, 10, 20, 50) if long / one <= 11))
        yield words("title", (10, 22, f"trace {trace.name}", "ink bold start", 16))
        yield lines("axis", [0], left, y, right, y, "muted", 1.2)
        x, said = left + scale * ticks / 1e3, [f"{t:g}" for t in ticks]
        yield texts("ticks", ticks.astype(int), x, y + 13, said, "muted", 12)
        yield words("unit", (10, y + 13, "time [ms]", "muted start", 12))
        yield from legend("key", left, 432, [(role, said) for role, said, _, _ in WHAT.values()], size=12)
        # two columns of four; what a fix has changed, with what it was
        said = []
        for name, what in PARAMETERS.items():
            now, before = getattr(trace.job, name), getattr(trace.before, name)
            was = f" (was {_value(name, before)})" if now != before else ""
            said.append((f"{what}: {_value(name, now)}{was}", "good bold start" if was else "ink start"))
        for x, part in ((10, said[:4]), (386, said[4:])):
            yield below(f"parameters {x}", x, 462, part, 17, size=12)

    def say(self, trace):
        busy, arithmetic, memory = map(percent, (trace.busy, trace.arithmetic_share, trace.memory_share))
        said = f"Trace {trace.name}: a step takes {si(trace.step_seconds, 's')}; the GPU runs a kernel {busy} of the "
        return said + f"time, at {arithmetic} of its arithmetic and {memory} of its memory’s rate."


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
    roles = {"preprocess": "memory", "copy": "muted", "launches": "other", "products": "compute"}
    roles |= {"element-wise": "compute tint", "boxes": "memory tint"}

    def marks(self, answer):  # codesign.detector.Answer
        chart, target, ticks = self.chart, answer.target_ms, np.arange(0, 31, 5)
        (left, right), (floor, top), limit = chart.across, chart.up, chart.x(target)
        said = [f"{t} ms" if t else "0" for t in ticks]
        key = [(role, _stage(name)) for name, role in self.roles.items()]
        yield lines("limit", [0], limit, top, limit, floor, "bad dashed", 2)
        yield words("limit-word", (limit, top - 14, f"must be done: {number(target)} ms", "bad bold"))
        head = "with your repairs" if answer.repairs else "no repair yet"
        yield from self._bar("before", 92, answer.before, "as it was", target)
        yield from self._bar("now", 212, answer.stages, head, target)
        yield lines("axis", [0], left, floor, right, floor, "muted", 1.2)
        yield texts("ticks", ticks, chart.x(ticks), floor + 15, said, "muted", 12)
        yield from legend("key", left, floor + 51, key, size=12)

    def _bar(self, name, top, stages, head, target):
        took, who, at = np.array(list(stages.values())), [_stage(one) for one in stages], self.chart.x
        x, total, long, short = at(np.cumsum(took) - took), took.sum(), at(took) - at(0), [number(one) for one in took]
        said = [one if room > 16 + 7 * (len(one) - 1) else "" for one, room in zip(short, long, strict=True)]
        roles, says = [self.roles[one] for one in stages], [f"{number(one, 4)} ms" for one in took]
        look = "good bold start" if total <= target else "ink bold start"
        yield words(f"{name}-head", (at(target) + 14, top - 14, f"{head}: {number(total, 4)} ms", look, 15))
        yield boxes(name, list(stages), x, top, long - 1, 46, roles, said, 14, who=who, says=says)

    def say(self, answer):
        verdict = "within 10 ms" if answer.in_time else f"{number(answer.late_ms, 4)} ms too slow"
        said = f"{number(answer.total_ms, 4)} ms a frame, {verdict}. The longest stage is now "
        return said + f"“{_stage(answer.longest)}”, {number(answer.stages[answer.longest])} ms."


def _stage(name):
    return "sort out boxes" if name == "boxes" else name


class Versions(Stage):
    """Seven versions of one program: rungs at the height of their speed, climbed one by one.

    >>> view, run = Versions(), list(frames.codesign.improved())
    >>> view.show(run[0]), view.show(run[3]), view.show(run[6])
    """

    size, noun = (760, 446), "rung"
    chart = Chart((96, 366), (412, 36), (0, 1), (1, 10**5.2), log="y")  # times the first version

    def marks(self, now):  # Improved of frames.codesign
        reached, here, (left, right) = now.versions[: now.number], now.here, self.chart.across
        (floor, top) = self.chart.up
        y, last, powers = self.chart.y([one.speedup for one in reached]), now.number - 1, 10.0 ** np.arange(6)
        roles, thick, who = ["ink"] * last + ["compute"], [4] * last + [6], [one.name for one in reached]
        names = [f"{one.name}: {_seconds(one.seconds)}" for one in reached]
        says = [f"{number(one.speedup)} times the first, {number(one.gflop_s)} GFLOP/s" for one in reached]
        label, looks = y - 11 - (np.arange(len(y)) == last), [f"{role} bold start" for role in roles]
        up, me = self.chart.y(powers), ("where you stand", says[-1])
        yield lines("decades", range(6), left, up, right, up, "muted faint", 1)
        yield texts("ticks", range(6), left - 12, up, [f"{each:,.0f}×" for each in powers], "muted end", 12)
        yield lines("rails", range(2), (left, right), floor, (left, right), top, "muted", 5)
        yield lines("rungs", range(len(y)), left, y, right, y, roles, thick, who=who, says=says)
        yield texts("names", range(len(y)), left + 12, label, names, looks)
        yield boxes("climber", [0], right + 12, y[-1] - 9, 18, 18, "compute round", "", 13, *me)
        made, x = f"{number(now.gain)} times" if now.gain else "", right + 82
        yield words(
            "beside",
            (x, 78, here.name, "compute bold start", 16),
            (x, 110, _times(here), "ink bold start", 16),
            (x, 140, f"{_seconds(here.seconds)} for the product", "ink start", 14),
            (x, 164, f"{percent(here.peak_share)} of the processor’s peak", "ink start", 14),
            (x, 212, made and f"this step alone: {made}", "compute bold start", 16),
        )
        if made:
            yield lines("gain", [0], right + 46, y[-2], right + 46, y[-1], "compute", 8, "this step", f"{made} faster")

    def say(self, now):
        here, gain = now.here, f", {number(now.gain)} times the rung below" if now.gain else ""
        said = f"Rung {now.number} of {len(now.versions)}, {here.name}: {_seconds(here.seconds)}{gain}, "
        return said + f"{_times(here)}, {percent(here.peak_share)} of the peak."


def _times(version):
    return f"{number(version.speedup)} times the first version" if version.speedup > 1 else "the first version"


def _seconds(seconds):
    return f"{number(seconds)} s" if seconds >= 1 else si(seconds, "s")


class Changes(Stage):
    """Changes: the time of a model as it is, and after each of some changes.

    >>> view, helps = Changes(), codesign.worksheet.what_helps
    >>> view.show(helps()), view.show(helps(512, "a100-80gb-sxm")), view.show(helps(32768, "tpu-v5e", 1))
    """

    size, noun = (730, 350), "change"

    def marks(self, found):  # {change: seconds}, the first without any
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
