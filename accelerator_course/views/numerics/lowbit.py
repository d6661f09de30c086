"""A network learns a spiral in few bits: its map, its loss, the gradients that are lost, the loss scale."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, paths, pick, texts
from accelerator_lib.units import counted, number, percent

LEFT, TOP, EDGE = 12, 44, 352  # the map
FROM, TO = 452, 700  # the steps
CHARTS = {  # name: (top, height, lowest, highest, ticks); loss and scale in powers of ten and of two
    "loss": (58, 96, -2.5, 1.0, ((-2, "0.01"), (-1, "0.1"), (0, "1"), (1, "10"))),
    "lost": (200, 62, 0.0, 1.0, ((0, "0 %"), (0.5, "50 %"), (1, "100 %"))),
    "scale": (310, 84, -2.0, 32.0, ((0, "2⁰"), (8, "2⁸"), (16, "2¹⁶"), (24, "2²⁴"), (32, "2³²"))),
}
HEADS = {"loss": "loss", "lost": "gradients become 0", "scale": "loss scale (× skipped)"}
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
ARMS = "ABC"
TINTS = ("memory soft", "compute soft", "good soft")
ROLES = ("memory round", "compute round", "good round")


class Spiral(Stage):
    """Training in few bits: left what the network takes each point for, right loss, lost gradients and loss scale.

    >>> view, run = Spiral(), list(numerics.lowbit.watch("e4m3", "e4m3", 2.0**16, dynamic=True))
    >>> view.show(run[0])
    >>> view.show(run[3])
    >>> view.show(run[30])
    >>> view.show(list(numerics.lowbit.watch("e4m3", "e4m3"))[30])
    """

    size, noun = (740, 430), "part"

    def marks(self, state):
        """`state`: lowbit.Training."""
        return [*self._map(state), *self._charts(state), *self._courses(state)]

    def _map(self, state):
        count = len(state.arms)
        side = EDGE / count
        at = LEFT + side * np.arange(count)
        x, y = np.meshgrid(at, at - LEFT + TOP)
        (places, arms), middle = state.points, LEFT + EDGE / 2
        px, py = middle + places[:, 0] * EDGE / 2, TOP + EDGE / 2 - places[:, 1] * EDGE / 2
        says = [f"belongs to arm {ARMS[arm]}" for arm in arms]
        ends = [places[arms == arm][np.hypot(*places[arms == arm].T).argmax()] for arm in range(3)]
        ex, ey = (np.array([end[axis] for end in ends]) for axis in (0, 1))
        return [
            texts("title", [0], LEFT, 24, "what each place is taken for", "ink bold start", 14),
            boxes("map", range(count**2), x, y, side, side, pick(TINTS, state.arms)),
            boxes("points", range(len(arms)), px - 2.5, py - 2.5, 5, 5, pick(ROLES, arms), says=says),
            texts("arms", range(3), middle + 0.94 * ex * EDGE / 2, TOP + EDGE / 2 - 0.94 * ey * EDGE / 2, [*ARMS],
                  "ink bold", 17),
        ]  # fmt: skip

    def _charts(self, state):
        """Axes, and what they show now."""
        now = _now(state)
        ticks = [(name, y, word) for name, chart in CHARTS.items() for y, word in chart[4]]
        ys = [_height(name, y) for name, y, _ in ticks]
        x = [FROM, (FROM + TO) / 2, 732]
        heads = [chart[0] - 20 for chart in CHARTS.values()]
        return [
            lines("grid", range(len(ticks)), FROM, ys, TO, ys, "muted faint", 1),
            texts("ticks", range(len(ticks)), FROM - 8, ys, [word for *_, word in ticks], "muted end", 12),
            texts("heads", range(3), FROM - 40, heads, list(HEADS.values()), "ink bold start", 13),
            texts("now", range(3), 732, heads, [now[name] for name in CHARTS], "compute bold end", 14),
            texts(
                "steps",
                range(3),
                x,
                412,
                ["0", str(state.planned // 2), f"{state.planned} steps"],
                ["muted", "muted", "muted end"],
                12,
            ),
        ]

    def _courses(self, state):
        """Loss, share lost and scale of every ten steps, and the steps that were skipped."""
        if not state.step:
            return []
        loss, lost, skipped, scale = state.course
        x = FROM + (TO - FROM) * (np.arange(len(loss)) + 0.5) / (state.planned / (state.step / len(loss)))
        heights = {
            "loss": _height("loss", np.log10(np.nan_to_num(loss, nan=1e3, posinf=1e3).clip(1e-3, 1e3))),
            "lost": _height("lost", lost),
            "scale": _height("scale", np.log2(scale)),
        }
        roles = {"loss": "compute", "lost": "bad", "scale": "memory"}
        drawn = [
            paths(f"course of {name}", [0], _line(x, heights[name]), 0, 0, f"{roles[name]} line", 2.5)
            for name in CHARTS
        ]
        ends = [float(heights[name][-1]) for name in CHARTS]
        found = np.flatnonzero(skipped)
        says = [f"{counted(int(skipped[at]), 'step')} of ten skipped" for at in found]
        return [
            *drawn,
            boxes("ends", range(3), x[-1] - 4, np.array(ends) - 4, 8, 8, [f"{roles[name]} round" for name in CHARTS]),
            texts("skips", found, x[found], _height("scale", -1.2), ["×"] * len(found), "bad bold", 14, says=says),
        ]

    def say(self, state):
        if not state.step:
            return f"Before the first of {state.planned} steps: the map is chance."
        skipped = int(state.skipped.sum())
        told = f"{counted(skipped, 'step')} skipped" if skipped else "no step skipped"
        zeros = "none of the gradients" if not state.zeros else f"{percent(state.zeros)} of the gradients"
        return (
            f"Step {state.step} of {state.planned}: loss {_now(state)['loss']}; {zeros} became 0; {told}; "
            f"loss scale {_now(state)['scale']}."
        )


def _now(state):
    if not state.step:
        return {"loss": "", "lost": "", "scale": ""}
    loss = number(state.loss, 2) if np.isfinite(state.loss) else "not a number"
    power = int(np.log2(state.scale))
    return {"loss": loss, "lost": percent(state.zeros), "scale": "2" + f"{power}".translate(RAISED)}


def _height(name, value):
    top, high, low, most, _ = CHARTS[name]
    return top + high * (most - np.clip(value, low, most)) / (most - low)


def _line(x, y):
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True)) if len(x) > 1 else f"M{x[0]} {y[0]}h1"
