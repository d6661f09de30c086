"""Host: reading what lies in the processor's memory, over PCIe or over a coherent link.

    seconds = bytes / rate of one direction

A coherent link lets the GPU read the processor's memory line by line, as its own. Its rate is usually printed for both
directions together, that of PCIe for one. Rates: data/memory_levels.yaml; what a copy reached: data/measured.yaml.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Bytes, OneOf, Single, checked

LINKS = data.frozen({link["id"]: link for link in data.load("memory_levels")["links"]})
PCIE, COHERENT = "pcie-5", "nvlink-c2c"
RATES = ("printed", "one way", "measured")


@dataclass(frozen=True)
class HostLink:
    """A link to the host's memory: rates [B/s]."""

    name: str
    printed: float  # the number of the data sheet, whatever it counts
    one_way: float
    measured: float

    def rate(self, kind):
        """One of RATES."""
        return {"printed": self.printed, "one way": self.one_way, "measured": self.measured}[kind]


@dataclass(frozen=True)
class Reading:
    """So many bytes over PCIe and over the coherent link, at one kind of rate."""

    bytes_moved: float
    kind: str
    pcie: HostLink
    coherent: HostLink

    @property
    def seconds(self):
        """(PCIe, coherent)."""
        return tuple(self.bytes_moved / link.rate(self.kind) for link in (self.pcie, self.coherent))

    @property
    def ratio(self):
        """How many times faster the coherent link is."""
        return self.seconds[0] / self.seconds[1]


@checked
def host_link(id: OneOf(LINKS)):
    """HostLink of an id: pcie-3, pcie-4, pcie-5, nvlink-c2c."""
    link = LINKS[id]
    measured = data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9
    return HostLink(link["name"], link.get("both_ways_bytes_per_s", link["bytes_per_s"]), link["bytes_per_s"], measured)


@checked
def reading(bytes_moved: Single(Bytes), kind: OneOf(RATES) = "one way"):
    """Reading of bytes that lie in the host's memory; the rates are printed, of one direction, or measured."""
    return Reading(bytes_moved, kind, host_link(PCIE), host_link(COHERENT))


@checked
def coherent_ratio(kind: OneOf(RATES) = "one way"):
    """How many times faster the coherent link is than PCIe 5.0, by one kind of rate."""
    return reading(1.0, kind).ratio
