"""Runs of training as rows state them: which model, what is computed again, how the step is spread over chips.

Where a row is silent: nothing is computed again (an HFU is asked: everything), attention is of the first tiled kind,
chunks of a pipeline are single layers, and a model that no chip can hold is cut inside a node. A decoder goes by its
name, by its layers and width, or by its size alone: then it is as wide as GPT's are, with one table.
"""

import re
from functools import cache, lru_cache
from math import ceil, log2
from typing import NamedTuple

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.network import training
from accelerator_lib.network.parallel import EFFICIENCY, GRADIENT, OPTIMIZER, WEIGHT
from accelerator_lib.network.protocols import chips_of_a_node
from accelerator_lib.units import si
from accelerator_lib.validation import language
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import first, is_number, one
from accelerator_lib.workload import counted
from accelerator_lib.workload.models import Model

VOCAB, ASPECT, CONTEXT, LONGEST = 51_200, 128, 2048, 8192  # where a row states none: GPT's; of a model's own context
SIZE = re.compile(r"\b(\d+(?:[.,]\d+)?)\s?(m|b|bn|t|billion|million|trillion)\b")


@lru_cache(256)
def _sized(size, vocab):
    """A decoder of so many parameters: 12 d^2 a layer, layers = d / 128, one table."""
    width = (size * ASPECT / 12) ** (1 / 3)
    for _ in range(20):
        width = (max(size - vocab * width, size / 3) * ASPECT / 12) ** (1 / 3)
    return plain(max(round(width / ASPECT), 1), max(round(width / 128), 1) * 128, vocab, size)


