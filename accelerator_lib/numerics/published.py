"""Published: what low precision brought on real machines, beside what the models of this chapter say.

    mlp         noise of every rounded operand of three products adds up        dB
    fp8_gemm    the roofline, and what a kernel that quantises the inputs costs  x
    decode      fewer bytes for each token                                       x
    training    only the products with weights become faster: Amdahl             x

Facts: data/measured.yaml.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.hardware import chip
from accelerator_lib.numerics.formats import quantize
from accelerator_lib.numerics.scales import snr_db
from accelerator_lib.roofline.roof import place
from accelerator_lib.roofline.utilization import amdahl
from accelerator_lib.workload.transformer import scores
from accelerator_lib.workload.work import Gemm

MATRICES = 3  # of a gated MLP
SM100 = "b200"  # a chip of that compute capability, for its peaks and bandwidth


@dataclass(frozen=True)
class Compared:
    """One number of a model beside the published one."""

    what: str
    model: float
    measured: float
    unit: str
    source: str


@checked
@cache
def mlp_db(operands: Count(1, 6)):
    """SNR [dB] of a gated MLP of which so many operands are rounded to E4M3: their noise adds up."""
    x = np.random.default_rng(0).standard_normal(2**16)
    return float(snr_db(x, quantize(x, "e4m3")) - 10 * np.log10(operands))


@checked
def linear_share(seq: Count(1, 10**7), d_model: Count(1, 10**6)):
    """Share of a layer's FLOP that are products with weights (12 d^2 of them, no gate), the rest being scores."""
    each = 2 * 12 * d_model**2
    return each / (each + sum(work.flops for work in scores(seq, d_model).values()) / seq)


@checked
def training_speedup(seq: Count(1, 10**7), d_model: Count(1, 10**6)):
    """How many times faster at most, where products with weights take half the time and scores as long as before."""
    return amdahl(linear_share(seq, d_model), 2)


@dataclass(frozen=True)
class Fp8Gemm:
    """One product, N and K fixed: TFLOP/s as published, seconds as they follow, and the roofline's ratio."""

    m: int
    n: int
    bf16: float
    with_quantise: float
    alone: float | None

    flops = property(lambda self: Gemm(self.m, self.n, 4096).flops)

    @property
    def roofline_ratio(self):
        """How many times faster FP8 is where bytes and peaks decide, results in bf16."""
        gemm, here = Gemm(self.m, self.n, 4096), chip(SM100)
        return place(gemm, here, "bf16").seconds / place(gemm, here, "fp8", output_dtype="bf16").seconds

    measured_ratio = property(lambda self: self.with_quantise / self.bf16)

    @property
    def quantise_seconds(self):
        """What the kernel that quantises takes: the difference of both times; None where only one is published."""
        return self.alone and self.flops / 1e12 * (1 / self.with_quantise - 1 / self.alone)


def fp8_gemms():
    """Fp8Gemm of every shape that is published, by outputs and rows."""
    found = {}
    for row in data.rows("fp8_gemm").values():
        at = row["conditions"]
        found.setdefault((at["N"], at["M"]), {})[at["variant"]] = row["value"]
    return tuple(
        Fp8Gemm(m, n, rates["bf16"], rates["fp8 with quantise"], rates.get("fp8 alone"))
        for (n, m), rates in sorted(found.items())
    )


def fp4_pairs():
    """(rows, numbers of the weights, times as fast in FP4 as in bf16), arrays, of products on B200 and GB200 that one
    program timed both ways, its scaling of the inputs counted. Source: aiconfigurator (kernel_times.yaml)."""
    return tuple(np.array(its) for its in zip(*data.load("kernel_times")["fp4"], strict=True))


def compared():
    """A tuple of Compared: four models of this chapter beside published numbers."""
    mlp, decode, wide, narrow = (data.rows(kind) for kind in ("e4m3_mlp", "decode", "training_1b", "training"))
    lines = [
        _line("E4M3 gated MLP, weights rounded", mlp_db(MATRICES), mlp["e4m3_mlp_weights_sqnr"], "dB"),
        _line("the same, weights and inputs rounded", mlp_db(2 * MATRICES), mlp["e4m3_mlp_both_sqnr"], "dB"),
    ]
    before, after = decode["gptfast_7b_bf16"], decode["gptfast_7b_int4"]
    fewer = bytes_for_a_token(before["id"]) / bytes_for_a_token(after["id"])
    lines.append(_line("int4 weights, one sequence decoded", fewer, after, "x", after["value"] / before["value"]))
    for one in wide.values():
        at = one["conditions"]
        other = narrow[one["id"].replace("bf16", "fp8")]
        faster = other["conditions"]["tokens_per_s_per_gpu"] / at["tokens_per_s_per_gpu"]
        what = f"FP8 training, {at['seq']:,} tokens a sequence"
        lines.append(_line(what, training_speedup(at["seq"], at["d_model"]), other, "x", faster))
    return tuple(lines)


@checked
def bytes_for_a_token(id):
    """Bytes that a published decode run read for each token: its rate of bytes over that of tokens."""
    row = data.rows("decode")[one_of("id", id, [key for key in data.rows("decode") if key.startswith("gptfast_7b_")])]
    return row["conditions"]["reported_gb_s"] * 1e9 / row["value"]


def _line(what, model, row, unit, measured=None):
    value = float(row["value"] if measured is None else measured)
    return Compared(what, float(model), value, unit, data.title(row))
