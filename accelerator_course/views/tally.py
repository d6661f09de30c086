"""Tally: what has been counted so far, as bars that grow from zero into the outline of what they will reach."""

from dataclasses import dataclass
from functools import cache

from accelerator_course.views.stage import boxes, lines, texts

ROW, THICK = 27, 17  # from one bar to the next, and its thickness


@dataclass(frozen=True)
class Tally:
    """Rows of a name, a bar and its words from (left, top); all bars share one axis that begins at zero."""

    left: float  # of the bars
    top: float
    wide: float  # of the axis
    indent: float  # of the names, to the left of the bars
    names: tuple
    roles: tuple

    def marks(self, shares, ends, words):
        """Layers. `shares` and `ends` of the axis, 0 to 1: so far, and in the end; `words` at the right of each bar."""
        y, wide = _rows(self), [share * self.wide for share in shares]
        who = [f"counter: {name}" for name in self.names]
        yield from _still(self, tuple(ends))
        yield boxes("tally", range(len(y)), self.left, y, wide, THICK, self.roles, who=who, says=words)
        yield texts(
            "tally-words",
            range(len(y)),
            self.left + self.wide + 8,
            [each + THICK / 2 for each in y],
            words,
            "ink start",
        )


def _rows(tally):
    return [tally.top + ROW * row for row in range(len(tally.names))]


@cache
def _still(tally, ends):
    """What stays the same during a run: outlines, names, the line of zero."""
    y, left = _rows(tally), tally.left
    wide, outline = [end * tally.wide for end in ends], [f"{role} line dashed" for role in tally.roles]
    middle, bold = [each + THICK / 2 for each in y], [f"{role} bold start" for role in tally.roles]
    return [
        boxes("tally-ends", range(len(y)), left, y, wide, THICK, outline),
        lines("tally-zero", [0], left, y[0] - 5, left, y[-1] + THICK + 5, "ink", 1.5),
        texts("tally-names", range(len(y)), left - tally.indent, middle, tally.names, bold),
    ]
