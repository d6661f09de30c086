"""Measured: published matrix products beside the roof of their chip, and how far a model typically is from it.

    typical factor = median of  max(model / measured, measured / model)

Facts: data/measured.yaml and data/published/gemm.yaml, rows of basis seen that state their shape. Inputs in 8 bits have
outputs in 16, as in the kernels that print their bytes.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Positive, checked
from accelerator_lib.hardware import AChip
from accelerator_lib.roofline.roof import place
from accelerator_lib.workload import Gemm

ASKED = "gemm_h100_fp8_802816_192_768"  # what chapter 3 asks for at its end: no panel draws it before
TWINS = {"H800 SXM5": "h100-sxm5"}  # sold under another name: slower links, the same arithmetic and memory


@checked
def typical(model: Positive, measured: Positive):
    """The median factor, 1 or more, by which a model misses measurements (two arrays of one unit)."""
    model, measured = np.atleast_1d(model), np.atleast_1d(measured)
    if model.shape != measured.shape:
        raise ValueError(f"model and measured must go together: there are {model.size} and {measured.size}")
    return float(np.exp(np.median(np.abs(np.log(model / measured)))))


@dataclass(frozen=True, eq=False)
class Products:
    """Published products of one chip: arrays, one entry each."""

    rows: tuple  # as they stand in the data
    dtypes: tuple
    peaks: np.ndarray  # FLOP/s of the unit for the format of each
    intensity: np.ndarray  # FLOP/byte
    roofs: np.ndarray  # FLOP/s that the chip allows there
    flops_per_s: np.ndarray  # measured

    # (m, n, k) of each
    shapes = property(lambda self: tuple(tuple(row["conditions"][axis] for axis in "MNK") for row in self.rows))
    # how many times slower than their roof they ran, in the median; None where none was published
    typical = property(lambda self: typical(self.roofs, self.flops_per_s) if self.rows else None)


@checked
@data.kept
def products(chip: AChip):
    """Products that were published for a chip and state their shape, each under the roof of its own format."""
    found = []
    for row in data.published("gemm").values():
        shape = [row["conditions"].get(axis) for axis in "MNK"]
        drawn = row["basis"] == "seen" and row["id"] != ASKED
        if not drawn or not all(shape) or chip.id not in (row["chip"], TWINS.get(row["device"])):
            continue
        dtype = row["conditions"]["dtype"].split()[0]  # fp8 e4m3: what both operands have
        try:
            found.append((row, place(Gemm(*shape), chip, dtype, output_dtype="bf16")))
        except NotAvailable:  # a chip without that format's published peak has no roof for it
            continue
    columns = ([getattr(one, name) for _, one in found] for name in ("peak", "intensity", "roof"))
    rows, measured = tuple(row for row, _ in found), [row["value"] * 1e12 for row, _ in found]
    return Products(rows, tuple(one.dtype for _, one in found), *map(np.array, columns), np.array(measured))
