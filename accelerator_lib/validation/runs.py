"""Runs of training as rows state them: which model, what is computed again, how the step is spread over chips.

Where a row is silent: nothing is computed again (an HFU is asked: everything), chunks of a pipeline are single layers,
a model of which only the size is named is 128 times as wide as deep, and one that no chip can hold is cut inside a node.
"""

import re
from functools import lru_cache
from math import ceil, log2
from typing import NamedTuple

from accelerator_lib.inputs import NotAvailable
from accelerator_lib.network import training
from accelerator_lib.network.protocols import chips_of_a_node
from accelerator_lib.units import si
from accelerator_lib.validation import language
from accelerator_lib.validation.devices import named
from accelerator_lib.workload import counted
from accelerator_lib.workload.models import Model

HELD = 18  # bytes of a weight, its gradient and optimiser
VOCAB, ASPECT, CONTEXT, TOKENS = 51_200, 128, 2048, 8192  # where a row states none: GPT's; a chip's tokens of a pass
WORDS = (  # of what is computed again, the first that fits
    ("none", r"^(no|none|without|false|off)\b|no (activation )?re"), ("half", r"selective.*per|every (second|other)"),
    ("attention", r"selective|attention"), ("full", r"full|all|true|yes|with"),
)  # fmt: skip
SIZE = re.compile(r"\b(\d+(?:[.,]\d+)?)\s?(m|b|bn|t|billion|million|trillion)\b")


class Run(NamedTuple):
    """What a row says, as the models take it."""

    chip: object
    family: str
    chips: int | None
    model: Model
    context: int
    dtype: str
    work: counted.Token
    talk: float  # chip-seconds of a token, if nothing hid them
    idle: float  # of what a stage computes
    late: float  # the slowest chip, of the mean one
    told: str  # what all of that comes to, before anything is timed


@lru_cache(1024)
def read_run(device, chips, workload, metric, said):
    """The Run of a row, read once: fitting asks again and again. Raises NotAvailable."""
    row = {"id": "", "n_devices": chips, "workload": workload, "metric": metric, "conditions": dict(said)}
    chip, family = named(device)
    model, context = _model(row), _context(row)
    dtype = "fp8" if re.search("fp8|e4m3|float8", str(row["conditions"].get("dtype", workload)).lower()) else "bf16"
    attention = "whole" if re.search(r"\bno flash|eager|without flash|unfused", _words(row)) else "tiles"
    work = counted.token(model, context, _again(row), attention)
    told = f"A token of {model.name}: {si(work.executed, 'FLOP')} executed, {si(work.credited, 'FLOP')} credited"
    spread, late = _spread(row, model, chip, context), training.lateness(chips or 1)
    return Run(chip, family, chips, model, context, dtype, work, *spread, late, told)


@lru_cache(256)
def _sized(size, vocab):
    """A decoder of so many parameters: 12 d^2 a layer, layers = d / 128, one table."""
    width = (size * ASPECT / 12) ** (1 / 3)
    for _ in range(20):
        width = (max(size - vocab * width, size / 3) * ASPECT / 12) ** (1 / 3)
    return plain(max(round(width / ASPECT), 1), max(round(width / 64), 1) * 64, vocab, size)


def plain(layers, width, vocab, size=None, seq=0):
    """A decoder of GPT's kind, counted as the conventions of the rows say: one table, learned positions."""
    size = size or 12 * layers * width**2 + (vocab + seq) * width
    heads = max(width // 128, 1) if width % max(width // 128, 1) == 0 else 1
    shape = {"heads": heads, "kv_heads": heads, "head_dim": width // heads, "d_ff": round(8 * width / 3)}
    name = f"a decoder of {si(size)} parameters".replace(" G ", " B ")
    return Model("sized", name, layers, width, vocab=vocab, params=size, active_params=size, **shape)


def _model(row):
    said = row["conditions"]
    vocab = int(said.get("vocab") or VOCAB)
    width = said.get("d_model") or said.get("hidden") or said.get("hidden_size")
    layers = said.get("layers") or said.get("n_layers")
    if isinstance(width, int) and isinstance(layers, int):
        mpt = "mpt" in row["workload"].lower()
        return plain(layers, width, 50_368 if mpt else vocab, seq=_context(row) if mpt else 0)
    try:
        return language.shape(row)
    except NotAvailable:
        found = SIZE.search(row["workload"].lower()) or SIZE.search(str(said.get("model", "")).lower())
        if not found or re.search(r"\d+x\d+|moe|mixtral|experts|deepseek", row["workload"].lower()):
            raise
        scale = {"m": 1e6, "b": 1e9, "t": 1e12}[found[2][0]]
        return _sized(float(found[1].replace(",", ".")) * scale, vocab)


def _context(row):
    for name in ("seq", "seq_len", "sequence_length", "context", "tokens"):
        said = row["conditions"].get(name)
        if isinstance(said, (int, float)) and not isinstance(said, bool) and said >= 1:
            return int(said)
    try:
        return min(language.shape(row).context_tokens or CONTEXT, TOKENS)
    except NotAvailable:
        return CONTEXT


def _words(row):
    return " ".join(str(each) for each in (row["workload"], *row["conditions"].values())).lower()


def _again(row):
    said = row["conditions"].get("recomputation", row["conditions"].get("activation_checkpointing"))
    if said is None:
        found = re.search(r"[^,;(]*(?:recomput|checkpointing|remat)\w*", f"{row['workload']}; {count(row)}".lower())
        said = found[0] if found else "full" if row["metric"].lower() == "hfu" else "none"
    said = " ".join(str(said).lower().replace("_", " ").split())
    return next((name for name, pattern in WORDS if re.search(pattern, said)), "none")


def count(row):
    return str(row["conditions"].get("flop_count", ""))


def whole(row, *names):
    for name in names:
        said = row["conditions"].get(name)
        if isinstance(said, (int, float)) and not isinstance(said, bool) and said >= 1 and said == int(said):
            return int(said)
    return None


def _spread(row, model, chip, seq):
    """(talk [chip-seconds of a token], idle share) of how the step is spread over chips."""
    n = row["n_devices"] or 1
    tp, pp, cp = (
        whole(row, f"{each}_parallel", short, f"{short}_size") or 1
        for each, short in (("tensor", "tp"), ("pipeline", "pp"), ("context", "cp"))
    )
    if n > 1 and re.search(r"shard|fsdp|zero.?3", _words(row)) and tp == pp == 1:
        held = seq * (whole(row, "micro_batch", "batch_per_gpu", "local_batch", "batch_per_device") or 0)
        return training.dealt_out_seconds(model, chip, held or max(seq, TOKENS), n), 0.0
    if tp == pp == 1:
        if n == 1 or chip.kind == "tpu" or HELD * model.params < chip.need("capacity_bytes"):
            return 0.0, 0.0
        tp = min(2 ** ceil(log2(HELD * model.params / chip.capacity_bytes)), chips_of_a_node(chip), 8)  # as it must be
    ways, batch = tp * pp * cp, whole(row, "batch_per_dp", "microbatches")
    dp = whole(row, "data_parallel", "dp") or max(n // ways, 1)
    batch = batch or (whole(row, "batch", "global_batch") or 0) // dp or 4 * pp
    deepest = max(-(-model.layers // pp), 1) if batch % pp == 0 else 1
    idle = (pp - 1) / (whole(row, "interleave", "virtual_stages") or deepest) / batch
    talk = training.tensor_seconds(model, chip, min(tp, chips_of_a_node(chip)))
    return talk + training.gradient_seconds(model, chip, ways, dp, batch * seq), idle
