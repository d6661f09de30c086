"""Regions: where, over the shapes of products, a model is off, and which of its laws heals which region.

Laws come on one after the other: the roofline of chapter 3; a launch; clocks and bandwidth under load; waves of tiles,
with operands from cache or memory; activations scaled first. Rows are vLLM's, half of them fitted the constants, in
bins of the rows of the product and of the numbers of its weights, and in a last one that holds all; a bin of fewer than
three is left out. Written by  make calibrate.
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
ALL = 0  # where all count, few rows or many
Rows, Weights = Single(Number(low=ALL, high=ROWS[-1])), Single(Number(low=ALL, high=WEIGHTS[-1]))
Machine = OneOf(tuple(MACHINES))


@checked
def off(rows: Rows = 32, weights: Weights = 2**18, machine: Machine = "H100, bf16", laws: OneOf(LAWS) = LAWS[0]):
    """Typical factor, larger over smaller, between times measured and foretold by the laws up to this one, for products
    of about so many rows and weights (in bins; ALL: of any); nan where there are too few."""
    here = _cell(data.load("kernel_times")["regions"][machine][LAWS.index(laws)], rows, weights)
    return nan if here is None else here


@checked
def count(rows: Rows = 32, weights: Weights = 2**18, machine: Machine = "H100, bf16"):
    """How many products that is the typical factor of."""
    return _cell(data.load("kernel_times")["regions"]["counts"][machine], rows, weights)


def _cell(found, *asked):
    """Of a table [weights][rows], what lies in the bin of so many rows and weights."""
    at, up = (int(np.searchsorted(bins, it)) if it else -1 for bins, it in zip((ROWS, WEIGHTS), asked, strict=True))
    return found[up][at]
