"""Validation: the model on the published parameters of real chips, beside what was measured: predicted / measured.
32 rows: one user's tokens on 1 to 8 A100s (16 and 8 bits), training without recomputation on H100s and A100s, and many
requests with 2,048 tokens in or out; areas and watts of four chips. Fitted: the edge of 64 to an H100's products; areas
and prices to published totals (data/design.yaml).
"""

from dataclasses import replace
from statistics import geometric_mean
from typing import NamedTuple

from accelerator_lib import data, hardware
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.design.evaluation import evaluate
from accelerator_lib.design.machine import real, reals
from accelerator_lib.design.merit import score
from accelerator_lib.design.work import decode, prefill, training_like

BAND = 2  # the factor within which the model claims to be
MODELS = {"7B": "llama-2-7b", "70B": "llama-2-70b"}
PROMPT, ANSWER, LONG = 5, 200, 2048  # tokens of the one user; of a long prompt or answer


class Compared(NamedTuple):  # one measurement: what the model says and what was measured, in the same unit
    id: str
    predicted: float
    measured: float
    label: str
    unit: str
    ratio = property(lambda self: self.predicted / self.measured)
    near = property(lambda self: 1 / BAND <= self.ratio <= BAND)  # whether the model is within its band


@data.kept
def compared():
    """{group: tuple of Compared}: "one user", "training", "many users", and "chips", which are areas and watts."""
    return dict(zip(GROUPS, map(tuple, (_decoded(), _trained(), _served(), _chips())), strict=True))


GROUPS = ("one user", "training", "many users", "chips")


@checked
def group(name: OneOf(GROUPS) = "one user"):
    """The Compared of one group, those that the model gets best first."""
    return tuple(sorted(compared()[name], key=lambda row: max(row.ratio, 1 / row.ratio)))


def validate():
    """All 32 rows of jobs: (id, predicted, measured), in tokens a second."""
    return tuple(row[:3] for name in GROUPS[:3] for row in compared()[name])


@checked
def typical():
    """How many times as fast as measured the model is, in the geometric mean of the 32 rows."""
    return geometric_mean([predicted / measured for _, predicted, measured in validate()])


@checked
def rows_of(maker: OneOf(("NVIDIA", "Google"))):
    """How many of the 32 rows were measured on chips of a maker."""
    known = {**data.published("decode"), **data.published("training"), **data.published("serving")}
    return sum(known[id]["device"].startswith("TPU") == (maker == "Google") for id, *_ in validate())


def _design(row, dtype):
    return replace(real("h100-sxm5" if row["device"].startswith("H100") else "a100-80gb-sxm"), dtype=dtype)


def _size(row):
    return next(word.split("-")[-1] for word in row["workload"].split() if "lama" in word)


def _devices(row):
    name = row["device"].split()[0]
    return name if row["n_devices"] == 1 else f"{row['n_devices']} {name}s"


def _decoded():
    for id, row in data.published("decode").items():
        weights = row["conditions"].get("weights", "")
        ours = id.startswith("gptfast") and row["device"].startswith("A100") and "eager" not in row["workload"]
        if not ours or weights not in ("bf16", "int8 weights"):
            continue
        size, dtype = _size(row), weights.split()[0]
        job = decode(MODELS[size], 1, PROMPT + ANSWER // 2)
        result = evaluate(_design(row, dtype), job, row["n_devices"])
        label = f"Llama 2 {size}, {dtype}, {_devices(row)}"
        yield Compared(id, result.per_chip_s * result.chips, row["value"], label, "tokens/s")


def _trained():
    for id, row in data.published("training").items():
        given = row["conditions"]
        plain = given.get("recomputation") == "none" and row["device"] in ("H100 SXM", "A100 80GB")
        if not id.startswith("mpt_") or given.get("dtype") != "bf16" or not plain:
            continue
        job = training_like(id, given["layers"], given["d_model"], given["seq"], given["micro_batch"])
        result = evaluate(_design(row, "bf16"), job, row["n_devices"])
        label = f"{id.split('_')[3].upper()}, {given['seq']:,} tokens, {_devices(row)}"
        yield Compared(id, result.per_chip_s, given["tokens_per_s_per_gpu"], label, "tokens/s")


def _served():
    for id, row in data.published("serving").items():
        given = row["conditions"]
        asked, answered = given.get("input_tokens", 0), given.get("output_tokens", 0)
        if not id.startswith("serve_") or LONG not in (asked, answered):
            continue
        design, size = _design(row, "fp8" if given["dtype"] == "fp8" else "bf16"), _size(row)
        chips, batch = row["n_devices"], given["batch"]
        step = evaluate(design, decode(MODELS[size], batch, asked + answered // 2), chips)  # halfway
        prompt = evaluate(design, prefill(MODELS[size], asked), chips)
        seconds = answered * step.seconds + batch * prompt.seconds
        label = f"{size}, {asked:,} in, {answered:,} out, {_devices(row)}"
        yield Compared(id, batch * answered / seconds / chips, row["value"], label, "tokens/s")


def _chips():
    known = data.load("design")["real"]
    records = {record["id"]: record for record in data.load("accelerators")["devices"]}
    for id in reals():
        chip, found = hardware.chip(id), score(id)
        name = chip.short_name.split()[0] if chip.vendor == "NVIDIA" else chip.short_name
        die = chip.die_mm2 or known[id]["press_mm2"]
        yield Compared(f"area_{id}", found.area_mm2, die, f"{name}, area", "mm²")
        drawn = chip.tdp_w or records[id]["power"]["measured_mean_w"]
        yield Compared(f"watts_{id}", found.watts, drawn, f"{name}, {'TDP' if chip.tdp_w else 'mean power'}", "W")
