"""Toll: what talking takes from the chip that talks.
    bytes at the memory a second = passes x link rate x share of the time the link is busy
    passes   2 what is sent is read, what arrives is written; 3 read once more to be added; 5 added by its own kernel
Power: bytes at the memory and on the link, times what a bit costs there (data/energy.yaml): a 112 Gbit/s line over
copper stands in for an NVLink. Host links: data/memory_levels.yaml, some printed for both directions together.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import Number, OneOf, Share, Single, checked
from accelerator_lib.energy.costs import PJ
from accelerator_lib.hardware import AChip, Chip

LINE, WHOLE_PATH = "serdes_112g", "gh200_hbm"  # rows of the energies: a line of a link; HBM with the way to it
Passes = Number(low=2, high=10)
LINKS = data.frozen({link["id"]: link for link in data.load("memory_levels")["links"]})


@dataclass(frozen=True)
class Toll:  # what a link at work takes: rates [B/s], power [W]
    chip: Chip
    link_bytes_per_s: float  # sent; as much arrives
    memory_bytes_per_s: float  # for the link
    link_watts: float
    memory_watts: float
    share = property(lambda self: self.memory_bytes_per_s / self.chip.need("bytes_per_s"))  # of the memory's rate
    left_bytes_per_s = property(lambda self: max(self.chip.bytes_per_s - self.memory_bytes_per_s, 0.0))
    slowdown = property(lambda self: self.chip.bytes_per_s / self.left_bytes_per_s if self.left_bytes_per_s else None)
    watts = property(lambda self: self.link_watts + self.memory_watts)
    power_share = property(lambda self: self.watts / self.chip.need("tdp_w"))  # of the TDP


@checked
def talking(chip: AChip = "h100-sxm5", busy: Single(Share) = 1.0, passes: Single(Passes) = 2):
    """The Toll of a chip whose links are busy a share of the time. Raises NotAvailable where a rate is unknown."""
    sent = chip.need("link_bytes_per_s") * busy
    memory = passes * sent
    return Toll(chip, sent, memory, 8 * PJ * pj_per_bit(LINE) * sent, 8 * PJ * pj_per_bit(WHOLE_PATH) * memory)


def pj_per_bit(id):
    """Energy [pJ] of a bit, by the id of a published row."""
    table = data.load("energy")
    return next(row["value"] for row in (*table["links"], *table["measured_gpu_memory"]) if row["id"] == id)


@dataclass(frozen=True)
class HostLink:  # a link to the host's memory: rates [B/s]
    name: str
    printed: float  # the number of the datasheet, whatever it counts
    one_way: float
    measured: float


@checked
def host_link(id: OneOf(LINKS)):
    """HostLink of an id: pcie-3, pcie-4, pcie-5, nvlink-c2c."""
    link = LINKS[id]
    measured = data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9
    return HostLink(link["name"], link.get("both_ways_bytes_per_s", link["bytes_per_s"]), link["bytes_per_s"], measured)
