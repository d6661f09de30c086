"""Outliers: the rows that are farthest off, what would make them fit, and what is known of the cause.

ratio = predicted / measured speed (of a time: measured / predicted), each row predicted by constants that never saw its
publisher. A way of counting is a factor on the speed. That a factor fits proves nothing: causes, and how far each is
shown, stand in data/outliers.yaml.
"""

from dataclasses import dataclass
from math import inf

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, Given, OneOf, Switch, checked
from accelerator_lib.validation import constants, report
from accelerator_lib.validation.door import foretell, kind_of, predict, whole
from accelerator_lib.validation.record import less_is_better
from accelerator_lib.validation.rows import name

MOST = 2  # outliers of one source: one paper shall not fill the list
# what the printed speed is to be multiplied by, if it was counted so; None: 1 / the chips
COUNTED = {"as printed": 1.0, "half of it": 0.5, "twice as much": 2.0, "GiB, printed as GB": 2**30 / 1e9}
COUNTED |= {"one chip of several": None}


@dataclass(frozen=True)
class Outlier:
    """One row beside what was foretold, and beside the others of its kind."""

    id: str
    name: str
    kind: str
    unit: str
    source: str
    measured: float
    predicted: float
    ratio: float  # predicted / measured speed
    low: float  # the same at the slow end of the interval
    high: float  # and at the fast one
    others: tuple  # (name, predicted / measured speed) of the other rows of its kind
    counted: str
    factor: float  # on the measured speed, counted so
    cause: str
    grade: str  # shown, likely, not found
    looked: str  # what a computation looked at, in words
    found: float | None  # predicted / measured speed that came of it
    asked: bool  # whether the cause is asked for

    @property
    def moved(self):
        return self.ratio / self.factor

    @property
    def ends(self):
        return self.low / self.factor, self.high / self.factor

    @property
    def fits(self):
        return self.low <= self.factor <= self.high


@data.kept
def judged():
    """{id: (kind, Judged)} of all rows that count, each without its own publisher."""
    both = report.report().items()
    return {one.id: (kind, one) for kind, by in both for one in by["publisher"].counted}


@checked
def farthest(count: Count(1, 100) = 12):
    """Ids of the rows that are farthest off, worst first, at most two of one file."""
    places, found = {}, []
    for id in sorted(judged(), key=lambda id: -abs(judged()[id][1].off)):
        source = judged()[id][1].source
        places[source] = places.get(source, 0) + 1
        found += [id] * (places[source] <= MOST)
    return tuple(found[:count])


@checked
def menu(count: Count(1, 100) = 12):
    """{name: id} of the farthest rows."""
    return {_known(id).get("name", id.replace("_", " ")): id for id in farthest(count)}


def _known(id):
    return data.load("outliers")["causes"].get(id, {})


def _row(id):
    return data.published(judged()[id][0])[id]


@checked
def look(
    id: Given("id of a row", lambda id: one_of("row", id, judged())),
    counted: OneOf(COUNTED) = "as printed",
    tell: Switch = False,
):
    """Outlier of a row by its id, its figure counted in another way, its cause told or not."""
    kind, one = judged()[id]
    row, said, known = _row(id), one.prediction, _known(id)
    ratio, *ends = (_speed(row, each, one.measured) for each in (said.value, said.low, said.high))
    beside = [other for other, (its, _) in judged().items() if its == kind and other != id]
    about = {"name": known.get("name", id.replace("_", " ")), "kind": kind, "unit": row["unit"]}
    about |= {"source": data.title(row), "others": tuple((_label(other), _ratio(other)) for other in beside)}
    speeds = {"measured": one.measured, "predicted": said.value, "ratio": ratio, "low": min(ends), "high": max(ends)}
    asked = {"counted": counted, "factor": factor(row, counted), "asked": tell}
    cause = {"cause": known.get("cause", "No cause is known."), "grade": known.get("grade", "not found")}
    looked, found = _looked(row, ratio, known.get("look", {}))
    return Outlier(id, **about, **speeds, **asked, **cause, looked=looked, found=found)


@dataclass(frozen=True)
class Served:
    """A row of Llama on the page of the flagship: what it states, and predicted / measured speed."""

    place: int  # on its page
    chip: str
    model: str
    prompt: int
    answer: int
    ratio: float

    @property
    def far(self):
        return self.ratio > FAR

    @property
    def flagship(self):
        return self.place == FLAGSHIP


