"""Attention: scores through memory step by step, or kept on chip at a share of the peak that waves and softmax leave.

    share = clock under load x clocks of the products of a score / (these + clocks of its softmax)
Products: 4 x head_dim / FLOP per clock; softmax: what exponential, maximum, sums (and random numbers) cost beyond what
is hidden, fitted for each generation of the kernel. Kernels for Ampere use Hopper's units at Ampere's rate. The clock
under load is that of the chip's best published product of matrices. One paper alone has rows of launches, of the first
generation and of dropout: with it left out, these constants stay where readers of that paper set them.
"""

import re
from typing import NamedTuple

from accelerator_lib import gpu
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.data import load
from accelerator_lib.hardware import format_bytes
from accelerator_lib.roofline import losses
from accelerator_lib.tiling import attention_bytes, attention_flops, eager
from accelerator_lib.units import percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.gemm import CACHED, format_of
from accelerator_lib.validation.record import Estimate, amount, free, remembered
from accelerator_lib.validation.runs import best_product

ROWS, FLASH_BACKWARD = {1: 256, 2: 128, 3: 128}, 5  # rows of a block by generation; kernels of a backward pass
WIDEST = {0: 128, 1: 64, 2: 128, 3: 256}  # head of the best case that a paper prints
NAMES = {"seq": ("seq", "seq_len", "sequence", "sequence_length", "tokens")}
NAMES |= {"head_dim": ("head_dim", "d_head", "d", "D")}
NAMES |= {"heads": ("heads", "n_heads", "num_heads", "H"), "batch": ("batch", "batch_size", "B")}
KV_HEADS = ("kv_heads", "n_kv_heads", "num_kv_heads", "heads_kv")


class Heads(NamedTuple):
    """Attention of a row on its chip. What needs the shape is None where the row does not state it."""

    version: int  # of a kernel that keeps scores on chip, 0: step by step
    which: str  # pass
    dropout: bool
    passes: float  # over the scores, step by step
    peak: float  # FLOP/s
    usable: float  # FLOP/s by the instructions of the kernel
    rate: float  # B/s of memory
    loaded: float  # the clock under load: share of the peak of the best product that is published of the chip
    product_clocks: float  # of one SM, for the products of one score
    plain_intensity: float  # FLOP of a score for each byte of it
    kernels: int
    flops: float | None = None  # as papers count it: half of it under a causal mask
    moved: float | None = None
    compulsory: float | None = None  # bytes of operands and results, each once
    full: float = 1.0  # share of the waves of blocks that is full

    @property
    def least_seconds(self):
        """No attention of this shape is done in less time [s]; operands that a cache may hold need not come at all."""
        return max(self.flops / self.peak, self.compulsory / self.rate if self.compulsory > CACHED else 0.0)


