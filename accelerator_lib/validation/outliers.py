"""Outliers: how far off a row is, and all rows of Llama on the page of one that is far off.

ratio = predicted / measured speed (of a time: measured / predicted), each row predicted by constants that never saw its
publisher. Rows of that page that stand in no other file: data/outliers.yaml.
"""

from dataclasses import dataclass
from math import inf

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, OneOf, checked
from accelerator_lib.validation import report
from accelerator_lib.validation.door import predict
from accelerator_lib.validation.record import less_is_better


@data.kept
def judged():
    """{id: (kind, Judged)} of all rows that count, each without its own publisher."""
    both = report.report().items()
    return {one.id: (kind, one) for kind, by in both for one in by["publisher"].counted}


@checked
def ratio(id: Given("id of a row", lambda id: one_of("row", id, judged()))):
    """Predicted / measured speed of a row by its id."""
    kind, one = judged()[id]
    return _speed(data.published(kind)[id], one.prediction.value, one.measured)


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


def _speed(row, value, measured):
    """Predicted over measured speed; two zeros are alike, as where a stall of no cycles was foretold and found."""
    above, below = (measured, value) if less_is_better(row) else (value, measured)
    return above / below if below else 1.0 if above == 0 else inf
