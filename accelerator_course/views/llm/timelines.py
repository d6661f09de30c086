"""A long prompt arrives among users who stream: their tokens and the pause, in real time."""

from itertools import pairwise

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import counted, number, si

LEFT, WIDE = 120, 600  # of the time axis
BEFORE, AFTER = -0.05, 0.85  # its ends [s]
OLD, NEW, AXIS = 92, 206, 262  # heights of the two lanes and of the axis
TICK = 34  # height of the mark of a token


class Pause(Stage):
    """When one user sees tokens, a stroke for each, while the prompt of another is read.

    >>> view = Pause()
    >>> clock = llm.serving.clock("llama-3-8b", "h100-sxm5")
    >>> view.show(llm.timelines.interrupt(31, 8192, None, clock))
    >>> view.show(llm.timelines.interrupt(31, 8192, 512, clock))
    >>> view.show(llm.timelines.interrupt(63, 8192, 148, clock))
    """

    size, noun = (740, 300), "setting"

    def marks(self, seen):
        """`seen`: timelines.Interrupted."""
        return [*_axis(), *_old(seen), *_new(seen)]

    def say(self, seen):
        gap, _ = seen.pause
        cut = f"in chunks: a step takes {seen.chunk:,} tokens at most" if seen.chunk else "whole"
        others = f"{counted(seen.users, 'user')} {'streams' if seen.users == 1 else 'stream'}"
        return (
            f"{others.capitalize()}; a prompt of {seen.prompt:,} tokens is read {cut}. Their longest pause: "
            f"{si(gap, 's')}. The newcomer's first token comes after {si(seen.ttft, 's')}."
        )


def _at(seconds):
    return LEFT + WIDE * (np.asarray(seconds) - BEFORE) / (AFTER - BEFORE)


def _axis():
    ticks = np.arange(0, 9) / 10
    x = _at(ticks)
    return [
        lines("axis", [0], _at(BEFORE), AXIS, _at(AFTER), AXIS, "muted", 1.5),
        lines("ticks", range(9), x, AXIS, x, AXIS + 5, "muted", 1.5),
        texts("numbers", range(9), x, AXIS + 16, [f"{1000 * tick:.0f}" for tick in ticks], "muted", 12),
        texts("unit", [0], LEFT - 14, AXIS + 16, ["ms"], "muted end", 12),
        lines("arrival", [0], _at(0), 40, _at(0), AXIS, "ink dashed", 1.5),
        texts("arrives", [0], _at(0) + 6, 30, ["a prompt arrives"], "ink start", 13),
    ]


def _old(seen):
    """A stroke for each token of a user who streams, and a bracket over the longest gap."""
    shown = np.array([at for at in seen.times if BEFORE <= at <= AFTER])
    x, (gap, begin) = _at(shown), seen.pause
    left, right = _at(begin), min(_at(begin + gap), _at(AFTER))
    y, middle = OLD + TICK / 2 + 14, (left + right) / 2
    return [
        texts("old", range(2), LEFT - 14, [OLD - 9, OLD + 9], ["one of those", "who stream"], "ink end", 13),
        lines("lane", [0], _at(BEFORE), OLD, _at(AFTER), OLD, "muted faint", 1),
        lines("tokens", range(len(x)), x, OLD - TICK / 2, x, OLD + TICK / 2, "memory", 2,
              [f"token {n + 1} shown here" for n in range(len(x))], [f"at {number(1000 * at)} ms" for at in shown]),
        lines("gap", range(3), [left, left, right], [y, y - 5, y - 5], [right, left, right], [y, y + 5, y + 5],
              "bad", 2.5),
        texts("gap-words", [0], max(middle, _at(0) + 92), y + 17, [f"longest pause {si(gap, 's')}"], "bad bold", 14),
    ]  # fmt: skip


def _new(seen):
    """The newcomer: the steps in which its prompt is read, a box each, and its first token."""
    ends = [at for at in seen.times if seen.begin - 1e-9 < at <= seen.ttft + 1e-9]
    pieces = [(a, min(b, AFTER)) for a, b in pairwise(ends) if a < AFTER]
    x, end = _at([a for a, _ in pieces]), _at([b for _, b in pieces])
    first, inside = _at(seen.ttft), seen.ttft <= AFTER
    words = f"first token: {si(seen.ttft, 's')}"
    spot, role = (first, "ink bold end") if first > _at(0.45) else (first, "ink bold start")
    return [
        texts("new", range(2), LEFT - 14, [NEW - 9, NEW + 9], ["the", "newcomer"], "ink end", 13),
        boxes("pieces", range(len(x)), x, NEW - 13, np.maximum(end - x - 0.8, 0.6), 26, "compute",
              who=[f"step {n + 1} of the prompt" for n in range(len(x))],
              says=[f"takes {si(b - a, 's')}" for a, b in pieces]),
        arrows("first", [0][:inside], first, NEW + 40, first, NEW + 16, "ink", 2.5),
        texts("first-word", [0], min(spot, _at(AFTER)), NEW - 26, [words], role, 14),
    ]  # fmt: skip
