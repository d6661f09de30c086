"""What is predicted of one published row, and the door through which rows come in.

A source may print TB/s, GFLOPS or us; a model speaks one unit of each dimension:

    spoken("TB/s", ("GB/s",))  ->  ("GB/s", 1000)        1 TB/s is 1000 GB/s
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, wraps
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from accelerator_lib.checks.inputs import NotAvailable, count, described, one_of, real
from accelerator_lib.units import DIMENSIONS

SPELLINGS = {"us": "µs", "μs": "µs", "sec": "s", "seconds": "s", "minutes": "min", "hours": "h", "cycle": "cycles"}
SPELLINGS |= {"clk": "cycles", "clocks": "cycles", "watt": "W", "watts": "W", "percent": "%", "fraction": "1"}
SPELLINGS |= dict.fromkeys(("tok/s", "token/s", "tokens/sec", "tokens/second", "t/s"), "tokens/s")
SPELLINGS |= {f"{p}{s}": f"{p}FLOP/s" for p in ("", "G", "T", "P") for s in ("FLOPS", "FLOPs", "FLOPs/s", "flops")}
SPELLINGS |= {f"{p}OPS": f"{p}OP/s" for p in ("G", "T", "P")} | {f"{p}Bps": f"{p}B/s" for p in ("M", "G", "T")}
MORE = {  # beside the units of the course
    "time": {"ns": 1e-9, "min": 60},
    "arithmetic rate": {"MFLOP/s": 1e6, "PFLOP/s": 1e15},
    "bandwidth": {"MB/s": 1e6, "MiB/s": 2**20, "GiB/s": 2**30, "TiB/s": 2**40, "kB/s": 1e3},
    "data": {"TB": 1e12, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40},
    "work": {"PFLOP": 1e15},
    "share": {"1": 1, "%": 0.01},
    "speed-up": {"x": 1, "times": 1},
    "integer rate": {"OP/s": 1, "GOP/s": 1e9, "TOP/s": 1e12, "POP/s": 1e15},
    "tokens": {"tokens/s": 1, "ktokens/s": 1e3, "tokens/ms": 1e3, "tokens/min": 1 / 60},
    "events": {"1/s": 1, "inferences/s": 1, "queries/s": 1, "requests/s": 1, "req/s": 1},
}
TIMES = frozenset({"s", "ms", "us", "µs", "μs", "ns", "min", "h", "cycles"})  # less is better; of other units more is
TRAFFIC = ("hbm_read_plus_write", "traffic", "bytes_moved")  # metrics of which less is better, whatever the unit


def less_is_better(row):
    """Whether the bound of a row is the least that can be measured."""
    return row["unit"] in TIMES or row["metric"] in TRAFFIC


@cache
def _sizes():
    """{unit: (dimension, how many of the base unit)}"""
    tables = {name: {**DIMENSIONS.get(name, {}), **MORE.get(name, {})} for name in (*DIMENSIONS, *MORE)}
    tables.pop("ratio")  # a share in % and a speed-up in x are two things here
    return {unit: (name, size) for name, table in tables.items() for unit, size in table.items()}


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
UNITS = {  # what the models of a kind speak; any other unit of such a dimension is converted at the door
    "memory_bandwidth": ("GB/s",), "memory_latency": ("cycles", "ns"), "link_bandwidth": ("GB/s",),
    "gemm": ("TFLOP/s", "1", "ms", "TOP/s"), "attention": ("ms", "TFLOP/s", "GB/s", "GB", "GFLOP", "%", "min"),
    "collective": ("GB/s", "µs"), "training": ("%", "TFLOP/s", "tokens/s", "s"), "decode": ("tokens/s", "ms"),
    "prefill": ("tokens/s", "ms"), "serving": ("tokens/s", "1/s", "ms"), "tpu_v1": ("TOP/s", "%", "x", "W", "1/s"),
    "tpu_v4": ("x", "W"), "operator_classes": ("%",), "software_ladder": ("s",), "memory_split": ("%", "GB"),
}  # fmt: skip


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
    unit, scale = spoken(row["unit"], UNITS.get(kind, ()))
    found = {"id": "", "workload": "", "device": "", **{key: it for key, it in row.items() if it is not None}}
    found.pop("value", None)
    found["id"] = found["id"][:60]  # so that no line is all id
    return found | {"n_devices": devices, "conditions": conditions, "unit": unit, "asked": row["unit"], "scale": scale}


ALSO = {  # other words for a condition -> the one that the models read
    "input_len": "input_tokens", "input_length": "input_tokens", "isl": "input_tokens", "prompt_len": "prompt_tokens",
    "prompt_length": "prompt_tokens", "prefill_tokens": "prompt_tokens", "output_len": "output_tokens",
    "output_length": "output_tokens", "osl": "output_tokens", "generated_len": "output_tokens",
    "new_tokens": "output_tokens", "max_new_tokens": "output_tokens", "context_length": "context_tokens",
    "context_len": "context_tokens", "batch_size": "batch", "max_batch_size": "batch", "bs": "batch",
    "tp": "tensor_parallel",
    "tp_size": "tensor_parallel", "tensor_parallel_size": "tensor_parallel", "max_concurrency": "concurrency",
    "concurrent_requests": "concurrency", "num_requests": "requests", "num_prompts": "requests", "seqlen": "seq",
    "seq_length": "seq", "max_seq_len": "seq", "nheads": "heads", "headdim": "head_dim", "head_size": "head_dim",
    "data_type": "dtype", "datatype": "dtype", "quantization": "weights", "quantisation": "weights",
    "msg_size": "message",
    "message_size": "message", "size_bytes": "message_bytes", "clock": "clock_mhz", "microbatch": "micro_batch",
    "micro_batch_size": "micro_batch", "global_batch_size": "global_batch", "activation_recomputation": "recomputation",
}  # fmt: skip
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
    raise NotAvailable(f"{row['id'] or 'the row'} does not state {name}")


def amount(row, name, *others):
    """A stated number above zero. Raises NotAvailable where there is none, ValueError where it is not positive."""
    value = stated(row, name, *others)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotAvailable(f"{row['id'] or 'the row'}: {name} must be a number, not {described(value)}")
    return real(name, value)


def one(row, name):
    """What the conditions say under a name, None where nothing. Raises NotAvailable where it is a list, or True."""
    value = row["conditions"].get(name)
    if isinstance(value, (list, tuple, bool)):
        raise NotAvailable(f"{row['id'] or 'the row'}: {name} must be one number, not {described(value)}")
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
