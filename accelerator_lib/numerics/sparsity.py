"""Sparsity: weights that are zero need not be stored, nor multiplied, if the hardware can skip them.

    2:4     of every four neighbours two are kept, each with 2 bits that say where it stood
    bytes kept = 1/2 + 1 / bits of the dense ones; time = 1/2 in the matrix unit, or all where a group keeps more

Unstructured: any weight may be zero. A matrix unit multiplies the zeros too; skipping them is left to the vector unit.
Source of 2:4: NVIDIA A100 architecture whitepaper, 2020.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Count, Given, Number, checked
from accelerator_lib.numerics.formats import Reals
from accelerator_lib.numerics.scales import ratio_db

GROUP, KEPT, INDEX_BITS = 4, 2, 2


@checked
def sparse_bytes_ratio(bits: Number(low=1, high=64)):
    """Bytes of a 2:4 sparse matrix, places included, over those of the dense one."""
    return (KEPT * bits + KEPT * INDEX_BITS) / (GROUP * bits)


def _mask(mask):
    found = np.asarray(mask)
    if found.ndim != 1 or not len(found) or len(found) % GROUP or not np.isin(found, (0, 1)).all():
        raise ValueError(f"mask must be a row of 0 and 1 in groups of {GROUP}; got {str(mask)[:60]!r}")
    return found.astype(bool)


Mask = Given("a row of 0 and 1, in groups of four", _mask)


@dataclass(frozen=True, eq=False)
class Pruned:
    """A row of weights under a mask, and what the machine makes of it."""

    weights: np.ndarray
    mask: np.ndarray
    bits: int

    # how many weights each group of four keeps
    groups = property(lambda self: self.mask.reshape(-1, GROUP).sum(axis=1))
    # whether no group keeps more than two: then the matrix unit can skip the others
    fits = property(lambda self: bool((self.groups <= KEPT).all()))
    # bytes over the dense ones: a group that keeps fewer than two is filled up with zeros
    bytes_ratio = property(lambda self: float(sparse_bytes_ratio(self.bits)) if self.fits else 1.0)
    speedup = property(lambda self: 2.0 if self.fits else 1.0)  # at most, in the matrix unit, where it sets the pace
    time_ratio = property(lambda self: 1 / self.speedup)  # time of the matrix unit against all weights, at best

    @property
    def snr_db(self):
        """The kept weights against all; -inf where nothing is kept."""
        return ratio_db(self.weights, np.where(self.mask, self.weights, 0)) if self.mask.any() else float("-inf")

    @property
    def places(self):
        """Where the stored weights stood, 0 to 3, two for each group; a filler takes the first place that is free."""
        rows = [[*np.flatnonzero(row), *np.flatnonzero(~row)][:KEPT] for row in self.mask.reshape(-1, GROUP)]
        return np.sort(rows, axis=1)


@checked
def pruned(weights: Reals, mask: Mask, bits: Count(2, 32) = 16):
    """Pruned: a row of weights of so many bits of which the mask keeps some."""
    weights = np.atleast_1d(np.asarray(weights, float))
    if weights.shape != mask.shape:
        raise ValueError(f"weights and mask must be of one length; got {weights.shape} and {mask.shape}")
    return Pruned(weights, mask, bits)


@checked
def best_mask(weights: Reals):
    """The 2:4 mask that keeps the two largest of every four."""
    rows = np.abs(np.ravel(weights))
    if not len(rows) or len(rows) % GROUP:
        raise ValueError(f"weights must come in groups of {GROUP}; got {len(rows)} of them")
    order = np.argsort(-rows.reshape(-1, GROUP), axis=1, kind="stable")
    mask = np.zeros(order.shape, bool)
    np.put_along_axis(mask, order[:, :KEPT], True, axis=1)
    return mask.ravel()
