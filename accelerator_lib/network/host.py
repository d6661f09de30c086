"""Host: the links to the processor's memory, PCIe and a coherent one.

A coherent link lets the GPU read the processor's memory line by line, as its own. Its rate is usually printed for both
directions together, that of PCIe for one. Rates: data/memory_levels.yaml; what a copy reached: data/measured.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

LINKS = data.frozen({link["id"]: link for link in data.load("memory_levels")["links"]})


@dataclass(frozen=True)
class HostLink:
    """A link to the host's memory: rates [B/s]."""

    name: str
    printed: float  # the number of the data sheet, whatever it counts
    one_way: float
    measured: float


@checked
def host_link(id: OneOf(LINKS)):
    """HostLink of an id: pcie-3, pcie-4, pcie-5, nvlink-c2c."""
    link = LINKS[id]
    measured = data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9
    return HostLink(link["name"], link.get("both_ways_bytes_per_s", link["bytes_per_s"]), link["bytes_per_s"], measured)
