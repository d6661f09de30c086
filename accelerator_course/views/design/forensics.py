"""Forensics: a figure in print, taken apart into the factors behind it."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.units import number, si

LEFT, WIDE, TOP, ROW = 286, 440, 96, 30
FIRST, STEP = 48, 34  # of the list at the left
UNITS = {"peak": "OP/s", "link": "B/s", "per watt": "OP/s a watt"}
WORDS = {
    "macs": "multiply-accumulates a cycle", "two": "operations in each", "clock": "clock", "watts": "power",
}  # fmt: skip
TELLS = {
    "sparse": "Products with zeros are counted that nobody computes.",
    "two-way": "Both directions of the links are added up.",
    "format": "The units work in other numbers.",
    "impossible": "No accelerator runs at the clock that it needs.",
    "mixed": "Numbers of two things in one.",
}


def rate(value, unit):
    """A rate in words; operations in T up to ten thousand of them, as data sheets print them."""
    if unit == "OP/s" and value is not None and 1e12 <= value < 1e16:
        return f"{number(value / 1e12, 4)} TOP/s"
    return si(value, unit)


class Forensics(Stage):
    """Forensics: twelve figures, rebuilt factor by factor.

    >>> view, frames = Forensics(), list(design.rebuilding.steps())
    >>> view.show(frames[0])
    >>> view.show(frames[17])
    >>> view.show(frames[40])
    >>> view.show(frames[-1])
    """

    size, noun = (746, 456), "step"

    def marks(self, now):
        """`now`: design.rebuilding.Frame."""
        return [*self._list(now), *self._chain(now), *self._bars(now), *self._verdict(now)]

    def _list(self, now):
        n = np.arange(now.of)
        y = FIRST + STEP * n
        names = [claim.name for claim, _ in now.done] + [now.claim.name] + [""] * (now.of - now.number)
        marks = [" + ".join(found) or "fine" for _, found in now.done]
        marks.append("" if now.found is None else " + ".join(now.found) or "fine")
        marks += [""] * (now.of - now.number)
        good = ["good" if word == "fine" else "bad" for word in marks]
        said = [claim.said for claim, _ in now.done] + [now.claim.said] + [""] * (now.of - now.number)
        roles = ["ink bold start" if i + 1 == now.number else "ink start" for i in n]
        here = boxes("here", [0], 8, FIRST + STEP * (now.number - 1) - 17, 252, 34, "muted tint")
        return [
            texts("list head", [0], 16, 18, "figures in print", "muted start", 12),
            here,
            texts("list", n, 16, y - 7, names, roles, 13, [f"figure {i + 1}" for i in n], said),
            texts("verdicts", n, 16, y + 8, marks, [f"{g} bold start" for g in good], 12),
        ]

    def _chain(self, now):
        claim = now.claim
        says = [self._factor(claim, factor) for factor in now.factors]
        keys = range(len(says))
        y = TOP + ROW * np.arange(len(says))
        shown = [factor.product for factor in now.factors]
        units = [
            "" if f.what in ("units",) else self._product(claim, f, p) for f, p in zip(now.factors, shown, strict=True)
        ]
        own = [f"“{claim.said}”", "doctored: made up here" if claim.doctored else ""]
        return [
            texts("name", range(2), LEFT, [20, 66], [claim.name, own[1]], ["ink bold start", "bad start"], [16, 12]),
            texts("said", [0], LEFT, 44, own[0], "ink start", 15),
            texts("factors", keys, LEFT, y, says, "ink start", 14),
            texts("products", keys, LEFT + WIDE, y, units, "muted end", 13),
        ]

    def _factor(self, claim, factor):
        part = claim.parts[factor.part]
        if factor.what == "units":
            sign = "+ " if factor.part else ""
            return f"{sign}{number(factor.value, 6)} {part.name}{f' ({part.of})' if part.of else ''}"
        if factor.what == "each":
            words = rate(factor.value, "B/s" if claim.quantity == "link" else "OP/s")
            return f"× {words} each, one way" if part.units > 1 else f"+ {part.name}: {words}"
        if factor.what == "clock":
            return (
                f"× {si(factor.value, 'Hz', 4)} {WORDS['clock']}" if factor.value else "× a clock that is not published"
            )
        if factor.what == "watts":
            return f"÷ {si(factor.value, 'W')} ({claim.watts_of})"
        return f"× {number(factor.value, 6)} {WORDS[factor.what]}"

    def _product(self, claim, factor, product):
        if product is None:
            return f"needs {si(claim.needed_hz, 'Hz')}"
        if factor.what in ("macs", "two"):
            return f"{number(product, 6)} a cycle"
        return rate(
            product, UNITS[claim.quantity] if factor.what == "watts" else "B/s" if claim.quantity == "link" else "OP/s"
        )

    def _bars(self, now):
        claim, rebuilt = now.claim, now.rebuilt
        top = max(claim.value, rebuilt or 0)
        values = [claim.value, rebuilt or 0]
        y = np.array([266, 312])
        unit = UNITS[claim.quantity]
        parts = (
            "its parts" if rebuilt else "its parts: not yet" if now.found is None else "its parts: no clock, no figure"
        )
        return [
            lines("zero", [0], LEFT, 258, LEFT, 338, "ink", 1.5),
            texts("bar names", range(2), LEFT + 6, y - 8, [f"in print: {rate(claim.value, unit)}",
                  f"{parts}: {rate(rebuilt, unit)}" if rebuilt else parts], "ink start", 13),
            boxes("bars", range(2), LEFT, y + 2, np.array(values) / top * WIDE, 18, ["muted", "compute"], "", 12,
                  ["the figure in print", "what its parts give"], [rate(value, unit) for value in values]),
        ]  # fmt: skip

    def _verdict(self, now):
        if now.found is None:
            return [texts("verdict", [], [], [], [])]
        if not now.found:
            words = ["Fine: dense, one format, one clock."]
        else:
            words = [f"{test}: {self._tell(now.claim, test)}" for test in now.found]
        words += [part.note for part in now.claim.parts if part.note]
        role = ["good bold start"] if not now.found else ["bad bold start"] * len(now.found)
        role += ["muted start"] * (len(words) - len(role))
        rows = [line for word, r in zip(words, role, strict=True) for line in _wrapped(word, r)]
        return [texts("verdict", range(len(rows)), LEFT, 362 + 20 * np.arange(len(rows)), [w for w, _ in rows],
                      [r for _, r in rows], 13)]  # fmt: skip

    def _tell(self, claim, test):
        if test == "sparse":
            return f"{number(claim.ratio)} times what it can do. {TELLS[test]}"
        if test == "impossible":
            return f"it needs {si(claim.needed_hz, 'Hz')}. {TELLS[test]}"
        if test == "format":
            return f"{claim.dtype.upper()} in print, {claim.parts[0].dtype.upper()} in the units. {TELLS[test]}"
        if test == "two-way":
            return f"one way {si(claim.rebuilt, 'B/s')}. {TELLS[test]}"
        if claim.reported_hz:
            real = claim.rebuilt * claim.reported_hz / claim.parts[0].clock_hz
            return f"devices report {si(claim.reported_hz, 'Hz')}, that is {rate(real, 'OP/s')}. {TELLS[test]}"
        if claim.watts:
            return f"operations of one chip, watts of another. {TELLS[test]}"
        return f"two kinds of units. {TELLS[test]}"

    def say(self, now):
        """The figure, the factors shown, and the verdict."""
        words = f"{now.claim.name}, “{now.claim.said}”"
        chain = " ".join(self._factor(now.claim, factor) for factor in now.factors)
        if now.found is None:
            return f"Figure {now.number} of {now.of}, {words}: {chain or 'not yet taken apart'}."
        judged = " ".join(f"{test}: {self._tell(now.claim, test)}" for test in now.found) or "fine."
        all_in = rate(now.rebuilt, UNITS[now.claim.quantity])
        return f"Figure {now.number} of {now.of}, {words}: {chain} = {all_in}; {judged}"


def _wrapped(words, role, most=60):
    """(line, role) of words in lines of at most so many letters."""
    rows, line = [], ""
    for word in words.split():
        if line and len(line) + len(word) >= most:
            rows.append((line, role))
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*rows, (line, role)]
