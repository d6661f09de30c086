"""Strangers: kernels of a program that fitted no law, timed for this course, as validation.predict tells them."""

import numpy as np

from accelerator_lib import data, validation
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
            if row["kernel"] == "written out" or row["operands"] != _taken(kind, row["system"]):
                continue
            stated = {each: row[each] for each in STATED if each in row} | {"dtype": row.get("gemm_dtype", "bf16")}
            asked = {"id": f"{name} {place}", "kind": kind, "device": row["system"], "metric": "time", "unit": "µs"}
            yield _group(kind, row), validation.predict(asked | {"conditions": stated}), measured


def _taken(kind, system):
    if kind == "attention":
        return "again"
    return "cold" if kind == "decode_attention" and system == "h100_sxm" else "in turn"


def _group(kind, row):
    if kind != "gemm":
        return f"{'prompts' if kind == 'attention' else 'one token'}, {row['kernel']}"
    return f"products, {row['gemm_dtype']}{', n not a multiple of 8' if row['n'] % 8 else ''}"


def judged():
    """{group: [rows, median |log(predicted / measured)|, 90 % of it, share of intervals held, bounds beaten]}"""
    found = {}
    for group, one, measured in told():
        off, held = abs(np.log(one.value / measured)), one.low <= measured <= one.high
        found.setdefault(group, []).append((off, held, measured < one.bound))
    return {group: _figures(*np.array(its, float).T) for group, its in found.items()}


def _figures(off, held, beaten):
    median, most = (round(float(np.quantile(off, share)), 3) for share in (0.5, 0.9))
    return [len(off), median, most, round(float(held.mean()), 3), int(beaten.sum())]


def stored():
    """What `judged` found when the laws were last fitted."""
    return data.load("kernel_times")["strangers"]


def table():
    """The same as Markdown."""
    lines = [HEADS, ["---", *["---:"] * 5]]
    for name, (rows, median, most, held, beaten) in stored().items():
        lines.append([name, rows, f"{median:.1%}", f"{most:.1%}", f"{held:.0%}", beaten])
    return "\n".join(f"| {' | '.join(map(str, cells))} |" for cells in lines)
