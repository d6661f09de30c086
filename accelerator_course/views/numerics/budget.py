"""A budget of bits: what the parts of a model take of one memory, and how much noise each brings."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import percent, si

LEFT, WIDE, MOST = 24, 690, 190e9  # pixels of the widest stack of bytes
TOP, HIGH = 62, 62
NOISE, NOISE_HIGH = 196, 46
LOOKS = {
    "attention": "memory",
    "gate and up": "compute",
    "down": "other",
    "cache": "good",
    "rest": "muted",
}
TOLD = {"cache": "key-value cache", "rest": "rest, bf16"}


class Spending(Stage):
    """A budget of bits: bytes of each part in the memory of one chip, and its share of the noise.

    >>> view = Spending()
    >>> view.show(numerics.budget.spend(("bf16",) * 4))
    >>> view.show(numerics.budget.spend(("int8 b128", "nvfp4", "nvfp4", "int8 b128")))
    >>> view.show(numerics.budget.spend(("int4 b128", "bf16", "mxfp4", "e4m3")))
    """

    size, noun = (740, 372), "choice"

    def marks(self, state):
        """`state`: budget.Spent."""
        scale = WIDE / MOST
        limit = LEFT + state.limit_bytes * scale
        over = "good" if state.fits else "bad"
        end = LEFT + state.bytes_stored * scale
        return [
            texts("heads", range(2), LEFT, [24, NOISE - 18], ["bytes", "noise, by where it comes from"],
                  "ink bold start", 15),
            texts("sum", range(3), 716, [24, NOISE - 18, 340],
                  [si(state.bytes_stored, "B"), f"{state.snr_db:.1f} dB", f"{si(state.step_seconds, 's')} a step"],
                  [f"{over} bold end", "ink bold end", "ink bold end"], 17),
            boxes("room", [0], LEFT, TOP - 8, state.limit_bytes * scale, HIGH + 16, "muted tint"),
            lines("limit", [0], limit, TOP - 18, limit, TOP + HIGH + 18, over, 3),
            *([boxes("over", [0], limit, TOP - 8, end - limit, HIGH + 16, "bad line dashed")] if end > limit else []),
            *_stack("bytes", state.bytes_by_part, TOP, HIGH, scale, lambda value: si(value, "B")),
            texts("room's", [0], limit + 8, TOP + HIGH + 18, f"room: {si(state.limit_bytes, 'B')}",
                  f"{over} bold start", 13),
            *_stack("noise", state.noise_by_part, NOISE, NOISE_HIGH, WIDE / sum(state.noise_by_part.values()), None),
            *self._legend(state),
            texts("reads", [0], LEFT, 340, "every step reads all of it once", "ink start", 14),
        ]  # fmt: skip

    @staticmethod
    def _legend(state):
        """What each colour is and how it is stored; in two rows."""
        names = list(LOOKS)
        stored = dict(zip(names, state.choice, strict=False))
        words = [f"{TOLD.get(name, name)}{': ' + stored[name] if name in stored else ''}" for name in names]
        x, y = np.array([0, 236, 472, 0, 236]) + LEFT, np.array([0, 0, 0, 26, 26]) + NOISE + NOISE_HIGH + 22
        return [
            boxes("legend", range(5), x, y, 16, 16, list(LOOKS.values())),
            texts("parts", range(5), x + 22, y + 8, words, "ink start", 14),
        ]

    def say(self, state):
        worst = max(state.noise_by_part, key=state.noise_by_part.get)
        share = state.noise_by_part[worst] / sum(state.noise_by_part.values())
        room = "fits" if state.fits else "does not fit"
        return (
            f"{si(state.bytes_stored, 'B')}: {room} into {si(state.limit_bytes, 'B')}. {state.snr_db:.1f} dB, "
            f"{si(state.step_seconds, 's')} a step; {percent(share)} of the noise is from "
            f"{TOLD.get(worst, worst)} in {dict(zip(LOOKS, state.choice, strict=False))[worst]}."
        )


def _stack(name, parts, top, high, scale, written):
    """Boxes side by side, as wide as their numbers; words only where there is room."""
    widths = np.array([value * scale for value in parts.values()])
    begins = LEFT + np.append(0, widths.cumsum()[:-1])
    words = [written(v) if written and w > 62 else "" for v, w in zip(parts.values(), widths, strict=True)]
    if written is None:
        whole = sum(parts.values())
        words = [percent(v / whole) if w > 44 else "" for v, w in zip(parts.values(), widths, strict=True)]
    says = [written(v) if written else percent(v / sum(parts.values())) for v in parts.values()]
    looks = [LOOKS[part] for part in parts]
    return [
        boxes(name, list(parts), begins, top, widths, high, looks, says=says, who=list(parts)),
        texts(f"{name} told", list(parts), begins + widths / 2, top + high / 2, words, "paper bold", 13),
    ]
