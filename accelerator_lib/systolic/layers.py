"""Mapping: what a layer looks like to a weight-stationary array, and how much of the array it can use.

    filters lie on the array: k on rows, output channels on columns; positions and batch stream through
    a depthwise filter has k = 9 and one output channel: 9 rows of one column, one fold a channel
    padding makes a size a multiple of what the hardware moves at once; the zeros are multiplied like numbers

Network layers: data/networks.yaml. Padding of TPUs: batch (sublanes) to 8, features (lanes) to 128.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.inputs import real, whole
from accelerator_lib.systolic import closed_form
from accelerator_lib.workload import Gemm, networks, transformer
from accelerator_lib.workload.work import product

SUBLANES, LANES = 8, 128


@dataclass(frozen=True)
class Job:
    """One product, or so many independent ones (the channels of a depthwise layer)."""

    name: str
    gemm: Gemm
    groups: int = 1


def jobs():
    """{name: Job}: products of very different shape."""
    resnet, mobile = (dict(networks.convolutions(name)) for name in ("resnet-50", "mobilenet-v1"))
    listed = [
        Job("ResNet-50, first layer", resnet["7x7 first"].gemm),
        Job("ResNet-50, 3x3 at 14 px", resnet["3x3, 14 px"].gemm),
        Job("depthwise 3x3, 512 channels", mobile["depthwise 512, 14 px"].gemm, 512),
        Job("pointwise 1x1, 512 channels", mobile["1x1 512 to 512, 14 px"].gemm),
        Job("squeeze-excite, 512 to 32", Gemm(1, 32, 512)),
        Job("MLP 2,048 wide, batch 64", Gemm(64, 2048, 2048)),
        Job("129 wide, batch 512", Gemm(512, 129, 129)),
        Job("LLM layer, one token", Gemm(1, 4096, 4096)),
        Job("LLM layer, 512 tokens", Gemm(512, 4096, 4096)),
    ]
    return {job.name: job for job in listed}


def sets():
    """{name: [Job]}: whole workloads for which one might build a machine."""

    def convolutions(network):
        return [Job(name, conv.gemm, conv.groups) for name, conv in networks.convolutions(network)]

    def blocks(tokens):
        return [Job("a layer", work) for work in transformer.layer(tokens).values() if isinstance(work, Gemm)]

    return {
        "ResNet-50": convolutions("resnet-50"),
        "MobileNet v1": convolutions("mobilenet-v1"),
        "LLM, 512 tokens": blocks(512),
        "LLM, one token": blocks(1),
    }


@dataclass(frozen=True)
class Mapping:
    """A job on an array: PEs of a full fold and of the last one, cycles, and the busy share of all PEs."""

    rows: int
    cols: int
    last_rows: int
    last_cols: int
    folds: int
    cycles: int
    utilization: float


def mapped(job, edge, padded=False, arrays=1):
    """Mapping of a Job on so many edge x edge arrays, weight-stationary, weights loaded ahead."""
    edge, gemm = whole("edge", edge, high=2**16), pad(job.gemm) if padded else job.gemm
    found = closed_form.cycles(gemm, edge, edge, "ws", overlap=True, arrays=arrays, groups=job.groups)
    useful = job.gemm.flops / gemm.flops  # products with zeros are no use
    last = ((size - 1) % edge + 1 for size in (gemm.k, gemm.n))
    return Mapping(
        min(gemm.k, edge), min(gemm.n, edge), *last, found.folds, found.total,
        float(found.utilization * useful),
    )  # fmt: skip


def pad(gemm, sublanes=SUBLANES, lanes=LANES):
    """The product that a machine with such vectors computes: m to a multiple of sublanes, n and k of lanes."""
    sublanes, lanes = whole("sublanes", sublanes, high=2**16), whole("lanes", lanes, high=2**16)
    sizes = ((product(gemm).m, sublanes), (gemm.n, lanes), (gemm.k, lanes))
    return Gemm(*(-(-size // step) * step for size, step in sizes))


def utilization(jobs, edges):
    """Busy share of all PEs over a whole workload (Jobs), for arrays of these edges."""
    edges = whole("edges", np.asarray(edges, dtype=float), high=2**16)
    macs = sum(job.groups * job.gemm.flops / 2 for job in jobs)
    cycles = sum(
        closed_form.cycles(job.gemm, edges, edges, "ws", overlap=True, groups=job.groups).total for job in jobs
    )
    return macs / (edges**2 * cycles)


def vector_share(k, operations, ratio, overlap=False):
    """Share of the time that the matrix unit works, when each result also needs so many vector operations.

    k: length of the dot product behind each result; ratio: FLOP rate of the matrix unit / of the vector unit.
    """
    matrix, vector = 2 * real("k", k), real("operations", operations, low=0) * real("ratio", ratio)
    return matrix / (np.maximum(matrix, vector) if overlap else matrix + vector)
