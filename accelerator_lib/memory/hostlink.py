"""Host link: moving data to the device and back, alone, in chunks beside the work, or not at all.

Pageable memory is first copied to a pinned buffer by the driver, and the call waits for it: no overlap. The start of a
copy and that staging rate are estimates, declared here; the rates of the links are published, one direction.
"""

from dataclasses import dataclass

from accelerator_lib.inputs import flag, real, whole
from accelerator_lib.memory import transfer

START = 10e-6  # seconds to start one copy: an estimate
STAGING = 12e9  # bytes/s of the driver's copy into its pinned buffer: an estimate
LINKS = {"PCIe 3.0 x16": 16e9, "PCIe 4.0 x16": 32e9, "PCIe 5.0 x16": 63e9, "coherent (NVLink-C2C)": 450e9}


def plan(data=26e9, link=32e9, chunks=8, pinned=True, compute=3e-3):
    """memory.Timeline of data cut into chunks, each copied over a link [B/s] and worked on for `compute` seconds."""
    chunks = whole("chunks", chunks, high=10_000)
    part = real("data", data) / chunks
    copy = transfer.transfer_seconds(part, link, START)
    copy += 0 if flag("pinned", pinned) else part / STAGING
    return transfer.timeline(chunks, copy, real("compute", compute, low=0), buffers=None if pinned else 1)


@dataclass(frozen=True)
class Placement:
    """One job on a discrete card and on a chip with unified memory: seconds to move and seconds to read."""

    moving: float
    reading: float
    unified_reading: float

    @property
    def discrete(self):
        return self.moving + self.reading


def place_job(data=10e9, passes=10, round_trips=1, link=32e9, device=2.039e12, unified=0.4e12):
    """Placement of a job that reads its data `passes` times and crosses the link twice for each round trip."""
    data, passes = real("data", data), real("passes", passes)
    crossings = 2 * whole("round_trips", round_trips, high=10**6)
    moving = crossings * transfer.transfer_seconds(data, link, START)
    return Placement(moving, passes * data / real("device", device), passes * data / real("unified", unified))


@dataclass(frozen=True)
class Loading:
    """Data over a link, as it is and compressed."""

    plain: float
    compressed: float

    @property
    def gain(self):
        return self.plain / self.compressed


def load(data=26e9, link=63e9, ratio=2.0, engine=400e9):
    """Loading with a decompression engine on the device that gives `engine` bytes/s of plain data, beside the link."""
    data, ratio = real("data", data), real("ratio", ratio, low=1, high=100)
    slower = max(data / ratio / real("link", link), data / real("engine", engine))
    return Loading(data / link, slower)
