"""A package with its dies to scale, and what one good package costs for every number of pieces so far."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, pick, texts
from accelerator_lib.units import counted, percent

PX = 4.0  # of a millimetre
FIELD = 26, 33  # mm
GAP, MARGIN = 2.0, 1.5  # mm between dies and around them
LEFT, TOP, FLOOR = 16, 36, 430
AXIS, BASE, HIGH, SLOT, BAR = 398, 392, 300, 42, 30
ROWS = {1: (1,), 2: (2,), 3: (3,), 4: (2, 2), 5: (3, 2), 6: (3, 3), 7: (4, 3), 8: (4, 4)}
PARTS = (("silicon", "compute"), ("assembly", "other"), ("lost", "bad"))


class Package(Stage):
    """Monolith or chiplets: the package to scale, a piece in the exposure field, dollars for each number of pieces.

    >>> view, run = Package(), list(silicon.package.splits(800))
    >>> view.show(run[0])
    >>> view.show(run[1])
    >>> view.show(run[7])
    >>> view.show(next(silicon.package.splits(1200)))
    """

    size, noun = (746, 446), "cut"

    def marks(self, split):
        """`split`: silicon.package.Split."""
        return [*self._package(split), *self._field(split), *self._bars(split)]

    def _package(self, split):
        wide, high = _sides(split.piece_mm2)
        rows = ROWS[split.pieces]
        across = max(rows) * (wide + GAP) - GAP
        x = np.concatenate([np.arange(n) * (wide + GAP) + (across - n * (wide + GAP) + GAP) / 2 for n in rows])
        y = np.repeat(np.arange(len(rows)) * (high + GAP), rows)
        down = len(rows) * (high + GAP) - GAP
        x0, y0 = LEFT + PX * MARGIN, TOP + PX * MARGIN
        role = "compute tint" if split.fits else "bad tint dashed"
        words = f"{split.piece_mm2:,.0f}" if wide * PX > 44 and split.pieces > 1 else ""
        words = f"{split.piece_mm2:,.0f} mm²" if split.pieces == 1 else words
        base = boxes("base", [0], LEFT, TOP, PX * (across + 2 * MARGIN), PX * (down + 2 * MARGIN), "muted tint")
        joined = [i for i in range(1, split.pieces) if y[i] == y[i - 1]]
        links = boxes(
            "links", joined, x0 + PX * (x[joined] - GAP), y0 + PX * (y[joined] + high / 2) - 4, PX * GAP, 8, "other"
        )
        dies = boxes(
            "dies",
            range(split.pieces),
            x0 + PX * x,
            y0 + PX * y,
            PX * wide,
            PX * high,
            role,
            words,
            13,
            who=[f"die {i + 1}" for i in range(split.pieces)],
            says=f"{split.piece_mm2:,.0f} mm², {_good(split)}",
        )
        head = texts("head", [0], LEFT, 16, "the package, to scale", "ink bold start", 14)
        return [base, links, dies, head]

    def _field(self, split):
        wide, high = _sides(split.piece_mm2)
        role = "compute tint" if split.fits else "bad tint"
        outline = boxes("field", [0], LEFT, FLOOR - PX * FIELD[1], PX * FIELD[0], PX * FIELD[1], "ink line dashed")
        die = boxes("one", [0], LEFT, FLOOR - PX * high, PX * wide, PX * high, role, who="one die", says=_good(split))
        told = [
            "one die; dashed: the",
            f"field, {FIELD[0]} × {FIELD[1]} mm",
            f"{split.piece_mm2:,.0f} mm²",
            _good(split) if split.fits else "does not fit",
        ]
        roles = pick(("ink start", "ink bold start", "bad bold start"), [0, 0, 1 if split.fits else 2, 0])
        words = texts("told", range(4), 170, FLOOR - 74 + 21 * np.arange(4), told, roles, 13)
        return [die, outline, words]

    def _bars(self, split):
        top, found = _nice(split.most), list(split.costs.items())
        scale, layers = HIGH / top, []
        made = [(n, cost) for n, cost in found if cost]
        floors = {n: 0.0 for n, _ in made}
        for name, role in PARTS:
            values = np.array([getattr(cost, name) for _, cost in made])
            below = np.array([floors[n] for n, _ in made])
            n = [n for n, _ in made]
            layers.append(
                boxes(
                    name,
                    n,
                    AXIS + SLOT * (np.array(n) - 1.0) + 6,
                    BASE - scale * (below + values),
                    BAR,
                    scale * values,
                    role,
                    who=[f"{counted(k, 'piece')}" for k in n],
                    says=[f"{name}: {value:,.0f} dollars" for value in values],
                )
            )
            floors = {k: floors[k] + value for k, value in zip(n, values, strict=True)}
        middles = AXIS + 6 + BAR / 2 + SLOT * np.arange(8.0)
        ends = [AXIS + 8 * SLOT + 4] * 3
        axis = lines(
            "axis",
            range(3),
            AXIS,
            BASE - HIGH * np.array([0, 0.5, 1]),
            ends,
            BASE - HIGH * np.array([0, 0.5, 1]),
            pick(("ink", "muted dashed faint"), [0, 1, 1]),
            [1.5, 0.8, 0.8],
        )
        ticks = texts(
            "ticks",
            range(3),
            AXIS - 6,
            BASE - HIGH * np.array([0, 0.5, 1]),
            ["0", _usd(top / 2), _usd(top)],
            "muted end",
            12,
        )
        names = texts(
            "pieces",
            range(8),
            middles,
            BASE + 15,
            [str(n) for n in range(1, 9)],
            pick(("muted", "ink bold"), [int(n + 1 == split.pieces) for n in range(8)]),
            13,
        )
        unit = texts("unit", [0], AXIS - 4, BASE + 15, "pieces", "muted end", 13)
        totals = [_usd(cost.total) if cost else "✕" for _, cost in found]
        heights = [BASE - scale * cost.total - 10 if cost else BASE - 12 for _, cost in found]
        marks = [2 if not cost else int(n == split.best) for n, cost in found]
        sums = texts(
            "sums",
            [n for n, _ in found],
            middles[: len(found)],
            heights,
            totals,
            pick(("ink", "good bold", "bad bold"), marks),
            12,
        )
        least = [split.best] if split.best else []
        star = texts(
            "least",
            [0] * len(least),
            [middles[n - 1] for n in least],
            BASE + 36,
            ["least"] * len(least),
            "good bold",
            13,
        )
        keys = boxes("keys", range(3), [AXIS - 4, AXIS + 100, AXIS + 218], 38, 12, 12, [role for _, role in PARTS])
        said = texts(
            "said", range(3), [AXIS + 14, AXIS + 118, AXIS + 236], 44, ["silicon", "assembly", "lost"], "ink start", 13
        )
        head = texts("money", [0], AXIS - 4, 16, "dollars for one good package", "ink bold start", 14)
        return [axis, ticks, *layers, names, unit, sums, star, keys, said, head]

    def say(self, split):
        """What this cut costs, and which is cheapest so far."""
        if not split.fits and split.pieces == 1:
            return (
                f"One die of {split.piece_mm2:,.0f} mm² does not fit the exposure field of {FIELD[0] * FIELD[1]} mm²: "
                "there is no monolith."
            )
        if not split.fits:
            return f"{split.pieces} pieces of {split.piece_mm2:,.0f} mm²: even they do not fit the exposure field."
        cost, many = split.cost, counted(split.pieces, "piece")
        if split.pieces == 1:
            return (
                f"One die of {split.piece_mm2:,.0f} mm², {_good(split)}: {cost.total:,.0f} dollars, all of it silicon."
            )
        best = f"Least so far: {counted(split.best, 'piece')}, {split.costs[split.best].total:,.0f} dollars."
        return (
            f"{many} of {split.piece_mm2:,.0f} mm², {_good(split)}: {cost.total:,.0f} dollars, of which "
            f"{cost.silicon:,.0f} silicon, {cost.assembly:,.0f} assembly, {cost.lost:,.0f} lost. {best}"
        )


def _sides(area):
    """(width, height) [mm] of a die in the shape of the field."""
    wide = (area * FIELD[0] / FIELD[1]) ** 0.5
    return wide, area / wide


def _good(split):
    return f"{percent(split.good)} are good"


def _usd(value):
    return f"{value:,.0f}"


def _nice(value):
    """A round number at or above."""
    power = 10.0 ** np.floor(np.log10(max(value, 1)))
    return next(step * power for step in (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10) if step * power >= value)