@remembered
def heads(row):
    """Heads of a row. Raises NotAvailable."""
    chip, family = named(row["device"])
    stated, words = row["conditions"], row["workload"].lower()
    said = f"{words} {stated.get('options', '')} {stated.get('mask', '')} {stated.get('variant', '')}".lower()
    kernels = load("validation")["attention_kernels"]
    version = next((version for version, pattern in kernels if re.search(pattern, words)), None)
    if version is None:
        known = "standard attention and FlashAttention 1 to 3 have"
        raise NotAvailable(f"{row['workload'][:60]!r} has no model here: {known}")
    dtype, which = format_of(row, usual="fp16"), pass_of(stated)
    causal = bool(stated.get("causal")) or "causal" in said
    dropout = bool(re.search(r"(?<!no )dropout(?! *0(\.0)?\b(?!\.))", said))
    masked = causal or bool(re.search(r"(?<!no )mask\b", said))
    fused = ("megatron" in said and masked) or "fused softmax" in said  # Megatron's fused kernel wants a mask
    steps = eager.steps(fused, masked, dropout)
    forward, backward = (1, FLASH_BACKWARD) if version else (len(steps), eager.BACKWARD * len(steps))
    usable = chip.peak(dtype) * (instructions(chip, family) if version in (1, 2) else 1.0)
    width = amount(row, *NAMES["head_dim"]) if any(stated.get(n) for n in NAMES["head_dim"]) else WIDEST[version]
    counted = 0.5 if causal else 1.0
    rates = {"peak": chip.peak(dtype), "usable": usable, "rate": chip.need("bytes_per_s"), "loaded": best_product(chip)}
    rates |= {"product_clocks": _clocks(chip, width, usable) if version else 0.0}
    rates |= {"plain_intensity": 4 * width * counted / format_bytes(dtype)}
    kernels = round({"forward": forward, "backward": backward, "forward+backward": forward + backward}[which])
    found = Heads(version, which, dropout, sum(steps.values()), **rates, kernels=kernels)
    try:
        shape = [int(amount(row, *names)) for names in NAMES.values()]
    except NotAvailable:
        return found
    share, once = eager.share_of(which), attention_bytes(*shape, dtype, "flash", kv_cached=True)
    once *= (1 + _kv_heads(row, shape[2]) / shape[2]) / 2  # queries and results; keys and values, of fewer heads
    blocks = shape[2] * shape[3] * (1 if version == 1 else -(-shape[0] // ROWS.get(version, 1)))
    once *= {"forward": 1, "backward": 2, "forward+backward": 3}[which]
    found = found._replace(flops=attention_flops(*shape) * share * counted, compulsory=once)
    if not version:
        return found._replace(moved=eager.eager_bytes(*shape, dtype, which, fused, masked, dropout))
    moved = attention_bytes(*shape, dtype, "flash", ROWS[version]) * share
    return found._replace(moved=moved, full=gpu.waves(blocks, 1, 1, 1, chip.units or 1).wave_efficiency)


def _kv_heads(row, heads):
    """Heads of keys and values, as many as of queries where a row does not tell. Raises NotAvailable."""
    if not any(row["conditions"].get(name) for name in KV_HEADS):
        return heads
    found = amount(row, *KV_HEADS)
    if found > heads or heads % found:
        raise NotAvailable(f"{found:g} heads of keys and values do not share {heads} heads of queries evenly")
    return found


def pass_of(stated):
    """forward, backward or both; a row that states none runs forward."""
    said = str(stated.get("pass") or "forward").lower()
    there = re.search("forward|fwd|both", said), re.search("backward|bwd|both", said)
    return "forward+backward" if all(there) else "backward" if there[1] else "forward"


def instructions(chip, family):
    """Share of a chip's peak that the instructions of Ampere reach."""
    rates = {row["chip"]: row["flop_per_clock"] for row in load("gpus")["tensor"]}
    if family == "hopper":
        return rates["a100-80gb-sxm"] / rates["h100-sxm5"]
    if family == "blackwell" and chip.units and chip.clock_hz:
        return min(1.0, rates["a100-80gb-sxm"] * chip.units * chip.clock_hz / chip.peak("fp16"))
    return 1.0


def _clocks(chip, width, usable):
    """Clocks of one SM for the products of one score. Raises NotAvailable."""
    if (chip.kind or "gpu") != "gpu":
        raise NotAvailable(f"no kernel for {chip.name} is known here that keeps scores on chip")
    if not (chip.units and chip.clock_hz):
        raise NotAvailable(f"units and clock of {chip.name} are not published, and the share of its softmax needs them")
    return 4 * width / (usable / (chip.units * chip.clock_hz))


FREE, BY_FAMILY = free("attention")
UNITS = {"ms": 1e3, "s": 1.0, "TFLOP/s": 1e-12}


def estimate(row, constants):
    """Estimate of a row of kind attention [ms, TFLOP/s, % of the peak, GB, GB/s]. Raises NotAvailable."""
    job, unit = heads(row), row["unit"]
    if unit == "GB/s" and job.version:
        share = constants("bandwidth")
        why = f"Reading keys and values takes {percent(share)} of {si(job.rate, 'B/s')}."
        return Estimate(share * job.rate / 1e9, job.rate / 1e9, "memory bandwidth", why)
    if unit == "GB" and job.moved:
        why = f"{job.which}: {si(job.moved, 'B')}, of which {si(job.compulsory, 'B')} are operands and results, once."
        return Estimate(job.moved / 1e9, job.compulsory / 1e9, "traffic", why)
    one = 100 / job.peak if unit == "%" else UNITS.get(unit)
    if one is None:
        raise NotAvailable(f"{row['id']}: {row['metric']} in {unit} is no time, rate or traffic of one layer")
    if job.flops is None and unit in ("ms", "s"):
        raise NotAvailable(f"{row['id']} does not state seq, head_dim, heads and batch")
    if job.flops is None:
        flops_per_s, limit, why = plateau(job, constants)
        return Estimate(flops_per_s * one, job.peak * one, limit, why)
    seconds, limit, why = timed(job, constants)
    if unit in ("ms", "s"):
        return Estimate(seconds * one, job.least_seconds * one, limit, why)
    return Estimate(job.flops / seconds * one, job.flops / job.least_seconds * one, limit, why)


def kept(job, constants):
    """Share of the peak that the softmax of the scores leaves to the products."""
    clocks = constants(f"softmax{job.version}_clocks") + (constants("dropout_clocks") if job.dropout else 0.0)
    return job.product_clocks / (job.product_clocks + clocks)


def _kept(job, share):
    reached = si(job.loaded * job.usable, "FLOP/s")
    keep = f"Beside the softmax, products keep {percent(share)}"
    return f"{keep} of the {reached} that these instructions reach under load"


def timed(job, constants):
    """(seconds, limit, why)"""
    launch, rate = constants("launch_us") * 1e-6, constants("bandwidth") * job.rate
    if job.version:
        share = kept(job, constants)
        work = max(job.flops / (share * job.loaded * job.usable * job.full), job.compulsory / rate)
        limit = "memory bandwidth" if work == job.compulsory / rate else "arithmetic"
        why = f"{_kept(job, share)}; blocks fill the waves to {percent(job.full)}"
    else:
        work, limit = max(job.moved / rate, job.flops / job.peak), "memory bandwidth"
        why = f"Scores and operands, {si(job.moved, 'B')}, go through memory at {si(rate, 'B/s')}"
    seconds = float(losses.launched_step(job.kernels, launch, work).steady_seconds)
    if job.kernels * launch > work:
        many = f"{job.kernels} launches of {si(launch, 's')} each take" if job.kernels > 1 else "one launch takes"
        return seconds, "launch", f"The work itself needs {si(work, 's')}, but its {many} {si(seconds, 's')}."
    return seconds, limit, f"{why}: that takes {si(seconds, 's')}."


def plateau(job, constants):
    """(FLOP/s, limit, why) of a long sequence, where a row does not state its shape."""
    if job.version:
        share = kept(job, constants)
        return share * job.loaded * job.usable, "arithmetic", f"{_kept(job, share)}, if the shape fills all waves."
    rate = constants("bandwidth") * job.rate
    found = min(job.peak, job.plain_intensity / job.passes * rate)
    why = f"{job.passes:g} passes over the scores in memory, at {si(rate, 'B/s')}, leave {si(found, 'FLOP/s')}."
    return found, "memory bandwidth", why
