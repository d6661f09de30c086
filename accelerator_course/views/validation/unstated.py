"""What a missing word costs: for each, the typical error with it and without it, and the rows that are lost."""

from math import exp

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, percent

LEFT, RIGHT, TOP, PITCH = 190, 500, 74, 44
LOST, WIDE = 540, 180
MOST = 0.4  # of the axis of errors
TICKS = (0, 0.1, 0.2, 0.3, 0.4)


class Unstated(Stage):
    """What a word costs that a source leaves out: error with it, error without it, rows that cannot be foretold.

    >>> view = Unstated()
    >>> view.show(validation.unstated.costs("training"))
    >>> view.show(validation.unstated.costs("attention"))
    >>> view.show(validation.unstated.costs("prefill"))
    """

    size, noun = (740, 450), "kind"

    def marks(self, words):
        """`words`: validation.unstated.Missing, the dearest first."""
        n = range(len(words))
        y = [TOP + PITCH * (place + 0.5) for place in n]
        end = TOP + PITCH * len(words)
        left = [place for place in n if words[place].stated is not None]
        with_, without = ([_at(getattr(words[i], name)) for i in left] for name in ("stated", "unstated"))
        lost = [each.lost / each.rows for each in words]
        return [
            lines(
                "ticks",
                range(len(TICKS)),
                [_x(tick) for tick in TICKS],
                TOP,
                [_x(tick) for tick in TICKS],
                end,
                "muted dashed",
                1,
            ),
            texts(
                "tick-words",
                range(len(TICKS)),
                [_x(tick) for tick in TICKS],
                end + 14,
                [percent(tick) for tick in TICKS],
                "muted",
                12,
            ),
            texts(
                "heads",
                [0, 1, 2],
                [12, (LEFT + RIGHT) / 2, LOST],
                22,
                ["left out", "typical error", "rows lost"],
                ["ink bold start", "ink bold", "ink bold start"],
                13,
            ),
            boxes("key", [0, 1], [LEFT + 40, LEFT + 150], 42, 11, 11, ["memory round", "bad"]),
            texts(
                "key-words",
                [0, 1],
                [LEFT + 56, LEFT + 166],
                48,
                ["stated", "left out"],
                ["memory start", "bad start"],
                12,
            ),
            texts("names", n, 12, y, [each.word for each in words], "ink start", 13),
            lines("stems", left, with_, [y[i] for i in left], without, [y[i] for i in left], "bad", 3),
            boxes(
                "stated",
                left,
                [x - 6 for x in with_],
                [y[i] - 6 for i in left],
                12,
                12,
                "memory round",
                who=[words[i].word for i in left],
                says=[f"stated: off by {_off(words[i].stated)}" for i in left],
            ),
            boxes(
                "unstated",
                left,
                [x - 6 for x in without],
                [y[i] - 6 for i in left],
                12,
                12,
                "bad",
                who=[words[i].word for i in left],
                says=[f"left out: off by {_off(words[i].unstated)}" for i in left],
            ),
            boxes(
                "lost",
                n,
                LOST,
                [each - 11 for each in y],
                [WIDE * share for share in lost],
                22,
                "bad tint",
                who=[each.word for each in words],
                says=[f"{each.lost} of {each.rows} cannot be predicted" for each in words],
            ),
            texts(
                "lost-words",
                n,
                LOST + 6,
                y,
                [f"{each.lost} of {counted(each.rows, 'row')}" for each in words],
                "ink start",
                12,
            ),
        ]

    def say(self, words):
        lost = [each for each in words if each.lost]
        worst = max(words, key=lambda each: each.dearer)
        parts = [
            f"without “{each.word}” {each.lost} of {counted(each.rows, 'row')} cannot be predicted" for each in lost
        ]
        if worst.dearer > 0:
            parts.append(
                f"without “{worst.word}” the typical error grows from {_off(worst.stated)} to {_off(worst.unstated)}"
            )
        said = "; ".join(parts)
        return f"{said[:1].upper()}{said[1:]}."


def _off(off):
    return percent(exp(off) - 1)


def _at(off):
    return _x(exp(off) - 1)


def _x(error):
    return LEFT + (RIGHT - LEFT) * min(error, MOST) / MOST
