"""Where time goes: a trace as profilers draw it, what one change brings."""

import numpy as np

from accelerator_course.views.kit import bars, below, legend, pillars, rows, words
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
