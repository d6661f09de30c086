"""What is predicted of one published row, and the door through which rows come in."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple

from accelerator_lib.inputs import NotAvailable, one_of, real

TIMES = ("s", "ms", "us", "µs", "min", "cycles")  # less is better; of every other unit more is


class Estimate(NamedTuple):
    """What a kind's model says of a row, in the row's unit, before anything is known of how far off it tends to be."""

    value: float
    bound: float  # no measurement can be better than this
    limit: str  # what limits: "memory bandwidth", "arithmetic", "links" ...
    why: str  # one sentence, with its numbers


@dataclass(frozen=True)
class Prediction:
    """A published row foretold, in its own unit and metric: 80 % of such rows lie from `low` to `high`."""

    value: float
    low: float
    high: float
    bound: float
    limit: str
    why: str
    unit: str = ""
    faster_is_less: bool = False  # a time: the bound is the least

    def beaten(self, measured):
        """Whether a measurement is better than what physics allows."""
        return measured < self.bound if self.faster_is_less else measured > self.bound


def read(row, kinds):
    """The row, if it can be one. Raises TypeError or ValueError in one line; UnknownName for a kind."""
    if not isinstance(row, Mapping):
        raise TypeError(f"row must be a dict as in data/measured.yaml, not {type(row).__name__}")
    for key in ("kind", "unit", "metric"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise ValueError(f"row {row.get('id', '')!r} states no {key}: {key} must be a word, not {row.get(key)!r}")
    one_of("kind", row["kind"], kinds)
    if row.get("value") is not None:
        real("value", row["value"], low=0, unit=row["unit"])
    if not isinstance(row.get("conditions") or {}, Mapping):
        raise TypeError(f"row {row.get('id', '')!r}: conditions must be a dict, not {type(row['conditions']).__name__}")
    _finite(row.get("conditions") or {}, "conditions")
    return {"id": "", "n_devices": None, "workload": "", "device": "", **row, "conditions": row.get("conditions") or {}}


def stated(row, name, *others):
    """What the conditions say under one of these names. Raises NotAvailable, which names the first."""
    for each in (name, *others):
        if row["conditions"].get(each) is not None:
            return row["conditions"][each]
    raise NotAvailable(f"{row['id'] or 'the row'} does not state {name}")


def amount(row, name, *others):
    """A stated number above zero. Raises NotAvailable where there is none, ValueError where it is not positive."""
    value = stated(row, name, *others)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotAvailable(f"{row['id'] or 'the row'}: {name} must be a number, not {value!r}")
    return real(name, value)


def _finite(values, where):
    for key, value in values.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool) and (not isfinite(value) or value < 0):
            raise ValueError(f"{where}: {key} must be a number of 0 or more, not {value}")
