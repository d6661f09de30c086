"""Runs: how often to save the work of many machines when any of them stops all; one run of thousands beside the models.
    best interval   sqrt(2 x cost x mtbf)                              cost: time to write a checkpoint
    useful share    interval / (mtbf e^(restart/mtbf) (e^((interval + cost)/mtbf) - 1))        the mean of many runs
Failures come at an even rate; one takes the work since the last checkpoint. Sources: J. W. Young, "A first order
approximation to the optimum checkpoint interval", 1974; J. T. Daly, "A higher order estimate of the optimum checkpoint
interval for restart dumps", 2006.
The run: the same batch on 8,192 and on 16,384 GPUs; its 126 layers count as 128, 16 stages of 8, two hold a table.
"""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, Whole, checked
from accelerator_lib.network.parallel import split
from accelerator_lib.workload.models import model

DAY, PLACES, STEEPEST = 86_400, 128, 700  # s; layers and tables; e to this power is still a number
Seconds, Restart = Number(low=1e-6, high=1e12, unit="s"), Number(low=0, high=1e12, unit="s")


@checked
def young_seconds(cost: Seconds, mtbf: Seconds):
    """The interval [s] between checkpoints that wastes least, by Young's formula: good while a checkpoint is short."""
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


@dataclass(frozen=True)
class Run:  # the same step on so many GPUs: of their peak, by the model and as published; FLOP/s of each, as published
    gpus: int
    microbatches: int
    model_mfu: float
    mfu: float
    flops_per_s: float


@checked
def scale(interleave: Count(high=8) = 1):
    """The Run on 8,192 GPUs and that on 16,384; `interleave` chunks a stage. Raises NotAvailable for 3, 5, 6 and 7."""
    return tuple(_run(row, interleave) for row in data.rows("training_scale").values())


@checked
def kept(interleave: Count(high=8) = 1):
    """What is left of a GPU's speed with twice as many of them, by the model. Raises NotAvailable."""
    few, many = scale(interleave)
    return many.model_mfu / few.model_mfu


def _run(row, interleave):
    given = row["conditions"]
    shape, dp = replace(model("llama-3-405b"), layers=PLACES), given["data_parallel"]
    ways = given["tensor_parallel"], given["pipeline_parallel"], dp
    one = split(shape, row["chip"], *ways, dp * given["batch_per_dp"], given["seq"], 1, interleave)
    mfu = data.rows("training")[row["id"].replace("throughput_per_gpu", "mfu")]["value"] / 100
    return Run(row["n_devices"], one.microbatches, one.mfu, mfu, row["value"] * 1e12)
