"""A trace as profilers draw it: a lane for each part of the machine, time to the right."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent, si

LEFT, RIGHT = 136, 744
LANES = {"loader": 48, "host": 108, "copy": 160, "GPU": 212}  # upper edges
HIGH, METERS, TALL = 34, (290, 348), 34
ROLES = ("memory tint", "bad tint", "memory", "other", "compute")
WHAT = ("prepare", "wait", "copy", "launch", "kernel")
SAYS = (
    "prepares batch {}",
    "the host waits, step {}",
    "copies batch {}",
    "launches a kernel of step {}",
    "kernel of step {}",
)
PARAMETERS = {
    "load_s": "a batch takes a worker",
    "workers": "workers",
    "launch_s": "a launch",
    "kernels": "kernels a step",
    "arithmetic_s": "arithmetic of a kernel",
    "memory_s": "bytes of a kernel",
    "waits": "host waits after each kernel",
    "pinned": "copies from pinned memory",
}


class Timeline(Stage):
    """Four lanes of a training run: loader, host, copies, GPU; below, how busy arithmetic and memory are.

    >>> view = Timeline()
    >>> view.show(codesign.traces.trace("A"))
    >>> view.show(codesign.traces.trace("C"))
    >>> view.show(codesign.traces.trace("D", "half the bytes"))
    """

    size, noun, opened = (760, 470), "setting", False

    def marks(self, trace):
        """`trace`: codesign.traces.Trace."""
        scale = (RIGHT - LEFT) / trace.window
        return [
            *self._lanes(),
            self._spans(trace, scale),
            *self._meters(trace, scale),
            *self._axis(trace, scale),
            *(self._parameters(trace) if self.opened else self._legend()),
        ]

    def _lanes(self):
        y = np.array(list(LANES.values()))
        return [
            boxes("lanes", list(LANES), LEFT, y, RIGHT - LEFT, HIGH, "muted soft"),
            texts("lane-words", list(LANES), 10, y + HIGH / 2, list(LANES), "ink bold start", 14),
        ]

    def _spans(self, trace, scale):
        """Loader's spans in thin rows, one for each worker; what lies beyond the window is cut off."""
        spans = [span for span in trace.spans if span.start < trace.window]
        start, end = (np.array([getattr(span, name) for span in spans]) for name in ("start", "end"))
        end = np.minimum(end, trace.window)
        rows = min(trace.job.workers, 8)
        loads = np.array([span.lane == "loader" for span in spans])
        step = np.array([span.step for span in spans])
        high = np.where(loads, HIGH / rows, HIGH)
        y = np.array([LANES[span.lane] for span in spans]) + np.where(loads, step % rows * high, 0)
        kind = np.array([WHAT.index(span.what) for span in spans])
        wide = scale * (end - start)
        room = np.maximum(wide - np.minimum(1, 0.25 * wide), 0.4)
        names = ("batch", "host", "copy", "host", "GPU")
        return boxes(
            "spans",
            range(len(spans)),
            LEFT + scale * start,
            y + 2,
            room,
            high - 3,
            pick(ROLES, kind),
            pick(["", *map(str, range(1, 9))], np.where(loads & (room > 14) & (high > 14), step + 1, 0)),
            12,
            who=[f"{names[k]} {s + 1}" if k == 0 else names[k] for k, s in zip(kind, step, strict=True)],
            says=[SAYS[k].format(s + 1) for k, s in zip(kind, step, strict=True)],
        )

    def _meters(self, trace, scale):
        kernels = [span for span in trace.of("GPU") if span.start < trace.window]
        start = np.array([span.start for span in kernels])
        wide = scale * (np.minimum([span.end for span in kernels], trace.window) - start)
        marks = []
        for name, top, share, role in (
            ("arithmetic", METERS[0], trace.arithmetic_share, "compute tint"),
            ("memory", METERS[1], trace.memory_share, "memory tint"),
        ):
            marks += [
                boxes(f"{name}-back", [0], LEFT, top, RIGHT - LEFT, TALL, "muted soft"),
                boxes(
                    f"{name}-meter",
                    range(len(kernels)),
                    LEFT + scale * start,
                    top + TALL * (1 - share),
                    wide,
                    TALL * share,
                    role,
                    who=f"{name} of the GPU",
                    says=f"{percent(share)} of its best while a kernel runs",
                ),
                texts(
                    f"{name}-word",
                    range(2),
                    10,
                    (top + 10, top + 26),
                    [f"GPU: {name}", "share of its best"],
                    ("ink bold start", "muted start"),
                    (13, 12),
                ),
            ]
        return marks

    def _axis(self, trace, scale):
        window = 1e3 * trace.window
        step = next(one for one in (1, 2, 5, 10, 20, 50) if window / one <= 11)
        ticks = np.arange(0, window, step)
        return [
            texts("title", [0], 10, 22, [f"trace {trace.name}"], "ink bold start", 16),
            lines("axis", [0], LEFT, 396, RIGHT, 396, "muted", 1.2),
            texts("ticks", ticks.astype(int), LEFT + scale * ticks / 1e3, 409, [f"{t:g}" for t in ticks], "muted", 12),
            texts("unit", [0], 10, 409, ["time [ms]"], "muted start", 12),
        ]

    def _legend(self):
        x = LEFT + np.array([0, 140, 222, 306, 402])
        words = ["prepares a batch", "waits", "copies", "launches", "runs a kernel"]
        return [
            boxes("key", range(5), x, 438, 14, 14, ROLES),
            texts("key-words", range(5), x + 20, 445, words, "ink start", 12),
        ]

    def _parameters(self, trace):
        rows = []
        for name, words in PARAMETERS.items():
            now, before = getattr(trace.job, name), getattr(trace.before, name)
            changed = f" (was {_value(name, before)})" if now != before else ""
            rows.append((f"{words}: {_value(name, now)}{changed}", "good bold start" if changed else "ink start"))
        place = np.arange(len(rows))
        x, y = 10 + 376 * (place // 4), 436 + 17 * (place % 4)
        return [texts("parameters", list(PARAMETERS), x, y, [w for w, _ in rows], [r for _, r in rows], 12)]

    def say(self, trace):
        """A step and the GPU's share of it; what it waits for is for the reader to see."""
        arithmetic, memory = percent(trace.arithmetic_share), percent(trace.memory_share)
        return (
            f"Trace {trace.name}: a step takes {si(trace.step_seconds, 's')}; the GPU has a kernel "
            f"{percent(trace.busy)} of the time, at {arithmetic} of its arithmetic and {memory} of its memory’s rate."
        )


class Opened(Timeline):
    """The same trace with its parameters, which a fix has changed.

    >>> view = Opened()
    >>> view.show(codesign.traces.trace("A"))
    >>> view.show(codesign.traces.trace("B", "launches recorded and replayed"))
    >>> view.show(codesign.traces.trace("D", "half the bytes"))
    """

    size, opened, title = (760, 506), True, "A trace and its parameters"


def _value(name, value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return si(value, "s") if name.endswith("_s") else number(value)
