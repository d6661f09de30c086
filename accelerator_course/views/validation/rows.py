"""Every row a dot: predicted against measured, both as shares of the bound."""

from math import exp

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import number, percent

LEFT, TOP, SIDE, DOT = 62, 40, 376, 9  # of the square field; of a dot
LEAST = 0.01  # of the bound, at the ends of both axes
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
LIST, END, PITCH, FARTHEST, FEW = 470, 736, 44, 6, 70
LONG = 34  # letters of a name in the list


class Rows(Stage):
    """Every row: predicted against measured, as shares of its bound.

    >>> view = Rows(validation.rows.KINDS, validation.rows.FAMILIES)
    >>> view.show(validation.rows.look())
    >>> view.show(validation.rows.look("gemm", "hopper"))
    >>> view.show(validation.rows.look("decode", "tpu"))
    """

    size, noun, follows = (746, 470), "choice", True

    def __init__(self, kinds, families):
        """`kinds`, `families`: {name in the data: in words}."""
        self.kinds, self.families = kinds, families

    def marks(self, found):
        """`found`: validation.rows.Look."""
        rows = sorted(found.rows, key=lambda row: row.id in found.chosen)
        chosen = np.array([row.id in found.chosen for row in rows])
        held = np.array([row.held for row in rows])
        x, y = _across(np.array([row.reached for row in rows])), _up(np.array([row.foretold for row in rows]))
        ticks, end = np.array(TICKS), TOP + SIDE
        words = [percent(tick) for tick in TICKS]
        return [
            lines("grid up", range(len(ticks)), _across(ticks), TOP, _across(ticks), end, "muted faint", 1),
            lines("grid across", range(len(ticks)), LEFT, _up(ticks), LEFT + SIDE, _up(ticks), "muted faint", 1),
            texts("ticks x", range(len(ticks)), _across(ticks), end + 16, words, "muted", 12),
            texts("ticks y", range(len(ticks)), LEFT - 8, _up(ticks), words, "muted end", 12),
            texts("axes", [0, 1], [LEFT + SIDE / 2, LEFT - 46], [end + 38, TOP - 22],
                  ["measured, of the speed that the bound allows", "predicted, of the same"], ["ink", "ink start"], 13),
            lines("exact", [0, 1, 2], _across([LEAST, LEAST, 2 * LEAST]), _up([LEAST, 2 * LEAST, LEAST]),
                  _across([1, 0.5, 1]), _up([1, 1, 0.5]), ["ink", "muted dashed", "muted dashed"], [2, 1, 1]),
            texts("beside", [0, 1], [_across(0.0125), _across(0.2)], [_up(0.3), _up(0.02)],
                  ["thought faster", "thought slower"], "muted start", 12),
            self._intervals(found),
            boxes("dots", [row.id for row in rows], x - DOT / 2, y - DOT / 2, DOT, DOT,
                  pick(("muted faint", "compute round", "bad"), chosen * (2 - held)), "", 12,
                  [row.name for row in rows], [self._says(row) for row in rows]),
            *self._list(found),
        ]  # fmt: skip

    def _intervals(self, found):
        """Of few rows, from where to where 80 % should lie."""
        few = found.asked if len(found.asked) <= FEW else ()
        ends = np.array([row.ends for row in few]).reshape(-1, 2)
        x = _across(np.array([row.reached for row in few]))
        return lines("intervals", [row.id for row in few], x, _up(ends[:, 0]), x, _up(ends[:, 1]), "compute faint", 2)

    def _says(self, row):
        told = row.told
        marks = "" if row.held else " (outside)"
        claim = "" if row.fitted else "; a claim, or not read in its source: not counted"
        kind = self.kinds[row.kind]
        first = f"{kind[0].upper()}{kind[1:]}. Measured {number(row.measured, 4)} {row.unit}; predicted "
        ends = f"{number(told.value, 3)}, {number(told.low, 3)} to {number(told.high, 3)}{marks}"
        rest = f"bound {number(told.bound, 4)}; limit: {told.limit}{claim}. {row.stated}. Source: {row.title}"
        return f"{first}{ends}; {rest}"

    def _list(self, found):
        asked = sorted(found.asked, key=lambda row: -abs(row.off))[:FARTHEST]
        y = TOP + 58 + PITCH * np.arange(len(asked))
        keys = [row.id for row in asked]
        held = sum(row.held for row in found.asked)
        head = [f"{len(found.asked)} rows, {held} in their intervals" if found.asked else "no such row",
                "farthest off: predicted / measured speed" if found.asked else ""]  # fmt: skip
        says = [self._says(row) for row in asked]
        return [
            texts("head", [0, 1], LIST, [TOP, TOP + 22], head, ["ink bold start", "muted start"], [13, 12]),
            texts("names", keys, LIST, y, [_cut(row.workload) for row in asked], "ink start", 12,
                  [row.name for row in asked], says),
            texts("devices", keys, LIST, y + 16, [_where(row) for row in asked], "muted start", 12),
            texts("ratios", keys, END, y + 16, [number(row.speed, 3) for row in asked],
                  ["ink bold end" if row.held else "bad bold end" for row in asked], 13),
            boxes("key", [0, 1], LIST, [388, 408], DOT, DOT, ["compute round", "bad"]),
            texts("key words", [0, 1], LIST + 16, [392.5, 412.5], ["the interval holds it", "outside its interval"],
                  "ink start", 12),
        ]  # fmt: skip

    def say(self, found):
        """How many, how far off, how many intervals hold."""
        parts = [self.kinds.get(found.kind, ""), self.families.get(found.family, "")]
        parts += [_cut(row.title) for row in found.asked[:1] if found.source != "all"]
        what = ", ".join([part for part in parts if part]) or "all kinds"
        if not found.asked:
            return f"{what}: no published row is such."
        off = sorted(abs(row.off) for row in found.asked)
        held = sum(row.held for row in found.asked)
        clipped = sum(min(row.reached, row.foretold) < LEAST for row in found.asked)
        edge = f" {clipped} of them lie below 1 %, drawn at the edge." if clipped else ""
        return (
            f"{len(found.asked)} of {len(found.rows)} rows, {what}: half are within a factor of "
            f"{number(exp(off[len(off) // 2]), 3)}; {held} lie in their intervals.{edge}"
        )


def _across(share):
    return LEFT + SIDE * (1 - np.log(np.clip(share, LEAST, 1)) / np.log(LEAST))


def _up(share):
    return TOP + SIDE * np.log(np.clip(share, LEAST, 1)) / np.log(LEAST)


def _cut(words):
    return words if len(words) <= LONG else _ended(words)


def _ended(words):
    """What is long, cut: of a head and its detail the detail stays."""
    if ": " in words:
        return _cut(words.split(": ", 1)[1])
    return words[: LONG - 2].rsplit(" ", 1)[0] + " …"


def _where(row):
    words = f"{row.device}: {row.beside}" if row.beside else row.device
    return words if len(words) <= LONG else words[: LONG - 2].rsplit(" ", 1)[0].rstrip(",:") + " …"
