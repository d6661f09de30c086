"""Layers: what a layer looks like to a weight-stationary array, and how much of the array it can use.

    filters lie on the array: k on rows, output channels on columns; positions and batch stream through
    a depthwise filter has k = 9 and one output channel: 9 rows of one column, one fold a channel
    padding makes a size a multiple of what the hardware moves at once; the zeros are multiplied like numbers

Facts: layers in data/networks.yaml; what TPUs pad to in data/systolic.yaml.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, NonNegative, Positive, Record, Switch, Whole, checked
from accelerator_lib.systolic import closed_form
from accelerator_lib.workload import Gemm, networks, transformer
from accelerator_lib.workload.work import Product

Size = Whole(high=2**16)
Some = Count(high=2**20)
REGISTER = data.load("systolic")["vector_register"]


@dataclass(frozen=True)
@checked
class Job:
    """One product, or so many independent ones (the channels of a depthwise layer)."""

    name: str
    gemm: Product
    groups: Some = 1


AJob = Record(Job, "a Job such as those of layers.jobs()")


def jobs():
    """{name: Job}: products of very different shape."""
    resnet, mobile = (dict(networks.convolutions(name)) for name in ("resnet-50", "mobilenet-v1"))
    listed = [
        Job("ResNet-50, first layer", resnet["7x7 first"].gemm),
        Job("ResNet-50, 3×3 at 14 px", resnet["3x3, 14 px"].gemm),
        Job("depthwise 3×3, 512 channels", mobile["depthwise 512, 14 px"].gemm, 512),
        Job("pointwise 1×1, 512 channels", mobile["1x1 512 to 512, 14 px"].gemm),
        Job("squeeze-excite, 512 to 32", Gemm(1, 32, 512)),
        Job("MLP 2,048 wide, batch 64", Gemm(64, 2048, 2048)),
        Job("129 wide, batch 512", Gemm(512, 129, 129)),
        Job("LLM layer, one token", transformer.projections(1)["query"]),
        Job("LLM layer, 512 tokens", transformer.projections(512)["query"]),
    ]
    return {job.name: job for job in listed}


@checked
def pad(gemm: Product, sublanes: Size = REGISTER["sublanes"], lanes: Size = REGISTER["lanes"]):
    """The product on a machine with such vectors: m is filled to a multiple of sublanes, n and k of lanes."""
    sizes = ((gemm.m, sublanes), (gemm.n, lanes), (gemm.k, lanes))
    return Gemm(*(-(-size // step) * step for size, step in sizes))


@dataclass(frozen=True)
class Mapping:
    """A job on arrays of an edge: PEs of its largest fold and of every kind, cycles, and the busy share of all PEs."""

    edge: int
    rows: int
    cols: int
    tiles: tuple  # rows of (folds, rows, cols): full folds and those in the last columns; then those in the last rows
    folds: int
    cycles: int
    utilization: float


@checked
def mapped(job: AJob, edge: Count(high=2**16), padded: Switch = False, arrays: Some = 1):
    """Mapping of a Job on so many edge x edge arrays, weight-stationary, weights loaded ahead."""
    full = pad(job.gemm) if padded else job.gemm
    k, n = full.k, full.n
    found = closed_form.cycles(full, edge, edge, "ws", overlap=True, arrays=arrays, groups=job.groups)
    high, wide = ([kind for kind in ((size // edge, edge), (1, size % edge)) if all(kind)] for size in (k, n))
    tiles = tuple(tuple((job.groups * down * right, rows, cols) for right, cols in wide) for down, rows in high)
    useful = float(found.utilization * job.gemm.flops / full.flops)  # products with zeros are no use
    return Mapping(edge, min(k, edge), min(n, edge), tiles, found.folds, found.total, useful)


@checked
def vector_share(k: Positive, operations: NonNegative, ratio: Positive, overlap: Switch = False):
    """Share of the time that the matrix unit works, when each result also needs so many vector operations.
    k: length of the dot product behind each result; ratio: FLOP rate of the matrix unit / of the vector unit."""
    matrix, vector = 2 * k, operations * ratio
    return matrix / (np.maximum(matrix, vector) if overlap else matrix + vector)
