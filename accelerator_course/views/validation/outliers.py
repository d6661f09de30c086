"""One row beside what was foretold: its interval, the other rows of its kind, and where another count would put it."""

from math import log2

import numpy as np

from accelerator_course.views.stage import Stage, arrows, boxes, lines, texts
from accelerator_lib.units import number

LEFT, RIGHT, MIDDLE = 60, 680, 370
REACH = 2.0  # log2 of the ratios at the ends: a quarter, four times
TICKS = {0.25: "a quarter", 0.5: "half", 1: "as measured", 2: "twice", 4: "4 times"}
OTHERS, ROW, COUNTED, LOOKED = 170, 236, 306, 376  # lanes, each with its words above
STEP, STACKED = 9, 8  # pixels of a dot of the other rows; dots on top of each other at most


class Outliers(Stage):
    """A row that is far off: predicted over measured, as printed and counted in another way.

    >>> view = Outliers(validation.rows.KINDS)
    >>> first, second, *_ = validation.outliers.farthest()
    >>> view.show(validation.outliers.look(first))
    >>> view.show(validation.outliers.look(first, "twice as much"))
    >>> view.show(validation.outliers.look(second, "half of it", True))
    """

    size, noun = (740, 430), "row"

    def __init__(self, kinds):
        """`kinds`: {kind: its name}."""
        self.kinds = kinds

    def marks(self, row):
        """`row`: validation.outliers.Outlier."""
        x, y = _heaped([ratio for _, ratio in row.others])
        ends = [_at(each / row.factor) for each in (row.low, row.high)]
        at, moved = _at(row.ratio), _at(row.moved)
        ticks = list(TICKS)
        right = at + moved < 2 * MIDDLE  # the words of the third lane keep out of the arrow's way
        marks = [
            *(
                lines(
                    f"ticks-{lane}",
                    range(len(ticks)),
                    [_at(tick) for tick in ticks],
                    lane - 14,
                    [_at(tick) for tick in ticks],
                    lane + 14,
                    ["muted dashed", "muted dashed", "ink", "muted dashed", "muted dashed"],
                    1.5,
                )
                for lane in (OTHERS - 4, ROW, COUNTED, LOOKED)[: 4 if row.told and row.found is not None else 3]
            ),
            texts(
                "tick-words", range(len(ticks)), [_at(tick) for tick in ticks], 410, list(TICKS.values()), "muted", 12
            ),
            texts("head", [0], LEFT - 40, 16, f"{row.name[0].upper()}{row.name[1:]}", "ink bold start", 15),
            texts("axis", [0], LEFT - 40, 40, "predicted / measured speed", "muted start", 12),
            boxes(
                "others",
                range(len(x)),
                x,
                y,
                STEP - 2,
                STEP - 2,
                "muted round",
                who=[name for name, _ in row.others],
                says=[f"predicted {_times(ratio)}" for _, ratio in row.others],
            ),
            boxes(
                "band",
                [0],
                ends[0],
                COUNTED - 11,
                max(ends[1] - ends[0], 2),
                22,
                "good tint" if row.fits else "bad tint",
                who="interval",
                says="80 % of such rows should lie in it",
            ),
            boxes("row", [0], at - 7, ROW - 7, 14, 14, "compute round", who="as printed", says=f"{_times(row.ratio)}"),
            boxes(
                "moved",
                [0],
                moved - 7,
                COUNTED - 7,
                14,
                14,
                "good round" if row.fits else "bad round",
                who=row.counted,
                says=f"{_times(row.moved)}",
            ),
            arrows("shift", [0] * (abs(at - moved) > 20), at, ROW + 8, moved, COUNTED - 12, "muted", 1.5),
            texts(
                "words",
                [0, 1],
                LEFT - 40,
                [OTHERS - 92, ROW - 26],
                [f"the other rows: {self.kinds.get(row.kind, row.kind)}", f"this row: {_times(row.ratio)}"],
                ["muted start", "compute bold start"],
                13,
            ),
            texts(
                "counted",
                [0],
                RIGHT + 40 if right else LEFT - 40,
                COUNTED - 26,
                f"{row.counted}: {_times(row.moved)}, {'inside' if row.fits else 'outside'}",
                f"{'good' if row.fits else 'bad'} bold {'end' if right else 'start'}",
                13,
            ),
        ]
        if row.told and row.found is not None:
            marks += [
                boxes(
                    "found",
                    [0],
                    _at(row.found) - 7,
                    LOOKED - 7,
                    14,
                    14,
                    "memory",
                    who="looked at",
                    says=_times(row.found),
                ),
                texts(
                    "found-words",
                    [0],
                    LEFT - 40,
                    LOOKED - 26,
                    f"{_short(row.looked)}: {_times(row.found)}",
                    "memory bold start",
                    13,
                ),
            ]
        return marks

    def say(self, row):
        fits = "inside its interval" if row.fits else "outside its interval"
        numbers = f"predicted {number(row.predicted)}, measured {number(row.measured)} {row.unit}"
        said = f"{row.name[0].upper()}{row.name[1:]}: {numbers}: thought "
        if row.counted == "as printed":
            said += f"{_times(row.ratio)}, {fits}."
        else:
            said += f"{_times(row.ratio)}. Counted as {row.counted}: {_times(row.moved)}, {fits}."
        if not row.told:
            return said
        looked = f" Computed: {row.looked}, {_times(row.found)}." if row.found is not None else ""
        return f"{said} Cause, {row.grade}: {row.cause}{looked} Source: {row.source}."


def _times(ratio):
    return f"{ratio:.2f} times as fast"


def _short(words):
    return words if len(words) <= 72 else f"{words[:70]} …"


def _at(ratio):
    return MIDDLE + (RIGHT - LEFT) / 2 * min(max(log2(ratio), -REACH), REACH) / REACH


def _heaped(ratios):
    """Places of dots that lie on each other where they are many."""
    columns = [round((_at(ratio) - LEFT) / STEP) for ratio in ratios]
    seen, x, y = {}, [], []
    for column in columns:
        seen[column] = seen.get(column, -1) + 1
        x.append(LEFT + STEP * column - STEP / 2)
        y.append(OTHERS - STEP * (seen[column] % STACKED) - STEP)
    return np.array(x), np.array(y)
