"""Specifications: what each rung asks for, as plain NumPy; what stands beside the blank kernel is this text.

transpose(a) -> {"out": a.T}        the arrays that a kernel must leave, from the arguments that it is given
"""

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
