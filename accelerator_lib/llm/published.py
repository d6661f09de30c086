"""Published: runs of language models on real machines, beside the bound of this chapter at datasheet rates.
    one user       bytes of the weights / bandwidth                              tokens/s
    longer answer  bytes by which the cache grows on average / bandwidth         s a token
    first token    the prompt's FLOP / peak, or the weights' read                s
    offline        batch / (decode step + batch x prefill / output), a chip      tokens/s; prompts share a read
Bytes of quantised weights are those that the run reports, else 2 for each weight. The cache of an offline run in fp8 is
taken to be in 8 bits too: `cache` tries the other. Facts: data/measured.yaml and data/published/decode.yaml.
"""

import re
from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.hardware import chip
from accelerator_lib.llm.counts import of
from accelerator_lib.llm.room import held
from accelerator_lib.llm.steps import decode_step, prefill
from accelerator_lib.workload.models import model

USER = {
    "gptfast_7b_bf16": "7B, 16 bits",
    "gptfast_7b_int4": "7B, 4 bits",
    "gptfast_70b_int8": "70B, 8 bits",
    "gptfast_7b_eager": "7B, 16 bits, eager",
    "llamacpp_l3_rtx_4090_24gb_f16_tg512": "8B, 16 bits",
    "llamacpp_m2_ultra_76_core_gpu_192gb_70b_q4_0": "70B, 4 bits",
    "llamacpp_h100_pcie_80gb_70b_q4_0": "70B, 4 bits",
    "llamacpp_h100_pcie_80gb_7b_q4_0": "7B, 4 bits",
}
LONGER = {
    "RTX 4090, 8B, 16 bits": "llamacpp_l3_rtx_4090_24gb_f16",
    "M2 Ultra, 8B, 4 bits": "llamacpp_l3_m2_ultra_76_core_gpu_192gb_q4_k_m",
}
GIB = 2**30


@dataclass(frozen=True)
class Beside:
    """One published run: the bound of the model and what was measured, in `unit`; where it is known, if it fits."""

    id: str
    what: str
    bound: float
    measured: float
    unit: str  # "tokens/s": more is better; "s": less is
    source: str
    needed_bytes: float | None = None
    capacity_bytes: float | None = None
    share = property(lambda self: self.measured / self.bound if self.unit == "tokens/s" else self.bound / self.measured)
    ratio = property(lambda self: 1 / self.share)  # how many times slower than the bound it ran
    fits = property(lambda self: self.needed_bytes is None or self.needed_bytes <= self.capacity_bytes)


def one_user():
    """Beside of runs that answer one user: tokens/s, and what reading the weights once a token allows."""
    found = []
    for id, shape in USER.items():
        row = data.rows("decode")[id]
        bound, what = chip(row["chip"]).bytes_per_s / read_bytes(row), f"{_chips(row)}, {shape}"
        found.append(Beside(id, what, bound, row["value"], "tokens/s", data.title(row)))
    return tuple(found)


def longer_answer():
    """Beside of two machines: by how much a token takes longer where 8,192 are generated in place of 512 [s]."""
    found = []
    for name, run in LONGER.items():
        short, long = (data.rows("decode")[f"{run}_tg{tokens}"] for tokens in (512, 8192))
        tokens = [row["conditions"]["generated_tokens"] for row in (short, long)]
        added = (tokens[1] - tokens[0]) / 2 * of(_shape(short)).kv_bytes("bf16")  # a cache is half full on average
        bound, took = added / chip(short["chip"]).bytes_per_s, 1 / long["value"] - 1 / short["value"]
        found.append(Beside(run, name, bound, took, "s", data.title(short)))
    return tuple(found)


def first_token():
    """Beside of prompts: seconds to the first token, and what the arithmetic or the weights' read takes."""
    found = []
    for id, row in data.rows("prefill").items():
        given, count = row["conditions"], row["n_devices"]
        _, bound = prefill(_shape(row), row["chip"], given["prompt_tokens"], given["dtype"], n_chips=count)
        what = f"{_chips(row)}, {_size(row)}, {given['prompt_tokens']:,} tokens"
        found.append(Beside(id, what, bound, row["value"] / 1e3, "s", data.title(row)))
    return tuple(found)


@checked
def offline(cache: OneOf(("fp8", "fp16")) = "fp8"):
    """Beside of runs whose requests all wait at the start: tokens/s of a chip. `cache`: its format in the fp8 runs."""
    return tuple(_of_offline(row, cache) for row in data.rows("serving").values())


def read_bytes(row):
    """Bytes of weights that a published run for one user reads for each token."""
    given = row["conditions"]
    if "weights_gib" in given:
        count = of(_shape(row))
        return given["weights_gib"] * GIB * count.read(1) / count.weights  # a file holds the table of inputs
    if "int" in given["weights"]:
        return given["reported_gb_s"] * 1e9 / row["value"]
    return 2.0 * of(_shape(row)).read(1)


def _of_offline(row, cache):
    given, shape, count = row["conditions"], _shape(row), row["n_devices"]
    batch, prompt, output, dtype = (given[name] for name in ("batch", "input_tokens", "output_tokens", "dtype"))
    kv = cache if dtype == "fp8" else dtype
    step = decode_step(shape, row["chip"], batch, prompt + output // 2, dtype, kv, dtype, count)
    each = prefill(shape, row["chip"], prompt, dtype)[0] / (count * chip(row["chip"]).peak(dtype))
    bound = batch / (step.seconds + batch * each / output) / count
    full = held(shape, row["chip"], batch, prompt + output, dtype, kv, count)
    what = f"{_chips(row)}, {_size(row)}, {batch:,} × ({prompt:,} + {output:,})"
    there = count * chip(row["chip"]).need("capacity_bytes") / 1e9 * GIB  # vendors of memory count in GiB
    return Beside(row["id"], what, bound, row["value"], "tokens/s", data.title(row), full.needed_bytes, there)


def _shape(row):
    return model(row["conditions"].get("model", "llama-2-70b" if "70B" in row["workload"] else "llama-2-7b"))


def _size(row):
    return _shape(row).name.split()[-1]


def _chips(row):
    count = f"{row['n_devices']} × " if row["n_devices"] > 1 else ""
    return count + re.sub(r" \d+GB| SXM\d|Apple ", "", chip(row["chip"]).short_name)  # no two of one name and size
