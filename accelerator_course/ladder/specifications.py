"""Specifications: what each rung asks for, as NumPy that stands beside the blank kernel: the arrays to be left."""

import numpy as np


def map_(a):
    """Every number, twice and one more."""
    return {"out": 2 * a + 1}


def copy(a):
    """The same numbers again."""
    return {"out": a.copy()}


def transpose(a):
    """Rows become columns."""
    return {"out": a.T}


def reduction(a):
    """The sum of all numbers."""
    return {"out": np.array([a.sum()])}


def convolution(a, w):
    """Each number with four neighbours on either side, weighted; outside of a there are zeros."""
    padded = np.pad(a, 4)
    return {"out": sum(w[k] * padded[k : k + len(a)] for k in range(9))}


def scan(a):
    """Sums from the beginning of each row."""
    return {"out": np.cumsum(a, axis=1)}


def histogram(a):
    """How often each of 64 values occurs."""
    return {"counts": np.bincount(a, minlength=64)}


def matmul(a, b):
    """The product of two matrices."""
    return {"c": a @ b}


def product(a, b):
    """The product of two matrices."""
    return {"c": a @ b}


def fused(a, b, bias):
    """A layer: the product, a number added to each column, and nothing below zero."""
    return {"out": np.maximum(a @ b + bias, 0)}


def softmax(x):
    """Each row as shares of one."""
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return {"out": powers / powers.sum(axis=1, keepdims=True)}


def attention(q, k, v):
    """Causal attention of one head: a token sees itself and those before it."""
    scores = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    scores = np.where(np.tri(len(q), dtype=bool), scores, -np.inf)
    return {"out": softmax(scores)["out"] @ v}


def int4(w, scale, x):
    """Eight weights in each word, the first in the lowest bits, each 8 too large; times x, each row scaled."""
    weights = np.stack([w >> 4 * i & 15 for i in range(8)], axis=2).reshape(len(w), -1) - 8
    return {"out": scale * (weights @ x)}


def online(q, k, v):
    """Attention of one head: a token sees all."""
    return {"out": softmax(q @ k.T / np.sqrt(np.float32(8)))["out"] @ v}


def tensor(a, b):
    """The product of two matrices of halves, its sums in 32 bits."""
    return {"c": a.astype(np.float32) @ b.astype(np.float32)}


def feed(a, b):
    """The product of two matrices."""
    return {"c": a @ b}


def network(x0, w0, x1, w1, x2, w2):
    """Three layers: inputs, as rows of patches, times weights."""
    return {"y0": x0 @ w0, "y1": x1 @ w1, "y2": x2 @ w2}
