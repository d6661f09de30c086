"""Adding: what one number buys. A kind calibrated constant by constant, judged on rows that it saw and on such as not.

First the bound alone, then the model with every constant as good as can be; then one constant after the other, the one
that helps most; values for families; at last a set for each publisher, and each row by the sets of the others. What
came of it stands in data/validation_steps.yaml (Ladder, make calibrate).
"""

from dataclasses import dataclass
from math import copysign, exp, fsum
from statistics import mean
from types import SimpleNamespace

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, OneOf, checked
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.fitting import DIGITS, FAR, Ground, miss, wrong
from accelerator_lib.validation.judging import left_out
from accelerator_lib.validation.record import less_is_better
from accelerator_lib.validation.report import band
from accelerator_lib.validation.rows import every

BOUND, IDEAL = "the bound alone", "the model, nothing lost"
FAMILIES = "own values for families of chips"
OWN, STRANGE = "a set of its own for each publisher", "each publisher by the sets of the others"


class Ladder:
    """Fits a kind in steps: `climb` gives what data/validation_steps.yaml holds of it."""

    def __init__(self, kind, rows):
        self.ground, self.steps, self.off, self.fits = Ground(kind, rows), [], {}, {}
        self.module, self.groups = self.ground.module, left_out([row for row in rows if row["id"] in self.ground.rows])
        self.sign = {id: -1 if less_is_better(row) else 1 for id, (row, _) in self.ground.rows.items()}
        self.best = self._best()

    def climb(self):
        """{"steps": [[added, value, constants, seen, unseen] ...], "off": {row: [log ...]}}"""
        self._note(BOUND, None, 0, *[self._bounds()] * 2)
        ideal = self.ground.errors(self.best, self.ground.rows)
        self._note(IDEAL, None, 0, ideal, ideal)
        chosen = []
        while len(chosen) < len(self.module.FREE):
            left = [name for name in self.module.FREE if name not in chosen]
            chosen.append(min(left, key=lambda name: self._typical(self._errors(self._fit([*chosen, name])))))
            fitted = self._fit(chosen)
            self._note(chosen[-1], fitted[chosen[-1]], len(chosen), self._errors(fitted), self._unseen(chosen))
        if families := self.module.BY_FAMILY:
            fitted = self._fit(chosen, families)
            if len(fitted) > len(chosen):
                self._note(FAMILIES, None, len(fitted), self._errors(fitted), self._unseen(chosen, families))
        self._by_publisher(chosen)
        return {"steps": self.steps, "off": self.off}

    def _by_publisher(self, chosen):
        ids = {name: [row["id"] for row in rows] for name, rows in self.groups.items()}
        own = {name: self._fit(chosen, (), its) for name, its in ids.items()}
        seen, strange = {}, {}
        for name, its in ids.items():
            seen |= self.ground.errors(own[name], its)
            others = [self.ground.errors(values, its) for other, values in own.items() if other != name]
            for id in its:  # on average, to the side on which they lie together
                off = [errors[id] for errors in others]
                strange[id] = copysign(mean(min(abs(each), FAR) for each in off), fsum(off))
        many = sum(len(self._asked(its)) for its in ids.values())
        self._note(OWN, None, many, seen, None)
        self._note(STRANGE, None, many, seen, strange)

    def _note(self, added, value, free, seen, unseen):
        typical = None if unseen is None else self._typical(unseen)
        self.steps.append([added, value, free, self._typical(seen), typical])
        for id, off in (unseen or seen).items():
            self.off.setdefault(id, []).append(round(self.sign[id] * off, 3))

    def _asked(self, ids):
        start = Constants(self.best)
        return {name for id in ids for name, _ in self.ground.off(id, start)[1]}

    @staticmethod
    def _typical(errors):
        return round(mean(min(abs(off), FAR) for off in errors.values()), 4)

    def _bounds(self):
        best, rows = Constants(self.best), self.ground.rows.items()
        return {id: miss(self.module.estimate(row, best).bound, measured) for id, (row, measured) in rows}

    def _best(self):
        """{constant: the end of its range that makes the machine fastest}"""
        free = self.module.FREE
        start = {name: at for name, (_, at, _) in free.items()}

        def haste(name, end):
            errors = self.ground.errors(start | {name: end}, self.ground.rows)
            return round(fsum(self.sign[id] * off for id, off in errors.items()), DIGITS)

        return {name: max(low, high, key=lambda end: haste(name, end)) for name, (low, _, high) in free.items()}

    def _fit(self, chosen, families=(), ids=None):
        """{name: value} with some constants free, the others as good as can be; never worse than with one fewer."""
        ids = frozenset(self.ground.rows if ids is None else ids)
        key = tuple(chosen), families, ids
        if key not in self.fits:
            tried = [self._fitted(chosen, families, ids)]
            if len(chosen) > 1 and not families:
                tried.append(self._fit(chosen[:-1], (), ids))
            self.fits[key] = min(tried, key=lambda values: wrong(self._errors(values, ids).values()))
        return self.fits[key]

    def _fitted(self, chosen, families, ids):
        free = {name: self.module.FREE[name] if name in chosen else (at,) * 3 for name, at in self.best.items()}
        ground = Ground.__new__(Ground)
        ground.__dict__ |= self.ground.__dict__ | {"fits": {}}
        ground.module = SimpleNamespace(FREE=free, BY_FAMILY=families, estimate=self.module.estimate)
        return ground.fit(ids)

    def _errors(self, values, ids=None):
        return self.ground.errors(values, self.ground.rows if ids is None else ids)

    def _unseen(self, chosen, families=()):
        found, every = {}, set(self.ground.rows)
        for rows in self.groups.values():
            ids = {row["id"] for row in rows}
            found |= self._errors(self._fit(chosen, families, every - ids), ids)
        return found


