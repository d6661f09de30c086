"""Failures: how often to save the work of many machines, when any of them stops all.

    best interval   sqrt(2 x cost x mtbf)                              cost: time to write a checkpoint
    useful share    interval / (mtbf e^(restart/mtbf) (e^((interval + cost)/mtbf) - 1))

mtbf: mean time between failures of the whole machine, which come by chance at an even rate, whatever is being done: one
takes the work since the last finished checkpoint, and a checkpoint or a restart that it hits begins anew. The share is
the mean of many runs. Sources: J. W. Young, "A first order approximation to the optimum checkpoint interval", 1974;
J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", 2006.
"""

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, Whole, checked

DAY = 86_400
Seconds = Number(low=1e-6, high=1e12, unit="s")
Restart = Number(low=0, high=1e12, unit="s")
STEEPEST = 700  # e to this power is still a number


@checked
def young_seconds(cost: Seconds, mtbf: Seconds):
    """The interval [s] between checkpoints that wastes least, by Young's formula; numbers or arrays.

    Good while the checkpoint is short beside the mean time between failures.
    """
    return np.sqrt(2 * cost * mtbf)


@checked
def useful_share(interval: Seconds, cost: Seconds, mtbf: Seconds, restart: Restart):
    """Share of the time that ends up in work that is kept; times [s]; numbers or arrays."""
    wasted = np.minimum(restart / mtbf, STEEPEST) - np.log(interval / mtbf)
    round_of = (interval + cost) / mtbf
    grown = np.log(np.expm1(np.minimum(round_of, STEEPEST))) + np.maximum(round_of - STEEPEST, 0)
    return np.exp(-wasted - grown)


@checked
def mtbf_seconds(gpus: Whole(high=10**8)):
    """Mean time [s] between failures of so many GPUs, at the rate of one long run of 16,384 (data/network.yaml)."""
    seen = data.load("network")["failures"]
    return seen["days"] * DAY / seen["stops"] * seen["gpus"] / gpus
