"""Forensics: a figure in print, taken apart into the factors behind it, one factor a frame."""

import textwrap
from dataclasses import dataclass

import numpy as np

from accelerator_course.views.kit import bars, below, rows, words
from accelerator_course.views.stage import Stage, boxes, lines, texts
from accelerator_lib.design.forensics import Claim
from accelerator_lib.units import number, scaled, si

LEFT, WIDE, FIRST, STEP = 286, 440, 48, 34  # of the figure, of the list at its left
UNITS = {"peak": "OP/s", "link": "B/s", "per watt": "OP/s a watt"}
PER_CYCLE = {"macs": "multiply-accumulates a cycle", "two": "operations in each"}
MEANS = {
    "sparse": "It counts products with zeros, which nobody computes.",
    "two-way": "Both directions of the links are added up.",
    "format": "The units use another format.",
    "impossible": "No accelerator runs at that clock.",
    "mixed": "It mixes two different things.",
}


@dataclass(frozen=True)
class Frame:
    """One figure with the factors shown so far, judged in its last frame; `done`: the figures before it."""

    number: int  # counts figures from 1
    of: int
    claim: Claim
    shown: int
    judged: bool
    done: tuple

    factors = property(lambda self: self.claim.factors[: self.shown])
    # what the parts give, once all of their factors are shown and known
    rebuilt = property(lambda self: self.claim.rebuilt if self.shown == len(self.claim.factors) else None)


def frames(claims):
    """Yield Frame: every claim first alone, then factor by factor, then judged."""
    claims = tuple(claims)
    for place, claim in enumerate(claims):
        last = len(claim.factors)
        for shown in range(last + 2):
            yield Frame(place + 1, len(claims), claim, min(shown, last), shown > last, claims[:place])


def rate(value, unit):
    """A rate in words; operations in T up to ten thousand of them, as datasheets print them."""
    if unit == "OP/s" and value is not None and 1e12 <= value < 1e16:
        return f"{scaled(value, 1e12, 4)} TOP/s"
    return si(value, unit)


class Forensics(Stage):
    """Forensics: twelve figures, rebuilt factor by factor.

    >>> view, all_frames = Forensics(), list(frames(design.forensics.claims().values()))
    >>> view.show(all_frames[0]), view.show(all_frames[17]), view.show(all_frames[40]), view.show(all_frames[-1])
    """

    size, noun = (746, 456), "step"

    def marks(self, now):  # Frame
        known, claim, n, unit = [*now.done, now.claim], now.claim, range(now.shown), UNITS[now.claim.quantity]
        y, figures, names = rows(FIRST, STEP, now.of)[: len(known)], range(len(known)), [one.name for one in known]
        marks = [" + ".join(one.fails) or "fine" for one in (known if now.judged else now.done)]
        roles = ["ink bold start" if i + 1 == now.number else "ink start" for i in figures]
        who, said = [f"figure {i + 1}" for i in figures], [one.said for one in known]
        judged = ["good bold start" if mark == "fine" else "bad bold start" for mark in marks]
        doctored = "doctored: made up here" if claim.doctored else ""
        head = (LEFT, 20, claim.name, "ink bold start", 16), (LEFT, 44, f"“{claim.said}”", "ink start", 15)
        yield words("list head", (16, 18, "figures in print", "muted start", 12))
        yield boxes("here", [0], 8, FIRST + STEP * (now.number - 1) - 17, 252, 34, "muted tint")
        yield texts("list", figures, 16, y - 7, names, roles, 13, who, said)
        yield texts("verdicts", range(len(marks)), 16, y[: len(marks)] + 8, marks, judged, 12)
        yield words("figure", *head, (LEFT, 66, doctored, "bad start", 12))
        y, products = rows(96, 30, now.shown), [self._product(claim, factor) for factor in now.factors]
        yield texts("factors", n, LEFT, y, [self._factor(claim, factor) for factor in now.factors], "ink start", 14)
        yield texts("products", n, LEFT + WIDE, y, products, "muted end")
        values, missing = np.array([claim.value, now.rebuilt or 0]), "no clock, no figure" if now.judged else "not yet"
        who, said = ["the figure in print", "what its parts give"], [rate(value, unit) for value in values]
        names = [f"in print: {said[0]}", f"its parts: {said[1] if now.rebuilt else missing}"]
        long = WIDE * values / values.max()
        yield lines("zero", [0], LEFT, 258, LEFT, 338, "ink", 1.5)
        yield below("bar names", LEFT + 6, 258, names, 46)
        yield from bars("bars", range(2), LEFT, rows(277, 46, 2), long, 18, ["muted", "compute"], who=who, says=said)
        text = [(f"{test}: {self._means(claim, test)}", "bad bold start") for test in claim.fails]
        text = text or [("Fine: dense, one format, one clock.", "good bold start")]
        text += [(part.note, "muted start") for part in claim.parts if part.note]
        cut = [(line, role) for sentence, role in text for line in textwrap.wrap(sentence, 60)]
        yield below("verdict", LEFT, 362, cut if now.judged else [], 20)

    def _factor(self, claim, factor):
        part, value = claim.parts[factor.part], factor.value
        if factor.what == "units":
            sign = "+ " if factor.part else ""
            return f"{sign}{number(value, 6)} {part.name}{f' ({part.of})' if part.of else ''}"
        if factor.what == "each":
            text = rate(value, "B/s" if claim.quantity == "link" else "OP/s")
            return f"× {text} each, one way" if part.units > 1 else f"+ {part.name}: {text}"
        if factor.what == "clock":
            return f"× {si(value, 'Hz', 4)} clock" if value else "× a clock that is not published"
        if factor.what == "watts":
            return f"÷ {si(value, 'W')} ({claim.watts_of})"
        return f"× {number(value, 6)} {PER_CYCLE[factor.what]}"

    def _product(self, claim, factor):
        if factor.what == "units":
            return ""
        if factor.product is None:
            return f"needs {si(claim.needed_hz, 'Hz')}"
        if factor.what in PER_CYCLE:
            return f"{number(factor.product, 6)} a cycle"
        plain = "B/s" if claim.quantity == "link" else "OP/s"
        return rate(factor.product, UNITS[claim.quantity] if factor.what == "watts" else plain)

    def _means(self, claim, test):
        found = "two kinds of units"
        if test == "sparse":
            found = f"{number(claim.ratio)} times what it can do"
        elif test == "impossible":
            found = f"it needs {si(claim.needed_hz, 'Hz')}"
        elif test == "format":
            found = f"{claim.dtype.upper()} in print, {claim.parts[0].dtype.upper()} in the units"
        elif test == "two-way":
            found = f"one way {si(claim.rebuilt, 'B/s')}"
        elif claim.reported_hz:
            found = f"devices report {si(claim.reported_hz, 'Hz')}, that is {rate(claim.at_reported_hz, 'OP/s')}"
        elif claim.watts:
            found = "operations of one chip, watts of another"
        return f"{found}. {MEANS[test]}"

    def say(self, now):
        claim, head = now.claim, f"Figure {now.number} of {now.of}, {now.claim.name}, “{now.claim.said}”"
        chain = " ".join(self._factor(claim, factor) for factor in now.factors)
        if not now.judged:
            return f"{head}: {chain or 'not yet taken apart'}."
        judged = " ".join(f"{test}: {self._means(claim, test)}" for test in claim.fails) or "fine."
        return f"{head}: {chain} = {rate(now.rebuilt, UNITS[claim.quantity])}; {judged}"
