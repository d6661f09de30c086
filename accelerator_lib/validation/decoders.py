"""Decoders of training rows: by their name, by their layers and width, or by their size alone.

A model of which only the size is named is ASPECT times as wide as deep, as GPT's are: 12 d^2 weights a layer and one
table. Its parameters are those of its name; a few percent of its time depend on the guess.
"""

import re
from functools import lru_cache

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.units import si
from accelerator_lib.validation import language
from accelerator_lib.validation.record import one
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
        scale = {"m": 1e6, "b": 1e9, "t": 1e12}[found[2][0]]
        size = float(found[1].replace(",", ".")) * scale
        if not 1e6 <= size <= 1e14:
            raise
        return _sized(size, vocab)


def context(row):
    """Tokens of a sequence: as stated, as the model is made for, or as GPT was trained with."""
    for name in ("seq", "seq_len", "sequence_length", "context", "tokens"):
        said = one(row, name)
        if isinstance(said, (int, float)) and not isinstance(said, bool) and said >= 1:
            return int(said)
    try:
        return min(language.shape(row).context_tokens or CONTEXT, LONGEST)
    except NotAvailable:
        return CONTEXT
