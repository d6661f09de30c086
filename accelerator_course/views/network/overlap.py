"""A training step as two lanes: what the chip computes, what its link carries meanwhile."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import percent, si

LEFT, RIGHT, TOP, HIGH, GAP = 100, 722, 58, 62, 24


class Lanes(Stage):
    """Talk behind arithmetic: forward and backward of a step, the messages of each, and what is waited for.

    >>> view, H100 = Lanes(), hardware.chip("h100-sxm5")
    >>> view.show(network.overlap.step("llama-2-7b", H100, 2048, 64, 50e9))
    >>> view.show(network.overlap.step("llama-2-7b", H100, 65536, 64, 50e9, "fsdp"))
    >>> view.show(network.overlap.step("llama-2-7b", H100, 256, 8, 450e9, "fsdp"))
    """

    size, noun = (740, 300), "setting"

    def marks(self, step):
        """`step`: network.overlap.Step."""
        scale = (RIGHT - LEFT) / step.seconds
        turn = max(step.forward, step.gathered)  # when backward may begin
        parts = (
            ("forward", 0, 0.0, step.forward, "compute"),
            ("backward", 0, turn, step.backward, "compute tint"),
            ("gather weights", 1, 0.0, step.gathered, "memory"),
            ("gradients" if not step.gathered else "weights, gradients", 1, turn, step.reduced, "other"),
            ("waits", 0, step.forward, turn - step.forward, "bad line dashed"),
            ("waits", 0, turn + step.backward, step.seconds - turn - step.backward, "bad line dashed"),
        )
        x, wide = (np.array([part[i] for part in parts]) * scale for i in (2, 3))
        wide[wide < 0.5] = 0
        y = TOP + (HIGH + GAP) * np.array([part[1] for part in parts])
        words = [part[0] if room > 7.3 * len(part[0]) + 6 else "" for part, room in zip(parts, wide, strict=True)]
        says = [si(part[3], "s") for part in parts]
        there = np.flatnonzero(wide)
        return [
            texts(
                "lanes",
                range(2),
                8,
                TOP + HIGH / 2 + (HIGH + GAP) * np.arange(2),
                ["the chip", "its link"],
                "ink bold start",
                14,
            ),
            boxes(
                "parts",
                there,
                LEFT + x[there],
                y[there],
                wide[there],
                HIGH,
                [parts[i][4] for i in there],
                [words[i] for i in there],
                14,
                who=[_who(parts[i]) for i in there],
                says=[says[i] for i in there],
            ),
            lines("ends", range(2), [LEFT, RIGHT], TOP - 10, [LEFT, RIGHT], TOP + 2 * HIGH + GAP + 10, "muted", 1.2),
            texts(
                "zero", range(2), [LEFT, RIGHT], TOP - 22, ["0", si(step.seconds, "s")], ("muted", "ink bold end"), 13
            ),
            *self._shares(step),
        ]

    def _shares(self, step):
        y, wide = TOP + 2 * HIGH + GAP + 40, (RIGHT - LEFT) * step.efficiency
        inside = step.efficiency > 0.5
        return [
            boxes("whole", [0], LEFT, y, RIGHT - LEFT, 22, "muted line"),
            boxes("useful", [0], LEFT, y, wide, 22, "good"),
            texts("useful-name", [0], 8, y + 11, ["computes"], "ink bold start", 14),
            texts(
                "useful-words",
                [0],
                LEFT + wide + (-8 if inside else 8),
                y + 11,
                [f"{percent(step.efficiency)} of the step"],
                "paper bold end" if inside else "ink bold start",
                14,
            ),
        ]

    def say(self, step):
        talk = step.gathered + step.reduced
        waits = f"{si(step.waited, 's')} are waited for" if step.waited > 1e-12 else "all is hidden"
        return (
            f"{si(step.forward + step.backward, 's')} of arithmetic, {si(talk, 's')} of talk, of which {waits}: the "
            f"chip computes {percent(step.efficiency)} of the step."
        )


def _who(part):
    return part[0] if part[0] != "waits" else f"waits {'for weights' if part[2] == 0 else 'for messages'}"
