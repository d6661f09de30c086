"""The time of one frame as a bar, stage after stage, before and after repairs, beside the limit."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number

LEFT, END, MOST = 30, 730, 32.0  # pixels; milliseconds at the right end
BARS = (92, 212)  # upper edges of the two bars
HIGH = 46
NAMES = {
    "preprocess": "preprocess",
    "copy": "copy",
    "launches": "launches",
    "products": "products",
    "element-wise": "element-wise",
    "boxes": "sort out boxes",
}
ROLES = {
    "preprocess": "memory",
    "copy": "muted",
    "launches": "other",
    "products": "compute",
    "element-wise": "compute tint",
    "boxes": "memory tint",
}
BEFORE = {"preprocess": 7.0, "copy": 1.0, "launches": 5.0, "products": 9.0, "element-wise": 3.0, "boxes": 5.0}
LIMIT = 10.0


class FrameTime(Stage):
    """One frame of a detector: what each stage takes, before any repair and now, beside a limit of 10 ms.

    >>> view = FrameTime()
    >>> view.show(codesign.detector.answer())
    >>> view.show(codesign.detector.answer(half=True, compiled=True))
    >>> view.show(codesign.detector.answer(True, True, True, True))
    """

    size, noun = (760, 372), "setting"

    def marks(self, answer):
        """`answer`: codesign.detector.Answer."""
        limit = _x(LIMIT)
        return [
            lines("limit", [0], limit, 56, limit, 300, "bad dashed", 2),
            texts("limit-word", [0], limit, 42, ["must be done: 10 ms"], "bad bold", 13),
            *self._bar("before", BARS[0], BEFORE, "as it was"),
            *self._bar("now", BARS[1], answer.stages, "with your repairs" if answer.repairs else "no repair yet"),
            *self._axis(),
            *self._legend(),
        ]

    def _bar(self, name, top, stages, head):
        took = np.array(list(stages.values()))
        start, total = np.cumsum(took) - took, took.sum()
        wide = (END - LEFT) / MOST * took
        role = "good" if total <= LIMIT else "ink"
        words = [number(one) if w > 16 + 7 * (len(number(one)) - 1) else "" for one, w in zip(took, wide, strict=True)]
        says = [f"{number(one, 4)} ms" for one in took]
        return [
            texts(
                f"{name}-head",
                [0],
                _x(LIMIT) + 14,
                top - 14,
                [f"{head}: {number(total, 4)} ms"],
                f"{role} bold start",
                15,
            ),
            boxes(
                name,
                list(stages),
                _x(start),
                top,
                wide - 1,
                HIGH,
                [ROLES[one] for one in stages],
                words,
                14,
                who=[NAMES[one] for one in stages],
                says=says,
            ),
        ]

    def _axis(self):
        ticks = np.arange(0, 31, 5)
        return [
            lines("axis", [0], LEFT, 300, END, 300, "muted", 1.2),
            texts("ticks", ticks, _x(ticks), 315, [f"{t} ms" if t else "0" for t in ticks], "muted", 12),
        ]

    def _legend(self):
        x = LEFT + np.array([0, 112, 180, 276, 374, 496])
        return [
            boxes("key", range(6), x, 344, 14, 14, list(ROLES.values())),
            texts("key-words", range(6), x + 19, 351, list(NAMES.values()), "ink start", 12),
        ]

    def say(self, answer):
        """The total, and which stage is longest."""
        longest = max(answer.stages, key=answer.stages.get)
        verdict = "within 10 ms" if answer.in_time else f"{number(answer.total_ms - LIMIT, 4)} ms too slow"
        return (
            f"{number(answer.total_ms, 4)} ms a frame, {verdict}. The longest stage is now “{NAMES[longest]}”, "
            f"{number(answer.stages[longest])} ms."
        )


def _x(ms):
    return LEFT + (END - LEFT) / MOST * np.asarray(ms)
