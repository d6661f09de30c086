"""Strangers: kernels of a program that fitted no law, timed for this course, as validation.predict tells them."""

from functools import cache

import numpy as np

from accelerator_course.measure.kernel_fits import markdown
from accelerator_lib import validation
from accelerator_lib.data.kernels import timed

SHAPE = "batch_size", "isl", "step", "num_heads", "num_key_value_heads", "head_dim", "causal"
STATED = ("m", "n", "k", *SHAPE, "framework", "kernel")
HEADS = ["timed for this course", "rows", "median", "90 %", "held", "bounds beaten"]


def told():
    """Yield (group, Prediction, measured [µs]) of each product whose operands were taken in turn, each prompt, and each
    token whose cache was cold (on an H200: in turn)."""
    for name in ("products", "attention"):
        table = timed(name)
        for place, measured in enumerate(table["latency_us"]):
            row = {column: its[place].item() for column, its in table.items()}
            kind = "gemm" if "m" in row else "decode_attention" if row["isl"] == 1 else "attention"
            if row["kernel"] == "written out" or row["operands"] != _taken(kind, row):
                continue
            stated = {each: row[each] for each in STATED if each in row} | {"dtype": row.get("gemm_dtype", "bf16")}
            asked = {"id": f"{name} {place}", "kind": kind, "device": row["system"], "metric": "time", "unit": "µs"}
            yield _group(kind, row), validation.predict(asked | {"conditions": stated}), measured


def _taken(kind, row):
    if kind == "gemm" and row["n"] % 8 and row["system"] == "h100_sxm":
        return "none"  # they set what uneven rows cost
    if kind == "attention":
        return "again"
    return "cold" if kind == "decode_attention" and row["system"] == "h100_sxm" else "in turn"


def _group(kind, row):
    if kind != "gemm":
        return f"{'prompts' if kind == 'attention' else 'one token'}, {row['kernel']}"
    return f"products, {row['gemm_dtype']}{', n not a multiple of 8 (H200)' if row['n'] % 8 else ''}"


@cache
def judged():
    """{group: [rows, median |log(predicted / measured)|, 90 % of it, share of intervals held, bounds beaten]}"""
    found = {}
    for group, one, measured in told():
        off, held = abs(np.log(one.value / measured)), one.low <= measured <= one.high
        found.setdefault(group, []).append((off, held, measured < one.bound))
    for group, its in found.items():
        off, held, beaten = np.array(its, float).T
        median, most = np.quantile(off, (0.5, 0.9)).round(3).tolist()
        found[group] = [len(off), median, most, round(float(held.mean()), 3), int(beaten.sum())]
    return found


def table():
    """The same as Markdown."""
    lines = ((name, n, *map("{:.1%}".format, off), f"{held:.0%}", no) for name, (n, *off, held, no) in judged().items())
    return markdown(HEADS, lines)
