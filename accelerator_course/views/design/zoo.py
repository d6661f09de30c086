"""The zoo: a dot for each record of an accelerator, by year and by figure; those without one stand below."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import counted, si

LEFT, WIDE, TOP, HIGH = 66, 470, 46, 300  # of the field with the dots
FIRST, LAST = 2015, 2025
SHELF, DOT = 386, 9  # y of those without a figure; size of a dot
LIST = 566  # x of the list at the right
SPAN = {"chip": (1e11, 1e18), "W": (1e10, 1e14), "mm²": (1e10, 1e13), "$/h": (1e13, 1e16)}
ROLES = {
    "gpu": "compute round", "tpu": "memory", "sram": "other", "edge": "good round", "soc": "good",
    "cpu": "muted round", "fpga": "muted", "exotic": "bad round",
}  # fmt: skip
UNITS = {"chip": "OP/s", "W": "OP/s a watt", "mm²": "OP/s a mm²", "$/h": "OP/s a dollar an hour"}


class Zoo(Stage):
    """The zoo: accelerators by year and by what they do per chip, watt, square millimetre or dollar.

    >>> view = Zoo(design.zoo.KINDS)
    >>> view.show(design.zoo.look())
    >>> view.show(design.zoo.look("all", "16 bits", "chip", False))
    >>> view.show(design.zoo.look("edge", "INT8", "W"))
    >>> view.show(design.zoo.look("all", "FP4", "mm²"))
    """

    size, noun = (746, 494), "zoo"

    def __init__(self, kinds):
        """`kinds`: {key: its name}."""
        self.kinds = kinds

    def marks(self, sight):
        """`sight`: design.zoo.Sight."""
        low, high = SPAN[sight.per]
        decades = 10.0 ** np.arange(np.log10(low), np.log10(high) + 0.5)
        y = self._y(decades, sight.per)
        years, places = np.arange(FIRST, LAST + 1, 2), self._places(sight)
        return [
            lines("grid", range(len(decades)), LEFT, y, LEFT + WIDE, y, "muted faint", 1),
            texts("ticks", range(len(decades)), LEFT - 8, y, [_short(d) for d in decades], "muted end", 12),
            texts("years", years, _x(years), TOP + HIGH + 16, [str(year) for year in years], "muted", 12),
            texts("head", range(2), [16, LEFT - 8], [16, SHELF], [self._head(sight), "blank"],
                  ["ink bold start", "muted end"], [14, 12]),
            self._twins(sight, places),
            self._dots(sight, places),
            *self._list(sight),
            *self._key(),
        ]  # fmt: skip

    def _y(self, values, per):
        low, high = np.log10(SPAN[per])
        return TOP + HIGH * (1 - (np.log10(np.clip(values, *SPAN[per])) - low) / (high - low))

    def _places(self, sight):
        """{id: (x, y)}: dots of one year that would lie on each other stand side by side."""
        places, taken, blank = {}, {}, {}
        for row, value in sight.rows:
            level = round(float(self._y(value, sight.per)), 1) if value else None
            n = 0
            if value:
                near = [spot for spot in taken.get(row.year, []) if abs(spot[0] - level) < DOT]
                used = {spot[1] for spot in near}
                while n in used:
                    n += 1
                taken.setdefault(row.year, []).append((level, n))
                x = _x(row.year) + DOT * ((n + 1) // 2) * (1 if n % 2 else -1)
                places[row.id] = (x, level)
            else:
                n = blank[row.year] = blank.get(row.year, -1) + 1
                places[row.id] = (_x(row.year) + (DOT + 1) * (n % 4 - 1.5), SHELF + (DOT + 1) * (n // 4))
        return places

    def _dots(self, sight, places):
        rows = sorted(sight.rows, key=lambda row: sight.kind in ("all", row[0].kind))
        ids = [row.id for row, _ in rows]
        x, y = np.array([places[id] for id in ids]).T
        roles = [_role(row.kind, sight.kind in ("all", row.kind), value) for row, value in rows]
        who = [f"{row.name} ({row.year})" for row, _ in rows]
        says = [self._says(row, value, sight) for row, value in rows]
        return boxes("dots", ids, x - DOT / 2, y - DOT / 2, DOT, DOT, roles, "", 12, who, says)

    def _twins(self, sight, places):
        """A line between two records of one part that differ."""
        found = {}
        for row, value in sight.rows:
            found.setdefault(row.part, []).append((row.id, value))
        pairs = [rows for rows in found.values() if len(rows) == 2 and rows[0][1] != rows[1][1]]
        ends = [(*places[a[0]], *places[b[0]]) for a, b in pairs]
        columns = np.array(ends).T if ends else np.zeros((4, 0))
        return lines("twins", [a[0] for a, _ in pairs], *columns, "muted dashed", 1)

    def _says(self, row, value, sight):
        words = f"{self.kinds[row.kind]}: {si(value, UNITS[sight.per]) if value else 'a number is not published'}"
        words += f"; basis: {row.basis}"
        if not sight.equal and row.printed:
            words += f"; counts {row.printed[1]}"
        if sight.per == "$/h" and row.offer:
            words += f"; {row.offer[0]:.2f} dollars an hour, {row.offer[1]}, {row.offer[2]}"
        return words

    def _list(self, sight):
        known = sight.known
        picked = known if len(known) <= 9 else (*known[:6], None, *known[-2:])
        y = TOP + 30 + 30 * np.arange(len(picked))
        names = ["…" if row is None else _cut(row[0].name) for row in picked]
        values = ["" if row is None else si(row[1], UNITS[sight.per].split(" a ")[0]) for row in picked]
        keys = ["between" if row is None else row[0].id for row in picked]
        count = f"{len(known)} with a figure" if known else "none has a figure"
        return [
            texts("count", range(2), LIST, [TOP, TOP + 30 + 30 * max(len(picked), 1)],
                  [count, f"{counted(len(sight.blank), 'record')} without"],
                  ["ink bold start", "muted start"], [13, 12]),
            texts("names", keys, LIST, y - 6, names, "ink start", 12),
            texts("values", keys, LIST, y + 8, values, "muted start", 12),
        ]  # fmt: skip

    def _key(self):
        i = np.arange(len(self.kinds))
        x, y = 16 + 186 * (i % 4), 458 + 20 * (i // 4)
        return [
            boxes("key", list(self.kinds), x, y - 5, DOT, DOT, [ROLES[kind] for kind in self.kinds]),
            texts("key words", list(self.kinds), x + 15, y, list(self.kinds.values()), "ink start", 12),
        ]

    def _head(self, sight):
        what = f"{sight.dtype}, dense" if sight.equal else "the largest figure in print"
        return f"{UNITS[sight.per]}: {what}"

    def say(self, sight):
        """How many have a figure, the best and the least."""
        known, kind = sight.known, "" if sight.kind == "all" else f", {self.kinds[sight.kind]}"
        if not known:
            return f"{self._head(sight)}{kind}: no record has all the numbers."
        ends = [f"{row.name} {si(value, UNITS[sight.per])}" for row, value in (known[0], known[-1])]
        said = f" (it counts {known[0][0].printed[1]})" if not sight.equal else ""
        return (
            f"{self._head(sight)}{kind}: {len(known)} of {len(known) + len(sight.blank)} records have a figure, "
            f"from {ends[0]}{said} to {ends[1]}."
        )


def _role(kind, chosen, value):
    base, *shape = ROLES[kind].split()
    how = [] if chosen and value else ["line"] if chosen else ["faint"]
    return " ".join([base if chosen else "muted", *shape, *how])


def _x(year):
    return LEFT + 24 + (WIDE - 48) * (np.asarray(year) - FIRST) / (LAST - FIRST)


def _short(value):
    return si(value, "").replace(" ", "")


def _cut(name, most=25):
    name = name.partition(" (")[0].removeprefix("NVIDIA ").removeprefix("Qualcomm ").removeprefix("AMD/Xilinx ")
    return name if len(name) <= most else name[: most - 1] + "…"
