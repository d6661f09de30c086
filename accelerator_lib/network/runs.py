"""Runs: one training run of thousands of GPUs, beside what the models of this chapter say of it.

    scale      the same batch on 8,192 and on 16,384 GPUs: half the micro-batches for as many stages
    failures   how quickly a checkpoint must be written if a run is to be useful most of the time

Its 126 layers are counted as 128: 16 stages of 8, where the first and the last hold a table in place of a layer.
Facts: data/measured.yaml, data/network.yaml.
"""

from dataclasses import dataclass, replace

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, Number, Single, checked
from accelerator_lib.network.failures import mtbf_seconds, useful_share, young_seconds
from accelerator_lib.network.parallel import split
from accelerator_lib.workload.models import model

PLACES = 128  # layers and tables
Costs = Number(low=0, high=1e6, unit="s")


@dataclass(frozen=True)
class Run:
    """The same step on so many GPUs: of their peak, by the model and as published; FLOP/s of each, as published."""

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


def published_kept():
    """The same, as published."""
    few, many = scale()
    return many.flops_per_s / few.flops_per_s


def _run(row, interleave):
    given = row["conditions"]
    shape, dp = replace(model("llama-3-405b"), layers=PLACES), given["data_parallel"]
    ways = given["tensor_parallel"], given["pipeline_parallel"], dp
    one = split(shape, row["chip"], *ways, dp * given["batch_per_dp"], given["seq"], 1, interleave)
    mfu = data.rows("training")[row["id"].replace("throughput_per_gpu", "mfu")]["value"] / 100
    return Run(row["n_devices"], one.microbatches, one.mfu, mfu, row["value"] * 1e12)


def mtbf():
    """Mean time between failures [s] of that run."""
    return mtbf_seconds(data.load("network")["failures"]["gpus"])


@checked
def best_useful(cost: Single(Number(low=1e-3, high=1e6, unit="s")), restart: Single(Costs) = 300):
    """Share of the run that is useful where a checkpoint takes `cost`, at the best interval."""
    return float(useful_share(young_seconds(cost, mtbf()), cost, mtbf(), restart))
