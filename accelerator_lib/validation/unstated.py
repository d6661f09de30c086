"""Unstated: what a missing word costs. Every row that states a condition is foretold once with it and once without.

Both by the constants of data/calibration.yaml, which were fitted with the word: the cost of silence alone.
"""

from dataclasses import dataclass
from functools import cache
from math import exp
from statistics import median

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, one_of
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.validation.door import predict
from accelerator_lib.validation.fitting import fittable, miss

WORDS = data.load("validation")["silent"]  # kind -> what is left out: one condition, or several that say the same thing
ANY = tuple(dict.fromkeys(word for words in WORDS.values() for word in words))


@dataclass(frozen=True)
class Missing:
    """A word, the rows that state it, and what becomes of their predictions without it."""

    word: str
    rows: int
    lost: int  # rows that can then no longer be predicted at all
    stated: float | None  # median |log| of the rows that are left, as they stand; None where none is left
    unstated: float | None  # the same without the word
    worst: float | None  # the largest |log| without it

    @property
    def lost_share(self):
        return self.lost / self.rows

    @property
    def stated_error(self):
        """The typical error with the word, 0.1 for a tenth; None where no row is left."""
        return None if self.stated is None else exp(self.stated) - 1

    @property
    def unstated_error(self):
        return None if self.stated is None else exp(self.unstated) - 1

    @property
    def dearer(self):
        return 0.0 if self.stated is None else self.unstated - self.stated


@cache
def _row(kind, id, without):
    row = data.published(kind)[id]
    kept = {key: value for key, value in row["conditions"].items() if key not in without}
    try:
        return abs(miss(predict({**row, "conditions": kept}).value, row["value"]))
    except NotAvailable:
        return None


@checked
def missing(kind: OneOf(WORDS) = "training", word: OneOf(ANY) = "recomputation"):
    """Missing of one word of a kind."""
    one_of("word", word, WORDS[kind])
    without, known = tuple(WORDS[kind][word]), data.published(kind)
    ids = [id for id, row in known.items() if fittable(row) and set(without) & set(row["conditions"])]
    pairs = [(_row(kind, id, ()), _row(kind, id, without)) for id in ids]
    pairs = [pair for pair in pairs if pair[0] is not None]
    left = [pair for pair in pairs if pair[1] is not None]
    stated, unstated = ([pair[i] for pair in left] for i in (0, 1))
    numbers = (median(stated), median(unstated), max(unstated)) if left else (None, None, None)
    return Missing(word, len(pairs), len(pairs) - len(left), *numbers)


@checked
@cache
def costs(kind: OneOf(WORDS) = "training"):
    """Missing of each word of a kind: those that cost most rows first, then those that cost most certainty."""
    found = [missing(kind, word) for word in WORDS[kind]]
    return tuple(sorted(found, key=lambda each: (-each.lost_share, -each.dearer)))
