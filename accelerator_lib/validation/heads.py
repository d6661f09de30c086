"""Heads: what a published row of attention runs, read once: its shape, pass, method, work and traffic on its chip."""

import re
from typing import NamedTuple

from accelerator_lib import gpu
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.data import load
from accelerator_lib.hardware import format_bytes
from accelerator_lib.tiling import attention_bytes, attention_flops, eager
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.gemm import CACHED, format_of
from accelerator_lib.validation.record import amount, remembered
from accelerator_lib.validation.runs import best_product

ROWS, FLASH_BACKWARD = {1: 256, 2: 128, 3: 128}, 5  # rows of a block by generation; kernels of a backward pass
WIDEST = {0: 128, 1: 64, 2: 128, 3: 256}  # head of the best case that a paper prints
UNKNOWN = "sparse|linformer|reformer|longformer|local|performer|linear|smyrf|lsformer|bigbird|window|ring"
METHODS = (  # generation of a kernel that keeps scores on chip; 0: step by step; None: no model here
    (None, UNKNOWN + r"|flash[- ]?(attention)?[- ]?[4-9]|\bfa-?[4-9]"),
    (3, r"flash[- ]?(attention)?[- ]?3|\bfa-?3|latent|mla|cudnn"),
    (2, r"flash[- ]?(attention)?[- ]?2|\bfa-?2|triton"),
    (1, r"flash|\bfa-?1|fmha|memory[- ]efficient|xformers"),
    (0, r"standard|plain|pytorch|eager|megatron|naive|unfused|math"),
)
NAMES = {
    "seq": ("seq", "seq_len", "sequence", "sequence_length", "tokens"),
    "head_dim": ("head_dim", "d_head", "d", "D"),
    "heads": ("heads", "n_heads", "num_heads", "H"),
    "batch": ("batch", "batch_size", "B"),
}

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
    version = next((version for version, pattern in METHODS if re.search(pattern, words)), None)
    if version is None:
        raise NotAvailable(
            f"{row['workload'][:60]!r} has no model here: standard attention and FlashAttention 1 to 3 have"
        )
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
    found = Heads(
        version=version,
        which=which,
        dropout=dropout,
        passes=sum(steps.values()),
        peak=chip.peak(dtype),
        usable=usable,
        rate=chip.need("bytes_per_s"),
        loaded=best_product(chip),
        product_clocks=_clocks(chip, width, usable) if version else 0.0,
        plain_intensity=4 * width * counted / format_bytes(dtype),
        kernels=round({"forward": forward, "backward": backward, "forward+backward": forward + backward}[which]),
    )
    try:
        shape = [int(amount(row, *names)) for names in NAMES.values()]
    except NotAvailable:
        return found
    share, once = eager.share_of(which), attention_bytes(*shape, dtype, "flash", kv_cached=True)
    once *= (1 + _kv_heads(row, shape[2]) / shape[2]) / 2  # queries and results; keys and values, of fewer heads
    blocks = shape[2] * shape[3] * (1 if version == 1 else -(-shape[0] // ROWS.get(version, 1)))
    return found._replace(
        flops=attention_flops(*shape) * share * counted,
        moved=attention_bytes(*shape, dtype, "flash", ROWS[version]) * share
        if version
        else eager.eager_bytes(*shape, dtype, which, fused, masked, dropout),
        compulsory=once * {"forward": 1, "backward": 2, "forward+backward": 3}[which],
        full=gpu.waves(blocks, 1, 1, 1, chip.units or 1).wave_efficiency if version else 1.0,
    )


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
