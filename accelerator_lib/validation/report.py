"""The report: how far off every model is, row by row, as  make calibrate  last found it.

report()["gemm"]["publisher"].median     0.07: half of the rows are within 7 %, each predicted without its own publisher
table(report())                    the same as Markdown
"""

from dataclasses import dataclass, field
from math import inf

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
        """Whether the interval holds what was measured."""
        return self.prediction.low <= self.measured <= self.prediction.high

    @property
    def beaten(self):
        """Whether the measurement is better than the bound."""
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
        """Whether all rows are from one source, and its other rows were seen."""
        return len({each.publisher for each in self.judged}) == 1

    @property
    def counted(self):
        """The rows that count: of basis seen, and no claim."""
        return tuple(each for each in self.judged if each.fitted)

    @property
    def median(self):
        return self._percentile(0.5)

    @property
    def worst_tenth(self):
        """Nine of ten rows are less far off."""
        return self._percentile(0.9)

    @property
    def coverage(self):
        """Share of the rows that their interval holds."""
        held = [each.held for each in self.counted]
        return sum(held) / len(held) if held else float("nan")

    def _percentile(self, share):
        off = sorted(abs(each.off) for each in self.counted)
        if not off:
            return float("nan")
        place = share * (len(off) - 1)
        low, high = off[int(place)], off[min(int(place) + 1, len(off) - 1)]
        return low if low == high or high == inf else low + (high - low) * (place - int(place))


def line(report):
    """One kind as a line for the terminal."""
    unexplained = sum(why is None for why in report.beaten.values())
    rows = f"{len(report.judged):3} rows, {len(report.missing):2} not available, {report.free:2} constants"
    off = f"off by {report.median:6.1%}, {report.worst_tenth:6.1%}; {report.coverage:4.0%} held"
    beaten = f"{len(report.beaten)} bounds beaten{f', {unexplained} UNEXPLAINED' if unexplained else ''}"
    return f"{report.kind:17} without its {report.by:9}: {rows}; {off}; {beaten}"


def stored(*reports):
    """The reports of a kind as they stand in data/validation_report.yaml."""
    return {
        each.by: {
            "constants": each.free,
            "fitted": each.rows,
            "rows": {one.id: _numbers(one.prediction) for one in each.judged},
            "missing": dict(each.missing),
            "beaten": dict(each.beaten),
            "hand_set": list(each.hand_set),
            "moved": list(each.moved),
        }
        for each in reports
    }


def _numbers(prediction):
    return [*(float(f"{getattr(prediction, name):.6g}") for name in COLUMNS), prediction.limit]


@data.kept
def report():
    """{kind: {"publisher": Report, "source": Report, "device": Report}} as last written; predict(row) says why."""
    found = data.load("validation_report")
    kinds = [kind for kind in found if kind != "format_version"]
    return {kind: {by: _read(kind, by, entry) for by, entry in found[kind].items()} for kind in kinds}


def _read(kind, by, entry):
    rows = data.published(kind)
    judged = tuple(_judged(rows[id], numbers) for id, numbers in entry["rows"].items() if id in rows)
    return Report(kind, by, judged, entry["missing"], entry["beaten"], entry["constants"], entry["fitted"],
                  tuple(entry["hand_set"]), tuple(entry["moved"]))  # fmt: skip


def _judged(row, numbers):
    *ends, limit = numbers
    told = Prediction(*ends, limit, "", row["unit"], less_is_better(row))
    off = miss(told.value, row["value"])
    return Judged(row["id"], told, row["value"], off, fittable(row), row["source"], row["device"])


def table(reports):
    """The reports as a Markdown table, a line for each kind and one for all."""
    heads = ("kind", "rows", "not available", "constants", "hand-set", "median", "90 %", "held", "median (device)",
             "90 %", "held", "bounds beaten")  # fmt: skip
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    lines += [
        _cells(_name(kind, found["publisher"]), found["publisher"], found["device"]) for kind, found in reports.items()
    ]
    every = [together(by, reports) for by in ("publisher", "device")]
    lines.append(_cells("all", *every))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + _moved(reports)


def _moved(reports):
    """What stays as set by hand, in one line; none where nothing does."""
    found = [(kind, found["publisher"]) for kind, found in reports.items() if found["publisher"].moved]
    if not found:
        return ""
    told = [
        f"{kind} {half:.1%} or {double:.1%}, not {each.median:.1%}"
        for kind, each in found
        for half, double in [each.moved]
    ]
    return (
        "\n\n*hand-set*: rows that ask for a constant that only what is left out could tell; it stays where it was set "
        f"by hand. Had all been set to half or to twice that, the medians would be: {'; '.join(told)}."
    )


def _name(kind, found):
    return f"{kind} (within one source)" if found.within else kind


def together(by, reports):
    """The reports of all kinds as one, judged by "publisher", "source" or "device"."""
    parts = [found[by] for found in reports.values()]
    missing = {id: why for each in parts for id, why in each.missing.items()}
    beaten = {id: why for each in parts for id, why in each.beaten.items()}
    judged = tuple(one for each in parts for one in each.judged)
    return Report("all", by, judged, missing, beaten, sum(e.free for e in parts), sum(e.rows for e in parts),
                  sum((e.hand_set for e in parts), ()))  # fmt: skip


def _cells(name, *reports):
    first, cells = reports[0], []
    for each in reports:
        numbers = [f"{each.median:.1%}", f"{each.worst_tenth:.1%}", f"{each.coverage:.0%}"]
        cells += numbers if each.counted else ["-"] * 3
    return [
        name,
        str(len(first.judged)),
        str(len(first.missing)),
        str(first.free),
        str(len(first.hand_set)),
        *cells,
        str(len(first.beaten)),
    ]
