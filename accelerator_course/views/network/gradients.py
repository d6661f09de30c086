"""The gradients of several GPUs: what each has taken and sent, and two lanes of time, arithmetic and links."""

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, pick, texts
from accelerator_lib.units import si

LEFT, WIDE = 64, 640
FLOOR, HIGH, CARD = 196, 118, 218  # of the bars, and the top of the GPUs
LANES = {"backward": 326, "link": 378}
TALL, BASE = 34, 424  # of a lane; the axis of time


class Gradients(Stage):
    """DataParallel and DDP: gradients on their way, and when.

    >>> view = Gradients()
    >>> one, ring = (list(network.gradients.reduce(way)) for way in ("DataParallel", "DDP"))
    >>> view.show(one[0])
    >>> view.show(one[3])
    >>> view.show(one[-1])
    >>> view.show(ring[5])
    >>> view.show(ring[-1])
    """

    size, noun = (746, 470), "event"

    def marks(self, state):
        """`state`: network.gradients.Reduced."""
        x = LEFT + WIDE * (np.arange(state.gpus) + 0.5) / state.gpus
        return [*self._traffic(state, x), *self._gpus(state, x), *self._lanes(state)]

    def _traffic(self, state, x):
        """Bars above every GPU: bytes in, bytes out."""
        wide = min(26, WIDE / state.gpus / 2 - 3)
        high = HIGH / state.most_bytes * np.concatenate([state.received, state.sent])
        left = np.concatenate([x - wide - 1, x + 1])
        says = [f"{si(value, 'B')}" for value in [*state.received, *state.sent]]
        who = [f"GPU {i}, {what}" for what in ("taken in", "sent out") for i in range(state.gpus)]
        role = pick(("memory", "compute"), np.repeat([0, 1], state.gpus))
        bars = boxes("traffic", range(2 * state.gpus), left, FLOOR - high, wide, high, role, who=who, says=says)
        end = LEFT + WIDE
        axis = lines(
            "axis",
            range(2),
            LEFT - 8,
            [FLOOR, FLOOR - HIGH],
            end,
            [FLOOR, FLOOR - HIGH],
            ["ink", "muted dashed"],
            [1.5, 1],
        )
        ticks = texts(
            "ticks", range(2), LEFT - 12, [FLOOR, FLOOR - HIGH], ["0", si(state.most_bytes, "B", 2)], "muted end", 12
        )
        keys = boxes("keys", range(2), [LEFT + 250, LEFT + 360], 27, 14, 14, ["memory", "compute"])
        words = ["what each GPU has moved", "taken in", "sent out"]
        head = texts(
            "head",
            range(3),
            [LEFT - 40, LEFT + 270, LEFT + 380],
            34,
            words,
            ["ink bold start", "ink start", "ink start"],
            14,
        )
        return [axis, ticks, bars, keys, head]

    def _gpus(self, state, x):
        n = state.gpus
        wide = min(58, WIDE / n - 6)
        names = [f"GPU {i}" if wide > 44 else str(i) for i in range(n)]
        busy = np.zeros(n, int)
        for span in state.active:
            if span.lane == "link":
                busy[[span.sender, span.receiver] if span.sender is not None else slice(None)] = 1
        cards = boxes(
            "gpus", range(n), x - wide / 2, CARD, wide, 30, pick(("muted tint", "other tint"), busy), names, 13,
            [f"GPU {i}" for i in range(n)],
            [f"in {si(a, 'B')}, out {si(b, 'B')}" for a, b in zip(state.received, state.sent, strict=True)],
        )  # fmt: skip
        return [cards, self._arrows(state, x)]

    def _arrows(self, state, x):
        y = CARD + 42
        for span in state.active:
            if span.lane != "link":
                continue
            if span.sender is not None:
                return arrows(
                    "flow", ["one"], x[span.sender], y, x[span.receiver], y, "other", 4, span.what, "has come"
                )
            return arrows(
                "flow", range(state.gpus - 1), x[:-1] + 8, y, x[1:] - 8, y, "other", 3, span.what, "around the ring"
            )
        return arrows("flow", [], [], [], [], [])

    def _lanes(self, state):
        scale = WIDE / state.most_seconds
        spans = state.spans
        start, end = (np.array([getattr(span, side) for span in spans]) for side in ("start", "end"))
        y = np.array([LANES[span.lane] for span in spans])
        done, link = end <= state.now, np.array([span.lane == "link" for span in spans])
        role = pick(("muted line", "compute tint", "other tint"), np.where(done, 1 + link, 0))
        wide = np.maximum(scale * (end - start) - 1, 1)
        names = [_short(span.what, w) for span, w in zip(spans, wide, strict=True)]
        bars = boxes(
            "spans", [f"{s.lane}:{s.what}" for s in spans], LEFT + scale * start, y, wide, TALL, role, names, 12,
            [span.what for span in spans], [f"{si(s.end - s.start, 's')}, until {si(s.end, 's')}" for s in spans],
        )  # fmt: skip
        now = LEFT + scale * state.now
        axis = lines(
            "time", range(2), [LEFT, now], [BASE, LANES["backward"] - 8], [LEFT + WIDE, now], [BASE, BASE + 6],
            ["muted", "ink"], [1.2, 2],
        )  # fmt: skip
        ends = texts(
            "ends",
            range(2),
            [LEFT, LEFT + WIDE],
            BASE + 16,
            ["0", si(state.most_seconds, "s")],
            ["muted start", "muted end"],
            12,
        )
        names = texts("lane-names", range(2), LEFT - 40, [LANES["backward"] - 14, LANES["link"] - 7],
                      ["backward pass", "link"], "ink bold start", 12)  # fmt: skip
        return [axis, bars, ends, names]

    def say(self, state):
        """What has been moved, and what that took."""
        head = f"{state.way}, {state.gpus} GPUs, {si(state.bytes_moved, 'B')} of gradients"
        if not state.now:
            return f"{head}: the backward pass begins."
        first = f"GPU 0 has taken in {si(state.received[0], 'B')} and sent out {si(state.sent[0], 'B')}"
        at = f"after {si(state.now, 's')} {first}"
        if state.now < state.seconds:
            return f"{head}: {at}."
        return f"{head}: {at}; {si(state.exposed_seconds, 's')} of the time come after the backward pass."


def _short(what, wide):
    """As much of a name as fits a box."""
    number = what.split()[-1]
    if 7.2 * len(what) < wide:
        return what
    return number if number.isdigit() and 8 * len(number) + 4 < wide else ""
