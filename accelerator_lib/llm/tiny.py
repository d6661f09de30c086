"""A small transformer that really runs: it was trained on novels by Jane Austen, and writes letter by letter. A draft
model of a thirteenth of its size was trained with it (tests/train.py; recipe and losses: data/austen.yaml).
One law for a whole text, for one token behind a cache of those before it, and for a batch; in NumPy and in JAX. Heads
share keys and values in groups, positions are rotary, norms have no weights, the table of inputs is the head, too.
"""

from functools import cache

import numpy as np

from accelerator_lib.data import FOLDER, kept
from accelerator_lib.numerics.formats import of, quantize
from accelerator_lib.workload.models import Model
from accelerator_lib.workload.transformer import params

LETTERS = "\n abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,;:!?'\"-()&"
START = "She had not been"  # of which a prompt takes the first letters
PROMPT, OUTPUT = len(START), 32  # the most
ROOM = PROMPT + OUTPUT  # rows that are set aside for the cache
BLOCK = {"int8": None, "e4m3": None, "int4": 32, "e2m1": 32}  # numbers of a column that share a scale; None: all
FORMATS = ("bf16", "int8", "e4m3", "int4", "e2m1")
PIECE, AT_ONCE = 256, 8  # letters of a piece of the held-out text; pieces that are computed at a time
SIZES = {
    "austen": {"layers": 3, "d_model": 192, "heads": 8, "head_dim": 24, "kv_heads": 2, "d_ff": 576},
    "draft": {"layers": 2, "d_model": 64, "heads": 4, "head_dim": 16, "kv_heads": 1, "d_ff": 192},
}


@cache
def shape(name="austen"):
    """The Model, or its draft."""
    size = SIZES[name] | {"vocab": len(LETTERS), "tied_embeddings": True, "vectors": 0}
    made = Model(id=name, name=name, params=0, active_params=0, **size)
    return Model(**{**vars(made), "params": params(made), "active_params": params(made)})


def sizes(one):
    """{name: shape} of the arrays of a Model; those of a layer are stacked over the layers."""
    d, wide, narrow, layers = one.d_model, one.d_ff, one.kv_width, one.layers
    matrices = {"query": (d, d), "key": (d, narrow), "value": (d, narrow), "output": (d, d)}
    matrices |= {"gate": (d, wide), "up": (d, wide), "down": (wide, d)}
    return {"table": (one.vocab, d)} | {key: (layers, *size) for key, size in matrices.items()}


@kept
def stored():
    """(arrays of the file, the letters that no model was trained on, as tokens)."""
    with np.load(FOLDER / "austen.npz") as file:
        arrays = dict(file)
    return arrays, arrays.pop("held_out")


@kept
def weights(name="austen", dtype="int8"):
    """{name: float32 array}, as they are stored in int8, or those rounded to another format, too."""
    arrays, _ = stored()
    scaled = lambda key: (arrays[key] * arrays[f"{key} scale"]).astype(np.float32)  # noqa: E731
    found = {key: scaled(f"{name} {key}") for key in sizes(shape(name))}
    return found if dtype == "int8" else {key: rounded(array, dtype) for key, array in found.items()}


def rounded(array, dtype):
    """Numbers [..., rows, columns] as a format holds them: bf16, or one of BLOCK with a scale for so many rows."""
    if dtype == "bf16":
        return quantize(array, dtype).astype(np.float32)
    size, top = BLOCK[dtype] or array.shape[-2], of(dtype).max
    rows = np.arange(0, array.shape[-2], size)
    scale = np.maximum(np.maximum.reduceat(np.abs(array), rows, axis=-2), 1e-12) / top
    scale = np.repeat(scale, size, axis=-2)[..., : array.shape[-2], :]
    return (quantize(array / scale, dtype) * scale).astype(np.float32)


def empty(name="austen", *batch):
    """A cache with nothing in it: keys and values, each [layers, *batch, KV heads, 0, width of a head]."""
    one = shape(name)
    rows = np.zeros((one.layers, *batch, one.kv_heads, 0, one.head_dim), np.float32)
    return rows, rows


