"""One layer of experts: who picks which, and how many are read."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, number, percent

LEFT, TOP, EDGE, WIDE = 20, 48, 250, 330
BARS = 330


class Experts(Stage):
    """Experts of a layer: those that some token picked are read; beside them, arithmetic and bytes.

    >>> view = Experts()
    >>> view.show(llm.experts.route(8, 2, 1))
    >>> view.show(llm.experts.route(8, 2, 8))
    >>> view.show(llm.experts.route(256, 8, 512))
    >>> view.show(llm.experts.route(1, 1, 1))
    """

    size, noun = (746, 360), "setting"

    def marks(self, routed):
        """`routed`: llm.experts.Routed."""
        cols = int(np.ceil(routed.experts**0.5))
        cell, at = EDGE / cols, np.arange(routed.experts)
        some = routed.tokens > 0
        words = [f"{n:,}" if cell > 26 else "" for n in routed.tokens]
        grid = [
            texts("head", [0], LEFT, 16, f"{counted(routed.experts, 'expert')} of one layer", "ink bold start", 14),
            texts("sub", [0], LEFT, 35, "blue: read in this step; number: tokens" if cell > 26 else
                  "blue: read in this step", "muted start", 12),
            boxes("experts", at, LEFT + cell * (at % cols), TOP + cell * (at // cols), cell - 2, cell - 2,
                  pick(("paper", "memory tint"), some), words, 13, [f"expert {i + 1}" for i in at],
                  [f"{counted(int(n), 'token')}" if n else "nobody picked it" for n in routed.tokens]),
            texts("drawn", [0], LEFT, TOP + EDGE + 20, f"in this draw {routed.read} are read", "memory bold start", 14),
        ]  # fmt: skip
        return [*grid, *_shares(routed)]

    def say(self, routed):
        """How many experts are read, and what each token computes with."""
        return (
            f"{counted(routed.batch, 'token')}, each picks {routed.active} of {counted(routed.experts, 'expert')}:"
            f" a step reads {number(routed.mean_read)} in the mean, {percent(routed.mean_read / routed.experts)}."
            f" An expert that is read works for {counted(routed.tokens_each, 'token')} in the mean; in this draw the"
            f" busiest for {routed.busiest:,}."
        )


def _shares(routed):
    shares = np.array([routed.active, routed.mean_read]) / routed.experts
    y = np.array([94, 176])
    words = [
        f"arithmetic of each token: {percent(shares[0])} of the experts",
        f"bytes of the step: {percent(shares[1])} of the experts",
    ]
    each = f"tokens of an expert: {number(routed.tokens_each)} in the mean, the busiest {routed.busiest:,}"
    return [
        texts("shares", range(2), BARS, y, words, ["compute bold start", "memory bold start"], 14),
        boxes("all", range(2), BARS, y + 14, WIDE, 22, "paper"),
        boxes("bars", range(2), BARS, y + 14, WIDE * shares, 22, ["compute", "memory"], who=["arithmetic", "bytes"],
              says=words),
        lines("zero", range(2), BARS, y + 10, BARS, y + 40, "ink", 1.2),
        texts("mean", [0], BARS, y[1] + 52, f"in the mean {counted(routed.mean_read, 'expert')}", "ink start", 13),
        texts("each", [0], BARS, 268, each, "ink bold start", 14),
    ]  # fmt: skip
