"""Bounds: what physics alone allows, without a fitted constant, beside what was measured, as factors of speeds."""

from dataclasses import dataclass, replace
from statistics import median

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, Seconds, checked
from accelerator_lib.validation.rows import KINDS as WORDS
from accelerator_lib.validation.rows import Kind, every, has_share

LEAST = 3  # rows of a kind whose median is told


@dataclass(frozen=True)
class Against:
    """Rows of a kind, or of all: those that count, and have a bound."""

    kind: str
    rows: tuple
    typical: float  # median factor
    by_kind: tuple  # (kind, rows, median factor), those nearest to their bound first
    waiting: frozenset = frozenset()  # kinds whose rows are still drawn on their bound
    last: str = ""  # the kind that left it last

    @property
    def beaten(self):
        return sum(row.reached > 1 for row in self.rows)

    @property
    def shares(self):
        return tuple(1.0 if row.kind in self.waiting else row.reached for row in self.rows)

    @property
    def lasts(self):
        """(rows, median factor) of the kind that left its bound last; () before the first has."""
        return next((tuple(lasts) for kind, *lasts in self.by_kind if kind == self.last), ())


@checked
def against(kind: Kind = "all"):
    """Against of a kind, or of all rows that were read in their source and are no claims. Raises NotAvailable."""
    counted = [row for row in every() if row.fitted and has_share(row)]
    rows = tuple(row for row in counted if kind in ("all", row.kind))
    if not rows:
        raise NotAvailable(f"of {WORDS[kind]} no row counts")
    own = {kind: [row for row in counted if row.kind == kind] for kind in WORDS}
    by_kind = [(kind, len(its), _typical(its)) for kind, its in own.items() if len(its) >= LEAST]
    return Against(kind, rows, _typical(rows), tuple(sorted(by_kind, key=lambda each: each[2])))


def fall():
    """Yield Against: every row on its bound, then kind after kind where it was measured, those nearest first."""
    found, order = against(), [kind for kind, *_ in against().by_kind]
    yield replace(found, waiting=frozenset(order))
    for n, last in enumerate(order):
        yield replace(found, waiting=frozenset(order[n + 1 :]), last=last)


TOLD = ("decode", "training", "collective", "prefill", "serving", "attention")  # kinds that questions ask for


@checked
def expected(kind: OneOf(TOLD), seconds: Seconds):
    """How long what a bound allows in some seconds typically takes [s], by the rows of its kind."""
    return seconds * against(kind).typical


def _typical(rows):
    return median(1 / row.reached for row in rows)
