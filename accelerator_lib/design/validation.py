"""Validation: the model on the published parameters of real chips, beside what was measured on them.

    ratio = predicted / measured            the model claims a factor of two

32 rows: one user's tokens on 1 to 8 A100s (16 and 8 bits), training without recomputation on H100s and A100s, and many
requests with 2,048 tokens in or out. Nothing is fitted to them but the edge of an H100's arrays.
"""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

from accelerator_lib import data
from accelerator_lib.design.evaluation import evaluate
from accelerator_lib.design.machine import real
from accelerator_lib.design.work import decode, prefill, training_like

BAND = 2  # the factor within which the model claims to be
MODELS = {"7B": "llama-2-7b", "70B": "llama-2-70b"}
PROMPT, ANSWER = 5, 200  # tokens of the one user
LONG = 2048


class Compared(NamedTuple):
    """One measurement: what the model says and what was measured, in the same unit."""

    id: str
    predicted: float
    measured: float


@cache
def validate():
    """All 32 rows: a tuple of (id, predicted, measured), in tokens a second."""
    return (*_decoded(), *_trained(), *_served())


def within(rows, band=BAND):
    """Those rows whose ratio lies within the band."""
    return tuple(row for row in rows if 1 / band <= row.predicted / row.measured <= band)


def _design(row, dtype):
    return replace(real("h100-sxm5" if row["device"].startswith("H100") else "a100-80gb-sxm"), dtype=dtype)


def _model(row):
    return MODELS[next(word.split("-")[-1] for word in row["workload"].split() if "lama" in word)]


def _decoded():
    for id, row in data.published("decode").items():
        weights = row["conditions"].get("weights", "")
        if not id.startswith("gptfast") or not row["device"].startswith("A100") or "eager" in row["workload"]:
            continue
        if weights not in ("bf16", "int8 weights"):
            continue
        design = _design(row, weights.split()[0])
        job = decode(_model(row), 1, PROMPT + ANSWER // 2)
        result = evaluate(design, job, row["n_devices"])
        yield Compared(id, result.per_chip_s * result.chips, row["value"])


def _trained():
    for id, row in data.published("training").items():
        given = row["conditions"]
        plain = given.get("recomputation") == "none" and row["device"] in ("H100 SXM", "A100 80GB")
        if not id.startswith("mpt_") or given.get("dtype") != "bf16" or not plain:
            continue
        job = training_like(id, given["layers"], given["d_model"], given["seq"], given["micro_batch"])
        result = evaluate(_design(row, "bf16"), job, row["n_devices"])
        yield Compared(id, result.per_chip_s, given["tokens_per_s_per_gpu"])


def _served():
    for id, row in data.published("serving").items():
        given = row["conditions"]
        tokens = given.get("input_tokens", 0), given.get("output_tokens", 0)
        if not id.startswith("serve_") or LONG not in tokens:
            continue
        design = _design(row, "fp8" if given["dtype"] == "fp8" else "bf16")
        chips, batch = row["n_devices"], given["batch"]
        step = evaluate(design, decode(_model(row), batch, tokens[0] + tokens[1] // 2), chips)
        prompt = evaluate(design, prefill(_model(row), tokens[0]), chips)
        seconds = tokens[1] * step.seconds + batch * prompt.seconds
        yield Compared(id, batch * tokens[1] / seconds / chips, row["value"])