SORTED = {  # what lanes have in common, and how a lane is called
    "nothing": lambda row: "all rows of the page",
    "the chip": lambda row: row.chip,
    "the model": lambda row: row.model,
    "the prompt": lambda row: f"prompts of {row.prompt:,}",
    "the answer": lambda row: f"answers of {row.answer:,}",
    "model and answer": lambda row: f"{row.model}, answers of {row.answer:,}",
}
FAR, FLAGSHIP = 1.5, 4  # times as fast as measured; its place on the page


@dataclass(frozen=True)
class Page:
    """All rows of one page, in lanes that have something in common."""

    by: str
    lanes: tuple  # (name, rows)

    @property
    def rows(self):
        return tuple(row for _, rows in self.lanes for row in rows)

    @property
    def far(self):
        return sum(row.far for row in self.rows)

    @property
    def alone(self):
        """The lane that holds all of these and no other row, or ""."""
        return next((name for name, rows in self.lanes if all(row.far for row in rows) and len(rows) == self.far), "")


@data.kept
def _served():
    more = data.load("outliers")["further"]
    printed = [row for row in data.published("serving").values() if row["source"] == more["source"]]
    printed += [_further(*each) for each in more["rows"]]
    return tuple(_serving(place, row, row["conditions"]) for place, row in enumerate(printed))


def _serving(place, row, stated):
    ratio = _speed(row, predict(row).value, row["value"])
    model = {"llama-2-7b": "Llama 7B", "llama-2-70b": "Llama 70B"}[stated["model"]]
    return Served(place, row["device"].split()[0], model, stated["input_tokens"], stated["output_tokens"], ratio)


@checked
def page(by: OneOf(SORTED) = "nothing"):
    """Page of the rows of Llama beside the flagship, sorted by what they share."""
    lanes = {}
    for row in sorted(_served(), key=lambda row: (row.chip, row.model, row.answer, row.prompt)):
        lanes.setdefault(SORTED[by](row), []).append(row)
    return Page(by, tuple((name, tuple(rows)) for name, rows in lanes.items()))


def _further(device, chips, model, batch, prompt, answer, value):
    name = f"llama-2-{model.lower()}"
    stated = {"model": name, "batch": batch, "tensor_parallel": chips, "input_tokens": prompt, "output_tokens": answer}
    stated["dtype"] = "fp8" if device.startswith("H100") else "fp16"
    row = {"kind": "serving", "device": device, "n_devices": chips, "workload": f"Llama-{model} offline generation"}
    return row | {"metric": "output_tokens_per_s_per_gpu", "unit": "tokens/s", "value": value, "conditions": stated}


def factor(row, counted):
    """What a row's speed is to be multiplied by, if its figure was counted so."""
    return COUNTED[counted] or 1 / (row.get("n_devices") or 1)


def _ratio(id):
    one = judged()[id][1]
    return _speed(_row(id), one.prediction.value, one.measured)


def _speed(row, value, measured):
    """Predicted over measured speed; two zeros are alike, as where a stall of no cycles was foretold and found."""
    above, below = (measured, value) if less_is_better(row) else (value, measured)
    return above / below if below else 1.0 if above == 0 else inf


def _label(id):
    return name(judged()[id][0], id)


def _looked(row, ratio, look):
    """(what was looked at, predicted / measured speed) of what data/outliers.yaml says to look at."""
    if "beside" in look:
        return f"beside it, {_label(look['beside'])}", _ratio(look["beside"])
    if look.get("seen"):
        return "with its own publisher among those that were fitted", _speed(row, predict(row).value, row["value"])
    if "factor" in look:
        return look["words"], ratio * _speed(row, look["factor"], 1)
    if not look:
        return "", None
    fitted = constants.of(kind_of(row["kind"]))[0]
    other = constants.Constants({**fitted.values, **look.get("constants", {})})
    stated = {**row, "conditions": {**row["conditions"], **look.get("conditions", {})}}
    here, there = foretell(whole(row), fitted).value, foretell(whole(stated), other).value
    return look["words"], ratio * _speed(row, there, here)
