"""What is predicted of one published row, and the door through which rows come in: its units are made the models'."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, wraps
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, count, described, one_of, real
from accelerator_lib.units import DIMENSIONS

TABLES = data.load("validation")


def _inverse(name):
    return {said: meant for meant, others in TABLES[name].items() for said in others}


def first(table, text, otherwise=None):
    """The first name of a table of data/validation.yaml whose pattern a text has."""
    return next((name for name, pattern in TABLES[table].items() if re.search(pattern, text)), otherwise)


def free(kind):
    """({constant: (least, start, most)}, those of which families may have their own) that are fitted of a kind."""
    found = {name: tuple(ends) for name, ends in TABLES["free"][kind].items()}
    return found, tuple(TABLES["by_family"].get(kind, ()))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


SPELLINGS, ALSO = _inverse("spellings"), _inverse("conditions")  # other words -> the one that the models read
TIMES = frozenset({"s", "ms", "us", "µs", "μs", "ns", "min", "h", "cycles"})  # less is better; of other units more is
TRAFFIC = ("hbm_read_plus_write", "traffic", "bytes_moved")  # metrics of which less is better, whatever the unit


def less_is_better(row):
    """Whether the bound of a row is the least that can be measured."""
    return row["unit"] in TIMES or row["metric"] in TRAFFIC


@cache
def _sizes():
    """{unit: (dimension, how many of the base unit)}"""
    tables = [*DIMENSIONS.items(), *TABLES["sizes"].items()]  # a share in % and a speed-up in x are two things here
    return {unit: (name, size) for name, table in tables if name != "ratio" for unit, size in table.items()}


@cache
def spoken(unit, known):
    """(one of the units `known`, how many of it one `unit` is); the unit itself and 1 where none is alike."""
    plain = SPELLINGS.get(unit.strip(), unit.strip())
    if plain in known or plain not in _sizes():
        return plain, 1.0
    dimension, size = _sizes()[plain]
    for other in known:
        if _sizes().get(other, ("",))[0] == dimension:
            return other, float(f"{size / _sizes()[other][1]:.12g}")
    return plain, 1.0


LONGEST, MOST = 2000, 200  # characters of a word, conditions of a row: no source prints more
ROWS = 2000  # whose words are kept once read


class Estimate(NamedTuple):
    """What a kind's model says of a row, in the row's unit, before anything is known of how far off it tends to be."""

    value: float
    bound: float  # no measurement can be better than this
    limit: str  # what limits: "memory bandwidth", "arithmetic", "links" ...
    why: str  # one sentence, with its numbers
    low: float = 1.0  # 80 % of such rows are between so many times as fast as said
    high: float = 1.0


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
    """The row as a dict of its own, if it can be one: its unit one that the models speak (`scale` of it are one of the
    unit that was `asked`), its value left out. Raises TypeError or ValueError in one line; UnknownName for a kind."""
    if not isinstance(row, Mapping):
        raise TypeError(f"row must be a dict as in data/measured.yaml, not {type(row).__name__}")
    name = f"row {row['id'][:60]!r}" if isinstance(row.get("id"), str) and row["id"] else "row"
    for key in ("kind", "unit", "metric"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise ValueError(f"{name} states no {key}: give it a word, such as {EXAMPLES[key]!r}")
    _worded(name, row)
    kind = one_of("kind", row["kind"], kinds)
    if row.get("value") is not None:
        real(f"{name}: value", python(row["value"]), low=0, unit=row["unit"])
    conditions = _conditions(name, row.get("conditions"))
    for said, value in tuple(conditions.items()):
        conditions.setdefault(ALSO.get(re.sub(r"[ -]", "_", said.lower()), said), value)
    devices = python(row.get("n_devices"))
    devices = None if devices is None else count(f"{name}: n_devices", devices, high=10**8)
    units = (TABLES["kinds"] | TABLES["alone"])[kind]["units"]
    unit, scale = spoken(row["unit"], tuple(units))
    found = {"workload": "", "device": "", **{key: it for key, it in row.items() if it is not None and key != "value"}}
    found["id"] = found.get("id", "")[:60] or "the row"  # so that no line is all id
    return found | {"n_devices": devices, "conditions": conditions, "unit": unit, "asked": row["unit"], "scale": scale}


EXAMPLES = {"kind": "gemm", "unit": "TFLOP/s", "metric": "throughput"}


def _worded(name, row):
    for key in ("id", "kind", "unit", "metric", "workload", "device"):
        if not isinstance(row.get(key) or "", str):
            raise TypeError(f"{name}: {key} must be a word, not {type(row[key]).__name__}")
        if len(row.get(key) or "") > LONGEST:
            raise ValueError(f"{name}: {key} has {len(row[key]):,} characters; at most {LONGEST:,}")


def _conditions(name, given):
    """Conditions as a dict of their own: words, Python's numbers of 0 or more, and flat lists of these."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: conditions must be a dict, not {type(given).__name__}")
    if len(given) > MOST:
        raise ValueError(f"{name} has {len(given):,} conditions; at most {MOST}")
    found = {}
    for key, value in given.items():
        if not isinstance(key, str):
            raise TypeError(f"{name}: a condition goes by a word, not by {type(key).__name__}")
        many, here = isinstance(value, (list, tuple)), f"{name}: {key[:60]}"
        many |= isinstance(value, np.ndarray) and value.ndim > 0
        if many and len(value) > MOST:
            raise ValueError(f"{here} holds {len(value):,} values; at most {MOST}")
        found[key] = [python(each) for each in value] if many else python(value)
        for each in found[key] if many else (found[key],):
            _plain(here, each)
    return found


def python(value):
    """A number of NumPy, or of whatever kind, as Python's own, which the models know; anything else as it is."""
    if isinstance(value, (np.bool_, np.str_)) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return python(value.item())
    if isinstance(value, (bool, np.ndarray)) or not isinstance(value, Real):
        return value
    if isinstance(value, Integral):
        return int(value)
    try:
        return float(value)
    except OverflowError:  # a fraction beyond all that is measured
        return float("inf")


def _plain(name, value):
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise ValueError(f"{name} has {len(value):,} characters; at most {LONGEST:,}")
    elif isinstance(value, (dict, list, tuple, set, np.ndarray)):
        raise TypeError(f"{name} must be a number, a word or a flat list of them, not {type(value).__name__}")
    elif type(value).__name__ != "date":  # YAML makes a date of what looks like one
        real(name, value, low=0)


def stated(row, name, *others):
    """What the conditions say under one of these names. Raises NotAvailable, which names the first."""
    for each in (name, *others):
        if row["conditions"].get(each) is not None:
            return row["conditions"][each]
    raise NotAvailable(f"{row['id']} does not state {name}")


def amount(row, name, *others):
    """A stated number above zero. Raises NotAvailable where there is none, ValueError where it is not positive."""
    value = stated(row, name, *others)
    if not is_number(value):
        raise NotAvailable(f"{row['id']}: {name} must be a number, not {described(value)}")
    return real(name, value)


def one(row, name):
    """What the conditions say under a name, None where nothing. Raises NotAvailable where it is a list, or True."""
    value = row["conditions"].get(name)
    if isinstance(value, (list, tuple, bool)):
        raise NotAvailable(f"{row['id']}: {name} must be one number, not {described(value)}")
    return value


def remembered(work):
    """`work(row)`, done once for each row: a fit asks for the same rows thousands of times."""
    known = {}

    @wraps(work)
    def once(row):
        words = repr(row)
        if words not in known:
            if len(known) >= ROWS:
                known.clear()
            known[words] = work(row)
        return known[words]

    return once