def forward(weights, tokens, keys, values, xp=np):
    """(logits [..., n, vocabulary], keys, values) of tokens [..., n] that come behind those in the cache. xp: numpy or
    jax.numpy; all products with weights or with the cache are its matmul."""
    kv, held, width = keys.shape[-3:]
    n, before = tokens.shape[-1], tokens.shape[:-1]
    group = weights["query"].shape[-1] // (kv * width)
    place = held + np.arange(n)
    seen = np.repeat(np.arange(held + n) <= place[:, None], group, axis=0)  # those before a token, and itself
    heads = lambda rows: xp.swapaxes(rows.reshape(*before, n, -1, width), -3, -2)  # noqa: E731
    x, made = weights["table"][tokens], []
    for one in range(len(keys)):
        y = _norm(x, xp)
        query, key, value = (heads(xp.matmul(y, weights[name][one])) for name in ("query", "key", "value"))
        key = xp.concatenate([keys[one], _turned(key, place, xp)], -2)
        value = xp.concatenate([values[one], value], -2)
        query = _turned(query, place, xp).reshape(*before, kv, group, n, width)
        query = xp.swapaxes(query, -3, -2).reshape(*before, kv, n * group, width)
        scores = xp.where(seen, xp.matmul(query, xp.swapaxes(key, -2, -1)) / np.float32(width**0.5), -np.inf)
        scores = xp.exp(scores - xp.max(scores, -1, keepdims=True))
        mixed = xp.matmul(scores / xp.sum(scores, -1, keepdims=True), value).reshape(*before, kv, n, group * width)
        mixed = xp.swapaxes(mixed, -3, -2).reshape(*before, n, -1)
        x = x + xp.matmul(mixed, weights["output"][one])
        y = _norm(x, xp)
        gate = xp.matmul(y, weights["gate"][one])
        x = x + xp.matmul(gate / (1 + xp.exp(-gate)) * xp.matmul(y, weights["up"][one]), weights["down"][one])
        made.append((key, value))
    logits = xp.matmul(_norm(x, xp), weights["table"].T)
    return logits, *(xp.stack(rows) for rows in zip(*made, strict=True))


def _norm(x, xp):
    return x / xp.sqrt(xp.mean(x * x, -1, keepdims=True) + np.float32(1e-6))


def _turned(x, place, xp):  # pairs of elements [..., n, width], turned by an angle that grows with the place
    half = x.shape[-1] // 2
    angle = place[:, None] * 10000.0 ** (-np.arange(half) / half)
    sine, cosine = np.sin(angle).astype(np.float32), np.cos(angle).astype(np.float32)
    a, b = x[..., :half], x[..., half:]
    return xp.concatenate([a * cosine - b * sine, a * sine + b * cosine], -1)


def losses(weights, pieces, name="austen", xp=np):
    """Mean loss of each of the pieces [pieces, letters] in bits for a letter."""
    logits, *_ = forward(weights, pieces[:, :-1], *empty(name, len(pieces)), xp)
    top = xp.max(logits, -1, keepdims=True)
    logs = logits - top - xp.log(xp.sum(xp.exp(logits - top), -1, keepdims=True))
    return -xp.mean(xp.take_along_axis(logs, pieces[:, 1:, None], -1)[..., 0], -1) / np.float32(np.log(2))


@kept
def measured(name="austen", dtype="int8", pieces=None):
    """Loss of each piece of the held-out text, or of the first of them, in bits for a letter; weights in a format."""
    _, held = stored()
    cut = held[: len(held) // PIECE * PIECE].reshape(-1, PIECE).astype(int)[:pieces]
    parts = (cut[at : at + AT_ONCE] for at in range(0, len(cut), AT_ONCE))
    return np.concatenate([losses(weights(name, dtype), part, name) for part in parts])


def tokens(text):
    """The tokens [n] of a text."""
    return np.array([LETTERS.index(letter) for letter in text])
