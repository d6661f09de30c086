"""Rows: every published row beside what constants said that never saw its publisher, as shares of its bound.

reached = measured / bound, foretold = predicted / bound, of a time the other way round; no row is above 1. A row is
named by what was run on what, and by what tells it from the others that ran the same there.
"""

from dataclasses import dataclass, field
from functools import cache, cached_property
from math import exp

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.door import predict
from accelerator_lib.validation.report import COLUMNS, Judged, judged, report

LONG, SHOWN = 28, 6  # letters of a condition that is worth telling; conditions that are told of a row
RESULTS = ("reported", "tokens_per", "method")  # found or done, not asked for
# conditions whose value tells by itself
BARE = ("pass", "options", "dtype", "framework", "library", "parallel", "algorithm", "mode", "level", "metric")
KINDS = {kind: its["name"] for kind, its in data.load("validation")["kinds"].items()}  # as a reader calls them
FAMILIES = data.load("validation")["family_names"]
LATER = {"mlperf": "MLPerf 5.1 and 6.1, not fitted"}  # results that no constant has seen: data/mlperf.yaml


@data.kept
def beside(kind):
    """{id: what tells it from those of the same workload and device, "" where it is alone} of all rows of a kind."""
    rows, alike, found = data.published(kind), {}, {}
    for id, row in rows.items():
        alike.setdefault((row.get("workload") or "", row["device"]), []).append(id)
    for ids in alike.values():
        more = {id: {"metric": rows[id]["metric"], "chips": rows[id].get("n_devices")} for id in ids}
        stated = {id: (rows[id].get("conditions") or {}) | more[id] for id in ids}
        found |= _told(stated) if len(ids) > 1 else {ids[0]: ""}
    return found


def name(kind, id):
    """What was run on what, and what tells the row from others; no two rows of a kind have the same."""
    row = data.published(kind)[id]
    return _name(row.get("workload"), row["device"], beside(kind)[id])


def _name(workload, device, more):
    return ", ".join(filter(None, (workload, device))) + (f": {more}" if more else "")


def _told(stated):
    """The fewest conditions that tell all of these rows apart, those that tell most first; at last, ids."""
    keys = list(dict.fromkeys(key for conditions in stated.values() for key in conditions))
    keys = [key for key in keys if all(len(str(each.get(key))) <= LONG for each in stated.values())]
    keys = [key for key in keys if not key.startswith(RESULTS)] or keys
    chosen, apart = [], 1
    while apart < len(stated):
        best = max(keys, key=lambda key: _apart(stated, [*chosen, key]), default=None)
        if best is None or _apart(stated, [*chosen, best]) == apart:
            return {id: f"{_words(each, chosen)}, {id}".removeprefix(", ") for id, each in stated.items()}
        chosen.append(best)
        apart = _apart(stated, chosen)
    return {id: _words(each, sorted(chosen, key=keys.index)) for id, each in stated.items()}


def _apart(stated, keys):
    return len({_words(each, keys) for each in stated.values()})


def _words(conditions, keys):
    given = [(key, conditions[key]) for key in keys if conditions.get(key) not in (None, "")]
    told = [f"{it}".replace("_", " ") if key in BARE else f"{key.replace('_', ' ')} {it}" for key, it in given]
    return ", ".join(told)


@dataclass(frozen=True, kw_only=True)
class Row(Judged):
    """One row, judged, in its own unit; the shares are as in the module's head."""

    kind: str
    family: str
    title: str  # of the source
    workload: str
    beside: str  # what tells it from the others of its workload and device
    stated: str  # conditions, in words
    unit: str

    @property
    def name(self):
        return _name(self.workload, self.device, self.beside)

    @property
    def reached(self):
        return self._share(self.measured)

    @property
    def foretold(self):
        return self._share(self.prediction.value)

    @property
    def ends(self):
        """The interval, as shares of the bound: (low, high)."""
        return tuple(sorted((self._share(self.prediction.low), self._share(self.prediction.high))))

    @property
    def lead(self):
        """log(predicted / measured speed): above 0 where the model thought the machine faster than it was."""
        return -self.off if self.prediction.faster_is_less else self.off

    @property
    def speed(self):
        """Predicted over measured speed, up to 8,103; 1 where both are nought."""
        return exp(min(self.lead, 9))

    def _share(self, value):
        bound = self.prediction.bound
        return bound / value if self.prediction.faster_is_less else value / bound


@dataclass(frozen=True)
class Look:
    """All rows, and which of them a reader asked for; `apart`: those of them without a bound to be a share of."""

    rows: tuple
    chosen: frozenset = field(repr=False)
    kind: str = "all"
    family: str = "all"
    apart: tuple = ()

    @cached_property
    def asked(self):
        return tuple(row for row in self.rows if row.id in self.chosen)

    @property
    def held(self):
        return sum(row.held for row in self.asked)

    @property
    def fast(self):
        return sum(row.speed > 1 for row in self.asked)

    @property
    def half(self):
        off = sorted(abs(row.off) for row in self.asked)
        return exp(off[len(off) // 2]) if off else 1.0


@cache
def every(by="publisher"):
    """Every Row that was judged, kind by kind; `by`: what was left out."""
    found = [(kind, each) for kind, reports in report().items() for each in reports[by].judged]
    return tuple(_row(kind, data.published(kind)[each.id], each) for kind, each in found)


@cache
def later():
    """Every Row of MLPerf's later rounds, foretold by the constants as they are."""
    return tuple(_later(row, predict(row)) for row in data.load("mlperf")["rows"])


def _later(row, told):
    each = judged(row, *(getattr(told, name) for name in (*COLUMNS, "limit")))
    return _row("serving", row, each, f"{row['conditions']['scenario']}, {row['conditions']['submitter']}")


def _row(kind, row, each, more=None):
    stated = [f"{name}: {value}" for name, value in (row.get("conditions") or {}).items() if value not in (None, "")]
    words = "; ".join(stated[:SHOWN]).replace("_", " ")
    words += f"; {len(stated) - SHOWN} more" if len(stated) > SHOWN else ""
    told = {"title": data.title(row), "workload": row.get("workload") or "", "beside": more or beside(kind)[each.id]}
    return Row(**vars(each), kind=kind, family=family(each.device), **told, stated=words, unit=row["unit"])


@cache
def family(device):
    """The family of a device's chip, `other` where it is one of few."""
    try:
        found = named(device)[1]
    except NotAvailable:
        return "other"
    return found if found in FAMILIES else "other"


def has_share(row):
    """Whether a row has a bound that it can be a share of: a stall of no cycles has none."""
    return row.prediction.bound > 0 and row.measured > 0 and row.prediction.value > 0


Kind = OneOf(("all", *KINDS, *LATER))
Family = OneOf(("all", *FAMILIES))


@checked
def look(kind: Kind = "all", family: Family = "all"):
    """Look at all rows that have a bound, or at LATER ones; those of a kind and a family of chips are set off."""
    there = later() if kind in LATER else every()
    rows, asked = tuple(filter(has_share, there)), {"kind": "all" if kind in LATER else kind, "family": family}
    fits = {one.id for one in there if all(it in ("all", getattr(one, name)) for name, it in asked.items())}
    chosen = frozenset(one.id for one in rows if one.id in fits)
    return Look(rows, chosen, kind, family, tuple(sorted(fits - chosen)))
