"""Networks: the layers of published vision networks as convolutions, and where their FLOP, weights and outputs lie.

    convolutions("resnet-50", batch=8)      [(name, Conv)], equal layers repeated
    stages("resnet-50", pixels=224)         summed for each resolution

Facts: data/networks.yaml.
"""

from dataclasses import dataclass
from math import ceil

from accelerator_lib import data
from accelerator_lib.inputs import one_of, whole
from accelerator_lib.workload.work import Conv


def convolutions(name, batch=1):
    """The convolutions of a network of data/networks.yaml at a batch: [(name, Conv)], equal layers repeated."""
    table = data.load("networks")["networks"]
    layers = []
    for layer in table[one_of("network", name, table)]["layers"]:
        shape = {key: value for key, value in layer.items() if key not in ("name", "size", "times")}
        conv = Conv(batch=batch, height=layer["size"], width=layer["size"], **shape)
        layers += [(layer["name"], conv)] * layer["times"]
    return layers


@dataclass(frozen=True)
class Stage:
    """One resolution of a vision network: FLOP, weights and output elements of its convolutions."""

    name: str
    flops: float
    weights: float
    activations: float


def stages(network="resnet-50", pixels=224):
    """The stages of a network of data/networks.yaml for images of pixels x pixels: what its layers need, summed.

    A stage is named by its resolution at 224 pixels; every layer's input is scaled and rounded up.
    """
    table = data.load("networks")["networks"]
    layers = table[one_of("network", network, table)]["layers"]
    scale = whole("pixels", pixels, low=32, high=4096) / 224
    found = {}
    for layer in layers:
        shape = {key: value for key, value in layer.items() if key not in ("name", "size", "times")}
        size = ceil(layer["size"] * scale)
        conv = Conv(batch=1, height=size, width=size, **shape)
        name = layer["name"].rpartition(", ")[2] if "px" in layer["name"] else "first"
        gemm, times = conv.gemm, layer["times"]
        weights, outputs = conv.groups * gemm.k * gemm.n, gemm.m * conv.out_channels
        sums = found.get(name, (0, 0, 0))
        found[name] = tuple(a + times * b for a, b in zip(sums, (conv.flops, weights, outputs), strict=True))
    return [Stage(name, *sums) for name, sums in found.items()]
