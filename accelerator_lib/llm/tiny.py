"""A small transformer that really runs: a whole text at once, or one token with a cache of those before it.
Keys and values of the tokens that come in are written into the cache first; attention then looks at the cache alone.
Heads share keys and values in groups; positions are rotary. Its weights are drawn at random, so what it writes means
nothing.
"""

from functools import cache

import numpy as np

from accelerator_lib.data import kept
from accelerator_lib.workload.models import Model
from accelerator_lib.workload.transformer import params

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,"
PROMPT, OUTPUT, PIECE = 16, 32, 16  # the most; tokens that are computed at a time
ROOM = PROMPT + OUTPUT  # rows that are set aside for the cache
KV_HEADS = {"1": 1, "2": 2, "4": 4}


@cache
def shape(kv_heads, width=64):
    """The Model with so many key and value heads, 1, 2 or 4, and one so wide."""
    size = {"layers": 2, "d_model": width, "heads": 4, "head_dim": width // 4, "d_ff": 3 * width, "vocab": len(LETTERS)}
    made = Model(id="tiny", name="tiny", params=0, active_params=0, kv_heads=kv_heads, **size)
    return Model(**{**vars(made), "params": params(made), "active_params": params(made)})


@kept
def weights(kv_heads, width=64):
    """{name: float32 array}, drawn at random; those of a layer are stacked over the layers."""
    draw, one = np.random.default_rng(11), shape(kv_heads, width)
    d, wide, narrow, layers = one.d_model, one.d_ff, one.kv_width, one.layers

    def matrix(*size):
        return (draw.standard_normal(size) / size[-2] ** 0.5).astype(np.float32)

    return {
        "table": draw.standard_normal((one.vocab, d)).astype(np.float32),  # looked up, not multiplied
        "head": matrix(d, one.vocab),
        "query": 3 * matrix(layers, d, d),  # sharper than trained at first: it looks at few tokens
        "output": matrix(layers, d, d),
        "gate": matrix(layers, d, wide),
        "up": matrix(layers, d, wide),
        "down": matrix(layers, wide, d),
        "key": matrix(layers, d, narrow),
        "value": matrix(layers, d, narrow),
        "norms": np.ones((layers, 2, d), np.float32),
        "last": np.ones(d, np.float32),
    }


def empty(kv_heads, width=64):
    """A cache with nothing in it: keys and values, each [layers, room, KV heads, width of a head]."""
    one = shape(kv_heads, width)
    rows = np.zeros((one.layers, ROOM, one.kv_heads, one.head_dim), np.float32)
    return rows, rows


def forward(weights, tokens, start, keys, values):
    """(logits [n, vocabulary], keys, values) of tokens [n] from place `start` on."""
    layers, room, kv, width = keys.shape
    n = len(tokens)
    place = start + np.arange(n)
    seen = (np.arange(room)[None, :] <= place[:, None])[:, None, None, :]  # those before a token, and itself
    x, made = weights["table"][tokens], []
    for one in range(layers):
        y = _norm(x, weights["norms"][one, 0])
        query = _turned((y @ weights["query"][one]).reshape(n, -1, width), place)
        key = _turned((y @ weights["key"][one]).reshape(n, kv, width), place)
        value = (y @ weights["value"][one]).reshape(key.shape)
        cached = _write(keys[one], key, start), _write(values[one], value, start)
        scores = np.einsum("nkgd,rkd->nkgr", query.reshape(n, kv, -1, width), cached[0]) / width**0.5
        scores = np.exp(np.where(seen, scores, -np.inf) - np.max(np.where(seen, scores, -np.inf), -1, keepdims=True))
        mixed = np.einsum("nkgr,rkd->nkgd", scores / np.sum(scores, -1, keepdims=True), cached[1])
        x = x + mixed.reshape(n, -1) @ weights["output"][one]
        y = _norm(x, weights["norms"][one, 1])
        gate = y @ weights["gate"][one]
        x = x + (gate / (1 + np.exp(-gate)) * (y @ weights["up"][one])) @ weights["down"][one]
        made.append(cached)
    logits = _norm(x, weights["last"]) @ weights["head"]
    return logits, np.stack([key for key, _ in made]), np.stack([value for _, value in made])


def _norm(x, scale):
    return x / np.sqrt(np.mean(x * x, -1, keepdims=True) + np.float32(1e-6)) * scale


def _turned(x, place):  # Pairs of elements [n, heads, width], turned by an angle that grows with the place
    half = x.shape[-1] // 2
    pace = (100.0 ** (-np.arange(half) / half)).astype(np.float32)
    angle = (place[:, None, None] * pace).astype(np.float32)
    sine, cosine, a, b = np.sin(angle), np.cos(angle), x[..., :half], x[..., half:]
    return np.concatenate([a * cosine - b * sine, a * sine + b * cosine], -1)


def _write(old, new, start):
    made = old.copy()
    made[start : start + len(new)] = new
    return made


def whole(weights, tokens, kv_heads):
    """Logits [vocabulary] after a text, all of it computed anew; 16 tokens at a time, which one thread does faster."""
    keys, values = empty(kv_heads)
    for start in range(0, len(tokens), PIECE):
        logits, keys, values = forward(weights, tokens[start : start + PIECE], start, keys, values)
    return logits[-1]


def first(prompt):
    """The tokens of a prompt of so many letters."""
    return [7 * i % len(LETTERS) for i in range(prompt)]
