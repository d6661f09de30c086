"""Networks: the layers of published vision networks as convolutions.

Facts: data/networks.yaml.
"""

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
