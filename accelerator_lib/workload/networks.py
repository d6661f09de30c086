"""Networks: the layers of published vision networks as convolutions, and where their FLOP, weights and outputs lie.

Facts: data/networks.yaml.
"""

from dataclasses import dataclass
from math import ceil

from accelerator_lib import data
from accelerator_lib.checks.signature import Count, OneOf, Whole, checked
from accelerator_lib.workload.conv import Conv

NETWORKS = data.load("networks")["networks"]
Pixels = Count(low=32, high=4096, unit="px")


@checked
def convolutions(network: OneOf(NETWORKS), batch: Whole() = 1, pixels: Pixels = 224):
    """The convolutions of a network for a batch of images of pixels x pixels: [(name, Conv)], equal layers repeated.
    Layers are listed for 224 pixels; for other images every layer's input is scaled and rounded up."""
    layers = []
    for layer in NETWORKS[network]["layers"]:
        shape = {key: value for key, value in layer.items() if key not in ("name", "size", "times")}
        size = ceil(layer["size"] * pixels / 224)
        layers += [(layer["name"], Conv(batch=batch, height=size, width=size, **shape))] * layer["times"]
    return layers


@dataclass(frozen=True)
class Stage:
    """One resolution of a vision network: FLOP, weights and output elements of its convolutions."""

    name: str
    flops: float
    weights: float
    outputs: float


class Stages(tuple):
    """The Stages of a network, and their sums."""

    flops = property(lambda self: sum(stage.flops for stage in self))
    weights = property(lambda self: sum(stage.weights for stage in self))
    outputs = property(lambda self: sum(stage.outputs for stage in self))
    # names of those that hold more outputs than weights
    with_more_outputs = property(lambda self: [stage.name for stage in self if stage.outputs > stage.weights])


@checked
def stages(network: OneOf(NETWORKS) = "resnet-50", pixels: Pixels = 224, batch: Whole() = 1):
    """The Stages of a network for a batch of images of pixels x pixels: what its layers need, summed.
    A stage is named by its resolution at 224 pixels."""
    found = {}
    for name, conv in convolutions(network, batch, pixels):
        needs = conv.flops, conv.groups * conv.gemm.k * conv.gemm.n, conv.gemm.m * conv.out_channels
        stage = name.rpartition(", ")[2] if "px" in name else "first"
        found[stage] = [sum(pair) for pair in zip(found.get(stage, (0, 0, 0)), needs, strict=True)]
    return Stages(Stage(name, *sums) for name, sums in found.items())
