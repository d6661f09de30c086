"""Eight chips: some read prompts, the others write answers; beside it what users see where every chip does both."""

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import counted, si

CHIP, PITCH, CHIPS_TOP = 52, 64, 40
NAMES, TTFT, TPOT, WIDE = 164, 176, 470, 180  # right end of the names; left ends and width of the two scales
TOP, ROW, BAR = 196, 44, 20
MOST = 0.4, 0.03  # TTFT, TPOT at the end of their scales [s]
LIMITS = 0.2, 0.012  # the objective, as a dashed line [s]


class Ways(Stage):
    """What nine of ten users see, in four ways to use eight chips.

    >>> view = Ways()
    >>> view.show(llm.split.ways(6, 20, 0))
    >>> view.show(llm.split.ways(6, 20, 128))
    >>> view.show(llm.split.ways(2, 24, 512))
    """

    size, noun = (740, 400), "setting"

    def marks(self, ways):
        """`ways`: a split.Way of each, the one that splits the chips last."""
        return [*_chips(ways[-1].readers), *_scales(len(ways)), *_rows(ways)]

    def say(self, ways):
        waits = (f"{way.name} {si(way.ttft, 's')} and {si(way.tpot, 's')}" for way in ways)
        told = [f"{said} (its queue grows)" if way.growing else said for way, said in zip(ways, waits, strict=True)]
        return f"First token and time between tokens, for nine of ten users at most: {'; '.join(told)}."


def _chips(readers, count=8):
    """The chips of the last way."""
    place = np.arange(count)
    reads = place < readers
    x = 36 + PITCH * place + 68 * ~reads
    words = np.where(reads, "reads", "writes")
    ends = 36 + PITCH * readers - (PITCH - CHIP) + 4, 36 + PITCH * readers + 68 - 6
    return [
        texts("chips-title", [0], 36, 18, [f"{counted(readers, 'chip')} for prompts, {count - readers} for answers"],
              "ink bold start", 14),
        boxes("chips", place, x, CHIPS_TOP, CHIP, CHIP, np.where(reads, "compute tint", "memory tint").tolist(),
              words.tolist(), 14, [f"chip {n + 1}" for n in place],
              ["reads prompts" if r else "writes answers" for r in reads]),
        arrows("move", [0], ends[0], CHIPS_TOP + CHIP / 2, ends[1], CHIPS_TOP + CHIP / 2, "ink", 2.5),
        texts("moved", [0], sum(ends) / 2, CHIPS_TOP + CHIP + 14, ["caches move"], "ink", 12),
    ]  # fmt: skip


def _scales(count):
    lefts, bottom = np.array([TTFT, TPOT]), TOP + ROW * count
    limits = lefts + WIDE * np.array(LIMITS) / MOST
    return [
        texts("scale-names", range(2), lefts, TOP - 36, ["wait for the first token", "time between tokens"],
              "ink bold start", 13),
        lines("limits", range(2), limits, TOP - 10, limits, bottom, "good dashed", 2),
        texts("limit-words", range(2), limits, TOP - 18, [f"promised {si(one, 's')}" for one in LIMITS], "good", 12),
        lines("feet", range(2), lefts, TOP - 8, lefts, bottom, "muted", 1.5),
    ]  # fmt: skip


def _rows(ways):
    """Two bars for each way; one that does not end in the picture has a jagged end."""
    y = TOP + ROW * np.arange(len(ways))
    found = []
    for name, left, most, values in (("ttft", TTFT, MOST[0], [way.ttft for way in ways]),
                                     ("tpot", TPOT, MOST[1], [way.tpot for way in ways])):  # fmt: skip
        share = np.minimum(np.array(values) / most, 1)
        over = np.array(values) > most
        words = [f"{si(value, 's')}{' →' if beyond else ''}" for value, beyond in zip(values, over, strict=True)]
        found += [
            boxes(name, range(len(ways)), left, y + 6, WIDE * share, BAR,
                  ["other" if way.readers else "memory" for way in ways], "", 13, [way.name for way in ways], words),
            texts(f"{name}-words", range(len(ways)), left + WIDE + 8, y + 16, words, "ink bold start", 13),
        ]  # fmt: skip
    growing = [i for i, way in enumerate(ways) if way.growing]
    return [
        texts("ways", range(len(ways)), NAMES, y + 16, [way.name for way in ways], "ink end", 13),
        *found,
        texts("grows", growing, NAMES, y[growing] + 33, ["its queue grows"] * len(growing), "bad bold end", 12),
    ]
