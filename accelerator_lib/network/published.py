"""Published: the models of this chapter beside what was measured, misses included.
A model here is what its formula says with the rates of datasheets; nothing is fitted unless the name says so.
Facts: data/measured.yaml, data/network.yaml. Runs of thousands of GPUs: runs.py.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import BytesPerS, Number, OneOf, Single, Switch, checked
from accelerator_lib.data.kernels import chosen, recorded
from accelerator_lib.hardware import chip
from accelerator_lib.network.experts import BACK, CHOSEN, OUT, WIDTH
from accelerator_lib.network.links import StepSeconds, message_seconds, ring_all_reduce_seconds
from accelerator_lib.network.parallel import NODE, OUTER
from accelerator_lib.roofline.measured import typical
from accelerator_lib.units import binary

Start, Step = Single(Number(low=0, high=1, unit="s")), Single(StepSeconds)
A100 = "a100-80gb-sxm"  # its times were published
PROFILED = {A100: "a100_sxm", "h100-sxm5": "h100_sxm", "b200": "b200_sxm"}  # the others' are those of the profiles
A100_LINK = chip(A100).link_bytes_per_s


@dataclass(frozen=True)
class Beside:  # one published number and what a model says, both in seconds
    what: str
    n: int
    bytes_moved: float | None
    model: float
    measured: float
    ratio = property(lambda self: self.model / self.measured)  # times of the model over the measured one
    miss = property(lambda self: self.ratio - 1)  # of the measured time; negative: the model is too fast


def sizes(machine=A100):
    """{bytes: seconds} of all-reduces on 8 chips: on A100 by their published bus bandwidths, on others as profiled."""
    if machine == A100:
        found = (row for row in data.rows("collective").values() if row["chip"] == machine)
        return {row["conditions"]["message_bytes"]: seconds_of(row) for row in found}
    given = {"system": PROFILED[machine], "op_name": "all_reduce", "nccl_dtype": "half", "num_gpus": 8}
    found = chosen(recorded("nccl"), **given)
    return dict(sorted(zip(2 * found["message_size"], found["latency_us"] / 1e6, strict=True)))


def ranks():
    """{ranks: seconds} of the smallest all-reduces on 2 to 8 A100 of one node."""
    return {row["n_devices"]: row["value"] * 1e-6 for row in data.rows("ring_latency").values()}


def seconds_of(row):
    """Time [s] of an all-reduce whose bus bandwidth was published: 2 (n - 1) / n of its bytes over it."""
    return ring_all_reduce_seconds(row["conditions"]["message_bytes"], row["n_devices"], row["value"] * 1e9)


@checked
def by_size(
    start_seconds: Start = 0.0,
    step_seconds: Step = 2e-6,
    bytes_per_s: Single(BytesPerS) = A100_LINK,
    machine: OneOf(tuple(PROFILED)) = A100,
):
    """Beside of each size: a ring of 8, and a start that no step explains."""
    ring = lambda size: start_seconds + ring_all_reduce_seconds(size, 8, bytes_per_s, step_seconds)  # noqa: E731
    return tuple(Beside(binary(size), 8, size, ring(size), took) for size, took in sizes(machine).items())


@checked
def by_chips(start_seconds: Start = 0.0, bytes_per_s: Single(BytesPerS) = OUTER, back: Switch = False):
    """Beside of 8 to 256 chips: tokens to their experts, or `back`, every copy on its own, and a start."""
    facts = data.load("network")["exchange"]
    size, inner = facts["tokens"] * CHOSEN * WIDTH * (BACK if back else OUT), facts["in_gb_per_s"] * 1e9
    took = lambda n: start_seconds + size / n * max(facts["reached"][n] / bytes_per_s, (NODE - 1) / inner)  # noqa: E731
    return tuple(Beside(f"{n} chips", n, size, took(n), 1e-6 * us[back]) for n, us in facts["rows"].items())


@dataclass(frozen=True, eq=False)
class RingSteps:
    """Published all-reduces around a ring as the messages they consist of: every step sends one n-th of the array."""

    rows: tuple  # as they stand in the data
    bytes_moved: np.ndarray  # of a message
    bytes_per_s: np.ndarray  # of it, its latency counted: the bus bandwidth, since 2 (n - 1) steps take it all
    links: np.ndarray  # of the datasheet, one way [B/s]


@data.kept
def ring_steps():
    """RingSteps of every published all-reduce that no switch adds up."""
    rows = [row for row in data.published("collective").values() if not row["conditions"].get("in_switch_reduction")]
    sizes = [row["conditions"]["message_bytes"] / row["n_devices"] for row in rows]
    rates, links = [row["value"] * 1e9 for row in rows], [chip(row["chip"]).link_bytes_per_s for row in rows]
    return RingSteps(tuple(rows), *map(np.array, (sizes, rates, links)))


@checked
def off(step_seconds: Step):
    """By which factor messages of this latency are off the published ones, typically, each on its own link."""
    steps = ring_steps()
    said = message_seconds(steps.bytes_moved, steps.links, step_seconds)
    return typical(said, steps.bytes_moved / steps.bytes_per_s)
