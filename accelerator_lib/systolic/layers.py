"""Layers: what comes between the products of a network, and how long the array waits for it."""

import numpy as np

from accelerator_lib.checks.signature import NonNegative, Positive, Switch, checked


@checked
def vector_share(k: Positive, operations: NonNegative, ratio: Positive, overlap: Switch = False):
    """Share of the time that the matrix unit works, when each result also needs so many vector operations.
    k: length of the dot product behind each result; ratio: FLOP rate of the matrix unit / of the vector unit."""
    matrix, vector = 2 * k, operations * ratio
    return matrix / (np.maximum(matrix, vector) if overlap else matrix + vector)
