"""The report: how far off every model is, row by row, as  make calibrate  last found it."""

from dataclasses import dataclass, field
from math import inf, nan
from statistics import mean

import numpy as np

from accelerator_lib import data
from accelerator_lib.validation.fitting import fittable, miss
from accelerator_lib.validation.record import Prediction, less_is_better

COLUMNS = ("value", "low", "high", "bound")


@dataclass(frozen=True)
class Judged:
    """One row: what was said of it by constants that never saw its publisher (file, device), and what was measured."""

    id: str
    prediction: Prediction
    measured: float
    off: float  # log(predicted / measured)
    fitted: bool  # whether it counts: seen, and no claim
    source: str = ""
    device: str = ""

    @property
    def publisher(self):
        return data.publisher(self.source)

    @property
    def held(self):
        return self.prediction.low <= self.measured <= self.prediction.high

    @property
    def beaten(self):
        return self.prediction.beaten(self.measured)


@dataclass(frozen=True)
class Report:
    """A kind, judged by what was left out: its rows, those that could not be predicted, those that beat their bound."""

    kind: str
    by: str  # publisher, source or device
    judged: tuple
    missing: dict = field(default_factory=dict)  # id -> why
    beaten: dict = field(default_factory=dict)  # id -> why it could, or None
    free: int = 0  # constants
    rows: int = 0  # fitted
    hand_set: tuple = ()  # rows that ask for a constant which only what is left out could tell: it stays as set by hand
    moved: tuple = ()  # medians if all constants had been set to half, and to twice; empty where none stays as set

    @property
    def within(self):
        return len({each.publisher for each in self.judged}) == 1

    @property
    def counted(self):
        return tuple(each for each in self.judged if each.fitted)

    @property
    def median(self):
        return self._percentile(0.5)

    @property
    def worst_tenth(self):
        return self._percentile(0.9)

    @property
    def coverage(self):
        return mean(each.held for each in self.counted) if self.counted else nan

    def band(self, draws=2000):
        """(5th, 95th percentile) of the coverage: publishers drawn anew, as rows of one go together."""
        held = {}
        for each in self.counted:
            held.setdefault(each.publisher, []).append(each.held)
        return band(held, draws)

    def _percentile(self, share):
        off = sorted(abs(each.off) for each in self.counted)
        if not off:
            return nan
        place = share * (len(off) - 1)
        low, high = off[int(place)], off[min(int(place) + 1, len(off) - 1)]
        return low if low == high or high == inf else low + (high - low) * (place - int(place))


def band(groups, draws):
    """(5th, 95th percentile) of the mean of {publisher: numbers}; publishers drawn anew, as its rows go together."""
    sums = np.array([(sum(numbers), len(numbers)) for _, numbers in sorted(groups.items())])
    every = sums[np.random.default_rng(0).integers(len(sums), size=(draws, len(sums)))].sum(axis=1)
    return tuple(np.quantile(every[:, 0] / every[:, 1], (0.05, 0.95)))


def line(report):
    """One kind as a line for the terminal."""
    unexplained = sum(why is None for why in report.beaten.values())
    rows = f"{len(report.judged):3} rows, {len(report.missing):2} not available, {report.free:2} constants"
    off = f"off by {report.median:6.1%}, {report.worst_tenth:6.1%}; {report.coverage:4.0%} held"
    beaten = f"{len(report.beaten)} bounds beaten{f', {unexplained} UNEXPLAINED' if unexplained else ''}"
    return f"{report.kind:17} without its {report.by:9}: {rows}; {off}; {beaten}"


def stored(*reports):
    """The reports of a kind as they stand in data/validation_report.yaml."""
    return {each.by: _stored(each) for each in reports}


def _stored(each):
    rows = {one.id: [*_numbers(one.prediction), one.prediction.limit] for one in each.judged}
    found = {"constants": each.free, "fitted": each.rows, "rows": rows, "missing": dict(each.missing)}
    return found | {"beaten": dict(each.beaten), "hand_set": list(each.hand_set), "moved": list(each.moved)}


def _numbers(prediction):
    return (float(f"{getattr(prediction, name):.6g}") for name in COLUMNS)


@data.kept
def report():
    """{kind: {"publisher": Report, "source": Report, "device": Report}} as last written; predict(row) says why."""
    found = [(kind, its) for kind, its in data.load("validation_report").items() if kind != "format_version"]
    return {kind: {by: _read(kind, by, entry) for by, entry in its.items()} for kind, its in found}


def _read(kind, by, entry):
    rows = data.published(kind)
    found = tuple(judged(rows[id], *numbers) for id, numbers in entry["rows"].items() if id in rows)
    numbers = entry["constants"], entry["fitted"], tuple(entry["hand_set"]), tuple(entry["moved"])
    return Report(kind, by, found, entry["missing"], entry["beaten"], *numbers)


def judged(row, *numbers):
    """A row beside COLUMNS and the limit of what was said of it."""
    told, value = Prediction(*numbers, "", row["unit"], less_is_better(row)), row["value"]
    return Judged(row["id"], told, value, miss(told.value, value), fittable(row), row["source"], row["device"])


def table(reports):
    """The reports as a Markdown table, a line for each kind and one for all."""
    heads = ["kind", "rows", "not available", "constants", "hand-set", "median", "90 %", "held", "held, band"]
    heads += ["median (device)", "90 %", "held", "bounds beaten"]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for kind, found in reports.items():
        within = " (within one source)" if found["publisher"].within else ""
        lines.append(_cells(f"{kind}{within}", found["publisher"], found["device"]))
    lines.append(_cells("all", *(together(by, reports) for by in ("publisher", "device"))))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + _moved(reports)


def _moved(reports):
    found = [(kind, found["publisher"]) for kind, found in reports.items() if found["publisher"].moved]
    told = [f"{kind} {' or '.join(f'{to:.1%}' for to in each.moved)}, not {each.median:.1%}" for kind, each in found]
    said = "rows that ask for a constant that only what is left out could tell; it stays where it was set by hand"
    would = "Had all been set to half or to twice that, the medians would be"
    return f"\n\n*hand-set*: {said}. {would}: {'; '.join(told)}." if told else ""


def together(by, reports):
    """The reports of all kinds as one, judged by "publisher", "source" or "device"."""
    parts = [found[by] for found in reports.values()]
    missing = {id: why for each in parts for id, why in each.missing.items()}
    beaten = {id: why for each in parts for id, why in each.beaten.items()}
    judged = tuple(one for each in parts for one in each.judged)
    free, rows, hand_set = sum(e.free for e in parts), sum(e.rows for e in parts), sum((e.hand_set for e in parts), ())
    return Report("all", by, judged, missing, beaten, free, rows, hand_set)


def _cells(name, *reports):
    first, cells = reports[0], []
    for each in reports:
        numbers = [f"{each.median:.1%}", f"{each.worst_tenth:.1%}", f"{each.coverage:.0%}"]
        cells += numbers if each.counted else ["-"] * 3
        if each is first:  # one publisher has no band
            cells.append("-" if each.within or not each.counted else "{:.0%} to {:.0%}".format(*each.band()))
    counts = map(str, (len(first.judged), len(first.missing), first.free, len(first.hand_set)))
    return [name, *counts, *cells, str(len(first.beaten))]