KINDS = ("memory_bandwidth", "gemm", "attention", "collective", "training", "decode", "prefill", "serving")
WORDS = data.load("validation")["constants"]  # what they stand for


@dataclass(frozen=True)
class Step:
    """One more constant."""

    kind: str
    place: int
    added: str
    value: float | None
    free: int  # constants
    seen: float  # mean |log(predicted / measured)| of the rows that it was fitted to
    unseen: float | None  # of rows whose publisher it never saw; None where every publisher has its own
    off: dict  # row -> log(predicted / measured speed), in all steps of the same rows
    names: dict  # row -> what it is
    before: tuple = ()  # (added, free, seen, unseen) of the steps so far, this one last

    @property
    def speeds(self):
        return {id: exp(off) for id, off in self.off.items()}

    @property
    def factors(self):
        """(on rows that it saw, on others or None) of each step so far, as factors."""
        return tuple((exp(seen), None if unseen is None else exp(unseen)) for *_, seen, unseen in self.before)

    @property
    def on_seen(self):
        return exp(self.seen)

    @property
    def on_unseen(self):
        return None if self.unseen is None else exp(self.unseen)


@checked
def steps(kind: OneOf(KINDS) = "gemm"):
    """Yield a Step for the bound, the model without losses, each constant, families, and a set for each publisher."""
    entry, before = data.load("validation_steps")[kind], []
    names = {row.id: row.name for row in every() if row.kind == kind}
    for place, (added, value, free, seen, unseen) in enumerate(entry["steps"]):
        before.append((added, free, seen, unseen))
        off = {id: numbers[place] for id, numbers in entry["off"].items()}
        yield Step(kind, place, added, value, free, seen, unseen, off, names, tuple(before))


@checked
def step(kind: OneOf(KINDS) = "gemm", place: Count(low=0, high=20) = 0):
    """The Step at a place, 0 the bound alone; the last one for any place beyond."""
    found = list(steps(kind))
    return found[min(place, len(found) - 1)]


def drawn(step, other, draws=4000):
    """(5th, 95th percentile) of how much farther off one Step is than another, publishers drawn anew."""
    found = {}
    for id, off in step.off.items():
        name = data.publisher(data.published(step.kind)[id]["source"])
        found.setdefault(name, []).append(min(abs(off), FAR) - min(abs(other.off[id]), FAR))
    return band(found, draws)