def plain(layers, width, vocab, size=None, seq=0):
    """A decoder of GPT's kind, counted as the conventions of the rows say: one table, learned positions."""
    size = size or 12 * layers * width**2 + (vocab + seq) * width
    heads = next((width // each for each in (128, 64, 80, 96, 112) if width % each == 0), 1)
    shape = {"heads": heads, "kv_heads": heads, "head_dim": width // heads, "d_ff": round(8 * width / 3)}
    name = f"a decoder of {si(size)} parameters".replace(" G ", " B ")
    return Model("sized", name, layers, width, vocab=vocab, params=size, active_params=size, **shape)


def decoder(row):
    """The Model that a row is about. Raises NotAvailable."""
    said = row["conditions"]
    vocab = int(said.get("vocab") or VOCAB)
    width = said.get("d_model") or said.get("hidden") or said.get("hidden_size")
    layers = said.get("layers") or said.get("n_layers")
    if isinstance(width, int) and isinstance(layers, int):
        mpt = "mpt" in row["workload"].lower()
        return plain(layers, width, 50_368 if mpt else vocab, seq=context(row) if mpt else 0)
    try:
        return language.shape(row)
    except NotAvailable:
        found = SIZE.search(row["workload"].lower()) or SIZE.search(str(said.get("model", "")).lower())
        if not found or re.search(r"\d+x\d+|moe|mixtral|experts|deepseek", row["workload"].lower()):
            raise
        size = float(found[1].replace(",", ".")) * {"m": 1e6, "b": 1e9, "t": 1e12}[found[2][0]]
        if not 1e6 <= size <= 1e14:
            raise
        return _sized(size, vocab)


def context(row):
    """Tokens of a sequence: as stated, as the model is made for, or as GPT was trained with."""
    for name in ("seq", "seq_len", "sequence_length", "context", "tokens"):
        said = one(row, name)
        if is_number(said) and said >= 1:
            return int(said)
    try:
        return min(language.shape(row).context_tokens or CONTEXT, LONGEST)
    except NotAvailable:
        return CONTEXT


HELD = WEIGHT + GRADIENT + OPTIMIZER  # bytes of a weight in training
TOKENS = 8192  # of a chip in one pass, where a row states no batch
TILED = 2022  # sources up to this year kept the scores in memory, unless they say otherwise


class Run(NamedTuple):
    """What a row says, as the models take it."""

    chip: object
    family: str
    chips: int | None
    model: Model
    context: int
    dtype: str | None  # of the layers' products, where it is none of 16 bits
    peak: float  # FLOP/s in it
    work: counted.Token
    talk: float  # chip-seconds of a token, if nothing hid them
    idle: float  # of what a stage computes
    late: float  # the slowest chip, of the mean one
    product: float  # best published share of the peak
    attention: float
    counts: str  # what all of that comes to, before anything is timed


@lru_cache(64)
def best_product(chip):
    """Share of the peak of the best 16-bit matrix product that is published of a chip; where none is, 0.8."""
    best = _best_products().get(chip.id)
    return min(best * 1e12 / training.wide_peak(chip), 1.0) if best else EFFICIENCY


@cache
def _best_products():
    best = {}
    for row in data.published("gemm").values():
        if row["unit"] == "TFLOP/s" and str(row["conditions"].get("dtype")).lower() in ("bf16", "fp16"):
            try:
                id = named(row["device"])[0].id
            except NotAvailable:
                continue
            best[id] = max(best.get(id, 0.0), row["value"])
    return best


@lru_cache(64)
def best_attention(family, words):
    """Share of the peak of a tiled attention: the second version's best on this family, half of it for the first.
    A chip after Ampere has instructions that it does not use."""
    id = "fa2_a100_peak" if family in ("ampere", "volta", "ada", "tpu") else "fa2_h100_peak"
    row = data.published("attention")[id]
    best = row["value"] * 1e12 / named(row["device"])[0].peak("bf16")
    return best if re.search(r"attention.?2|attention.?3|fa2|fa3|cudnn", words) else best / 2


@lru_cache(1024)
def read_run(device, chips, workload, metric, said, source=None):
    """The Run of a row, read once: fitting asks again and again. Raises NotAvailable."""
    row = {"id": "the row", "n_devices": chips, "workload": workload, "metric": metric, "conditions": dict(said)}
    chip, family = named(device)
    model, seq = decoder(row), context(row)
    said_format = str(row["conditions"].get("dtype", row["conditions"].get("precision", workload))).lower()
    dtype = first("training_formats", said_format)
    words = _words(row)
    date = str(data.load("measured")["sources"].get(source, {}).get("date", ""))
    early = int((re.search(r"\d{4}", date) or ["9999"])[0]) <= TILED and "flash" not in words
    early = early or family == "volta"  # tiled kernels want instructions that came after it
    attention = "whole" if early or re.search(r"\bno flash|eager|without flash|unfused", words) else "tiles"
    peak = chip.peak(dtype) if dtype else training.wide_peak(chip)
    work = counted.token(model, seq, _again(row), attention)
    cost, credit = si(work.executed, "FLOP"), si(work.credited, "FLOP")
    counts = f"A token of {model.name} costs {cost} and is credited with {credit}"
    best = best_product(chip), best_attention(family, words)
    spread, late = _spread(row, model, chip, seq), training.lateness(chips or 1)
    return Run(chip, family, chips, model, seq, dtype, peak, work, *spread, late, *best, counts)


def _words(row):
    return " ".join(str(each) for each in (row["workload"], *row["conditions"].values())).lower()


def _again(row):
    said = row["conditions"].get("recomputation", row["conditions"].get("activation_checkpointing"))
    if said is None:
        found = re.search(r"[^,;(]*(?:recomput|checkpointing|remat)\w*", f"{row['workload']}; {count(row)}".lower())
        said = found[0] if found else "full" if row["metric"].lower() == "hfu" else "none"
    said = " ".join(str(said).lower().replace("_", " ").split())
    return first("recomputation", said, "none")


def count(row):
    """How the source counts FLOP, in its words."""
    return str(row["conditions"].get("flop_count", ""))


def whole(row, *names):
    """The first whole number that the conditions state under one of these names, or None."""
    for name in names:
        said = one(row, name)
        if is_number(said) and said >= 1 and said == int(said):
            return int(said)
    return None


def _spread(row, model, chip, seq):
    """(talk [chip-seconds of a token], idle share) of how the step is spread over chips."""
    n, ways = row["n_devices"] or 1, (("tensor", "tp"), ("pipeline", "pp"), ("context", "cp"))
    tp, pp, cp = (whole(row, f"{each}_parallel", short, f"{short}_size") or 1 for each, short in ways)
    inner = min(model.experts, chips_of_a_node(chip), n) if model.experts > 1 else 1
    inner = whole(row, "expert_parallel", "ep", "ep_size") or inner
    sent = training.expert_seconds(model, chip, min(inner, n)) if model.experts > 1 else 0.0
    if n > 1 and re.search(r"shard|fsdp|zero.?3", _words(row)) and tp == pp == 1:
        held = seq * (whole(row, "micro_batch", "batch_per_gpu", "local_batch", "batch_per_device") or 0)
        return sent + training.dealt_out_seconds(model, chip, held or max(seq, TOKENS), n), 0.0
    if tp == pp == 1:
        if n == 1 or model.experts > 1 or chip.kind == "tpu" or HELD * model.params < chip.need("capacity_bytes"):
            return sent, 0.0
        tp = min(2 ** ceil(log2(HELD * model.params / chip.capacity_bytes)), chips_of_a_node(chip), 8)  # as it must be
    ways, batch = tp * pp * cp, whole(row, "batch_per_dp", "microbatches")
    dp = whole(row, "data_parallel", "dp") or max(n // ways, 1)
    batch = batch or (whole(row, "batch", "global_batch") or 0) // dp or 4 * pp
    deepest = max(-(-model.layers // pp), 1) if batch % pp == 0 else 1
    idle = (pp - 1) / (whole(row, "interleave", "virtual_stages") or deepest) / batch
    talk = training.tensor_seconds(model, chip, min(tp, chips_of_a_node(chip)))
    return talk + sent + training.gradient_seconds(model, chip, ways, dp, batch * seq), idle
