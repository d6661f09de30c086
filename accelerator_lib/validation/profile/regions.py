"""Regions: where, over the shapes of products, a model is off, and which of its laws heals which region.

Laws come on one after the other: the roofline of chapter 3; a launch; clocks and bandwidth under load; waves of tiles,
with operands from cache or memory; activations scaled first. Rows are vLLM's, half of them fitted the constants, in
bins of the rows of the product and of the numbers of its weights; a bin of fewer than three is left out. Written by
make calibrate.
"""

from math import nan

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Single, checked

MACHINES = {  # as a reader calls them -> (system, format) of the recorded rows
    "H100, bf16": ("h100_sxm", "bf16"),
    "H100, fp8": ("h100_sxm", "fp8"),
    "A100, bf16": ("a100_sxm", "bf16"),
    "L40S, bf16": ("l40s", "bf16"),
    "B200, bf16": ("b200_sxm", "bf16"),
    "B200, fp4": ("b200_sxm", "nvfp4"),
}
LAWS = "the roofline", "a launch", "rates under load", "waves of tiles", "activations scaled first"
ROWS = (2, 8, 32, 128, 512, 2048, 8192, 2**17)  # of a product, up to
WEIGHTS = (2**18, 2**20, 2**22, 2**24, 2**26, 2**32)  # numbers, up to


@checked
def off(
    rows: Single(Number(low=1, high=ROWS[-1])) = 32,
    weights: Single(Number(low=1, high=WEIGHTS[-1])) = 2**18,
    machine: OneOf(tuple(MACHINES)) = "H100, bf16",
    laws: OneOf(LAWS) = LAWS[0],
):
    """Typical factor, larger over smaller, between times measured and foretold by the laws up to this one, for products
    of about so many rows and weights (in bins); nan where there are too few."""
    found = data.load("kernel_times")["regions"][machine][LAWS.index(laws)]
    here = found[int(np.searchsorted(WEIGHTS, weights))][int(np.searchsorted(ROWS, rows))]
    return nan if here is None else here


@checked
def whole(machine: OneOf(tuple(MACHINES)) = "H100, bf16", laws: OneOf(LAWS) = LAWS[0]):
    """(rows, typical factor) of all products of a machine, with the laws up to this one."""
    return tuple(data.load("kernel_times")["regions"]["whole"][machine][LAWS.index(laws)])
