"""A promise as a corner: machines above it and to the right have the arithmetic and the bandwidth that it takes."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, si

LEFT, RIGHT, TOP, BOTTOM = 112, 716, 24, 372
X, Y = (1e10, 1e15), (1e10, 1e16)  # B/s, FLOP/s
NAMED = {
    "t4": (-10, 10),
    "xeon-8480": (-10, -4),
    "a100-80gb-sxm": (10, 14),
    "h100-sxm5": (10, 8),
    "b200": (12, 0),
    "tpu-v5e": (8, 16),
    "groq-lpu": (10, 0),
    "ipu-gc200": (4, -16),
    "tpu-v6e": (-8, -10),
}


def across(value):
    """x of a bandwidth."""
    share = np.log10(np.asarray(value) / X[0]) / np.log10(X[1] / X[0])
    return LEFT + (RIGHT - LEFT) * np.clip(share, 0, 1)


def up(value):
    """y of a rate of arithmetic."""
    share = np.log10(np.asarray(value) / Y[0]) / np.log10(Y[1] / Y[0])
    return BOTTOM - (BOTTOM - TOP) * np.clip(share, 0, 1)


class Corner(Stage):
    """Corner: which machines can keep a promise.

    >>> view = Corner()
    >>> view.show(design.bands.band(1.6e10, 1.7e10, 1.7e10, 0.02))
    >>> view.show(design.bands.band(1.6e10, 1.7e10, 1.7e10, 0.001))
    >>> view.show(design.bands.band(1.4e11, 1.4e11, 1.4e11, 1.0))
    """

    size, noun = (740, 430), "promise"

    def marks(self, found):
        """`found`: design.bands.Band."""
        x, y = float(across(found.bytes_per_s)), float(up(found.flops_per_s))
        ticks = 10.0 ** np.arange(10, 16)
        rates = 10.0 ** np.arange(10, 17, 2)
        ids = [m.id for m in found.machines]
        look = [2 if id in found.enough else 1 if id in found.too_small else 0 for id in ids]
        role = np.array(["muted tint round", "other line round", "good round"])[look]
        says = [
            f"{si(m.flops_per_s, 'FLOP/s')}, {si(m.bytes_per_s, 'B/s')}, {si(m.capacity_bytes, 'B')}: "
            f"{('too slow', 'fast enough, but too small', 'enough')[k]}"
            for m, k in zip(found.machines, look, strict=True)
        ]
        mx, my = (across([m.bytes_per_s for m in found.machines]), up([m.flops_per_s for m in found.machines]))
        named = [(i, *NAMED[id]) for i, id in enumerate(ids) if id in NAMED]
        word = [found.machines[i].name for i, *_ in named]
        side = ["ink start" if dx > 0 else "ink end" for _, dx, _ in named]
        at = np.array([i for i, *_ in named])
        return [
            boxes("frame", [0], LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, "muted line"),
            boxes(
                "corner",
                [0],
                x,
                TOP,
                max(RIGHT - x, 1),
                max(y - TOP, 1),
                "good soft",
                "",
                13,
                "the promise",
                f"at least {si(found.bytes_per_s, 'B/s')} and {si(found.flops_per_s, 'FLOP/s')}",
            ),
            lines("edges", ["x", "y"], [x, x], [TOP, y], [x, RIGHT], [y, y], "good", 2),
            texts("ticks", range(6), across(ticks), BOTTOM + 16, [si(t, "B/s") for t in ticks], "muted", 13),
            texts("rates", range(4), LEFT - 8, up(rates), [si(r, "FLOP/s") for r in rates], "muted end", 12),
            texts(
                "axis",
                [0],
                (LEFT + RIGHT) / 2,
                BOTTOM + 40,
                ["memory bandwidth; upwards, arithmetic in 16 bits"],
                "ink",
                13,
            ),
            boxes(
                "machines", ids, mx - 6, my - 6, 12, 12, role.tolist(), "", 13, [m.name for m in found.machines], says
            ),
            texts(
                "machine names",
                [ids[i] for i in at],
                mx[at] + [dx for _, dx, _ in named],
                my[at] + [dy for *_, dy in named],
                word,
                side,
                12,
            ),
            texts(
                "key",
                range(3),
                [LEFT + 26, LEFT + 150, LEFT + 350],
                TOP - 11,
                ["enough", "fast, but too small", "too slow"],
                "ink start",
                12,
            ),
            boxes(
                "key dots",
                range(3),
                [LEFT + 8, LEFT + 132, LEFT + 332],
                TOP - 17,
                12,
                12,
                ["good round", "other line round", "muted tint round"],
            ),
        ]

    def say(self, found):
        """What is asked for, and who has it."""
        count = len(found.enough)
        names = [m.name for m in found.machines if m.id in found.enough]
        have = f"{counted(count, 'machine')} of {len(found.machines)}"
        if 0 < count <= 4:
            have += f" ({', '.join(names)})"
        small = f"; {len(found.too_small)} more are fast enough, but too small" if found.too_small else ""
        verb = "has" if count == 1 else "have"
        return (
            f"Within {si(found.seconds, 's')}: at least {si(found.bytes_per_s, 'B/s')}, "
            f"{si(found.flops_per_s, 'FLOP/s')} and {si(found.capacity_bytes, 'B')}. {have} {verb} that{small}."
        )
