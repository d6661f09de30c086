"""Bounds: what physics alone allows, without a fitted constant, beside what was measured.

factor = bound / measured, of speeds       1: the bound is reached; of these rows none is below
"""

from dataclasses import dataclass, replace
from functools import cache
from math import ceil, floor, log10
from statistics import median

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, Seconds, checked
from accelerator_lib.validation.rows import KINDS as WORDS
from accelerator_lib.validation.rows import Kind, every, has_share

LEAST = 5  # rows of a kind whose median is told


@dataclass(frozen=True)
class Against:
    """Rows of a kind, or of all: those that count, and have a bound. Times stand as rates, so that more is better."""

    kind: str
    rows: tuple
    x: tuple  # the bound, in each row's own unit; of a time 1 / time
    y: tuple  # what was measured, as x
    units: tuple
    typical: float  # median factor
    by_kind: tuple  # (kind, rows, median factor), those nearest to their bound first
    waiting: frozenset = frozenset()  # kinds that still lie on their bound
    last: str = ""  # the kind that fell last

    @property
    def beaten(self):
        return sum(row.reached > 1 for row in self.rows)

    @property
    def powers(self):
        """(low, high): whole powers of ten, two at least, between which all bounds and all measurements lie."""
        low, high = log10(min(*self.x, *self.y)), log10(max(self.x))
        low = floor(min(low, high - 2))
        return low, max(ceil(high), low + 2)

    @property
    def heights(self):
        """Where each row lies now: at its bound, or where it was measured."""
        return tuple(x if row.kind in self.waiting else y for row, x, y in zip(self.rows, self.x, self.y, strict=True))

    @property
    def fallen(self):
        """Rows that lie where they were measured."""
        return sum(row.kind not in self.waiting for row in self.rows)

    def typical_of(self, kind):
        """The median factor of a kind with enough rows, else of all."""
        return {each: factor for each, _, factor in self.by_kind}.get(kind, self.typical)

    @property
    def factors(self):
        return tuple(1 / row.reached for row in self.rows)

    def within(self, factor):
        """Share of the rows whose bound is no more than so many times what was measured."""
        return sum(each <= factor for each in self.factors) / len(self.rows)


@checked
def against(kind: Kind = "all"):
    """Against of a kind, or of all rows that were read in their source and are no claims. Raises NotAvailable."""
    counted = [row for row in every() if row.fitted and has_share(row)]
    rows = tuple(row for row in counted if kind in ("all", row.kind))
    if not rows:
        raise NotAvailable(f"of {WORDS[kind]} no row counts")
    per = [-1 if row.prediction.faster_is_less else 1 for row in rows]
    return Against(
        kind,
        rows,
        tuple(row.prediction.bound**sign for row, sign in zip(rows, per, strict=True)),
        tuple(row.measured**sign for row, sign in zip(rows, per, strict=True)),
        tuple(dict.fromkeys(f"1/{row.unit}" if row.prediction.faster_is_less else row.unit for row in rows)),
        _typical(rows),
        tuple(sorted(_kinds(counted), key=lambda each: each[2])),
    )


def fall(kind: Kind = "all"):
    """Yield Against: every row on its bound, then kind after kind where it was measured, those nearest first."""
    found = against(kind)
    kinds = {row.kind for row in found.rows}
    yield replace(found, waiting=frozenset(kinds))
    order = [kind for kind, *_ in found.by_kind if kind in kinds] or [*kinds]
    for n, last in enumerate(order):  # of the few rows of other kinds nobody speaks: they fall with the first
        yield replace(found, waiting=frozenset(order[n + 1 :]), last=last)


TOLD = ("decode", "training", "collective", "prefill", "serving", "attention")  # kinds that questions ask for


@checked
def expected(kind: OneOf(TOLD), seconds: Seconds):
    """How long what a bound allows in some seconds typically takes [s], by the rows of its kind."""
    return seconds * against(kind).typical


@dataclass(frozen=True)
class Scores:
    """Median factors of attention: scores written to memory, or kept on chip; the largest source's part of the rows."""

    written: float
    kept: float
    largest: float


@cache
def scores():
    """Scores of the rows of attention that count."""
    from accelerator_lib.validation.attention import heads
    from accelerator_lib.validation.record import read

    rows, known = against("attention").rows, data.published("attention")
    kept = [bool(heads(read(known[row.id], ("attention",))).version) for row in rows]
    parts = [[row for row, its in zip(rows, kept, strict=True) if its is on_chip] for on_chip in (False, True)]
    sources = [row.source for row in rows]
    return Scores(*map(_typical, parts), max(map(sources.count, sources)) / len(rows))


def _kinds(rows):
    for kind in WORDS:
        own = [row for row in rows if row.kind == kind]
        if len(own) >= LEAST:
            yield kind, len(own), _typical(own)


def _typical(rows):
    return median(1 / row.reached for row in rows)
