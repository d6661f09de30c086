"""One row of a reader, foretold by the law of its kernel: its columns, its way of running, its interval."""

import re
from math import exp

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, one_of
from accelerator_lib.units import si
from accelerator_lib.validation.collectives import message_bytes
from accelerator_lib.validation.profile import products, rows, ways
from accelerator_lib.validation.profile.kinds import TIMES, op
from accelerator_lib.validation.record import Estimate, amount, is_number, one

COLUMNS, FORMATS, FRAMEWORKS = data.load("kernel_times")["said"].values()  # how rows say what the laws ask for


def estimate(row, name):
    """Estimate of a row by a law, in the row's unit [s, ms or µs], its interval included. Raises NotAvailable."""
    table = rows.read(name, _table(name, row))
    facts, key = rows.facts(row["device"]), tuple(str(table[each][0]) for each in ways.NAMES)
    stored, work = data.load("kernel_times"), rows.prepared(name, table)
    timed = facts["chip"] in stored["laws"][name]["intervals"]["devices"]
    told, parts, off, level = ways.foretold(rows.LAWS[name], work, key, ways.fitted(name), stored["families"], timed)
    seconds, parts = float(told[0]), {limit: float(np.ravel(its)[0]) for limit, its in parts.items()}
    low, high = _ends(name, facts["chip"], level, float(np.ravel(off)[0]), seconds)
    unit, limit = TIMES[row["unit"]], max(parts, key=parts.get)
    spent = ", ".join(f"{each} {si(its, 's')}" for each, its in parts.items() if its > 0)
    like = "" if level == 0 else "; this way of running was never timed; the closest ones speak for it"
    why = f"Of {si(seconds, 's')}, side by side where they can: {spent}{like}."
    return Estimate(seconds * unit, float(work["least"][0]) * unit, limit, why, low, high)


def _ends(name, chip, level, off, seconds):
    """Factors on the speed between which 80 % of such rows lie."""
    intervals = data.load("kernel_times")["laws"][name]["intervals"]
    shared, devices = ways.LEVELS[level], intervals["devices"]
    known = {"family": "family" in shared, "device": chip in devices, "framework": "framework" in shared}
    what = next((name for name, its in known.items() if not its), "words" if level else "seen")
    wide = devices[chip] if what in ("words", "seen") else 1.0
    return tuple(exp(-end * wide * off) for end in ways.ends(intervals[what], seconds)[::-1])


def _table(name, row):
    """Columns of one row, as the recorded ones have them. Raises NotAvailable."""
    words = f"{row['conditions'].get('framework', '')} {row['workload']}".lower()
    framework = next((name for name, pattern in FRAMEWORKS.items() if re.search(pattern, words)), "")
    found = {"system": row["device"], "framework": framework}
    found |= {key: str(row["conditions"].get(key) or "") for key in ("version", "kernel")}
    if name == "product":
        found |= {edge: amount(row, edge, edge.upper()) for edge in "mnk"}
        found["gemm_dtype"] = _format(row, row["conditions"].get("gemm_dtype") or row["conditions"].get("dtype"))
        if row["kind"] == "weight_only":
            one_of("dtype", found["gemm_dtype"], sorted(products.WEIGHT_ONLY))
    elif name == "exchange":
        stated, ranks = row["conditions"], row["n_devices"] or row["conditions"].get("ranks")
        counts = stated.get("message_size") is not None and stated.get("nccl_dtype")  # elements, not bytes
        found |= {"op_name": op(row), "num_gpus": ranks, "message_size": message_bytes(row), "nccl_dtype": counts or ""}
    else:
        found |= _heads(name, row)
    number = lambda it: isinstance(it, (int, float))  # noqa: E731
    return {key: np.array([float(it) if number(it) else it]) for key, it in found.items()}


def _heads(name, row):
    stated = row["conditions"]
    found = {key: _number(row, key) for key in ("batch_size", "num_heads", "head_dim")}
    found |= {key: _number(row, key, 0) for key in ("num_key_value_heads", "window_size", "step")}
    groups = found["num_heads"] / (found["num_key_value_heads"] or found["num_heads"])
    if groups != int(groups):
        raise NotAvailable(f"{row['id']}: heads of keys and values must divide {found['num_heads']:g} heads of queries")
    found["isl"] = 1.0 if name == "decode" else _number(row, "isl")
    if name == "decode" and not found["step"]:
        found["step"] = _number(row | {"conditions": stated | {"isl": None}}, "isl")
    said = stated.get("attn_dtype") or stated.get("dtype") or "bf16"
    found["attn_dtype"] = "fp8" if "8" in str(said) else "bf16"
    kept = stated.get("kv_cache_dtype") or stated.get("kv_dtype")
    found["kv_cache_dtype"] = found["attn_dtype"] if kept is None else "fp8" if "8" in str(kept) else "bf16"
    if name == "decode":
        found["attn_dtype"] = "bf16"  # no profile runs a step's products in 8 bits
    words = f"{row['workload']} {stated.get('mask', '')}".lower()
    all_seen = stated.get("causal") is False or re.search("encoder|bidirectional|non.?causal|mask none|no mask", words)
    return found | {"file": "encoder_attention" if all_seen and name == "prompt" else ""}


def _number(row, key, otherwise=None):
    """What a row states under one of the names of a column. Raises NotAvailable where it has to and does not."""
    for name in COLUMNS[key]:
        if is_number(one(row, name)):
            return float(one(row, name) and amount(row, name))
    if otherwise is None:
        raise NotAvailable(f"{row['id']} does not state {COLUMNS[key][0]}")
    return otherwise


def _format(row, said):
    words = str(said or row["workload"]).lower()
    found = next((name for name, pattern in FORMATS.items() if re.search(pattern, words)), None)
    if found is None:
        raise NotAvailable(f"{row['id']} does not state dtype: one of {', '.join(FORMATS)}")
    return found
