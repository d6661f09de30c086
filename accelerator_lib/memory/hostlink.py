"""Host link: moving data to the device and back, alone, in chunks beside the work, or not at all.

Pageable memory is first copied to a pinned buffer by the driver, and the call waits for it: no overlap. The start of a
copy, that staging rate and the rate of a decompression engine are estimates; the rates of the links are published, one
direction.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import hardware
from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Number, Positive, Single, Switch, Whole, checked
from accelerator_lib.data import frozen
from accelerator_lib.memory.levels import TABLE
from accelerator_lib.memory.transfer import Waited, timeline, transfer_seconds

LINKS = frozen({link["name"]: link["bytes_per_s"] for link in TABLE["links"]})
PCIE_4, PCIE_5 = LINKS["PCIe 4.0 x16"], LINKS["PCIe 5.0 x16"]
START_SECONDS = TABLE["estimates"]["copy_start"]["seconds"]
STAGING_BYTES_PER_S = TABLE["estimates"]["staging"]["bytes_per_s"]
ENGINE_BYTES_PER_S = TABLE["estimates"]["decompression"]["bytes_per_s"]
DEVICE = "a100-80gb-sxm"  # whose memory a card has, unless one says otherwise


@checked
def plan(
    data_bytes: Single(Bytes) = 26e9,
    link_bytes_per_s: Single(BytesPerS) = PCIE_4,
    chunks: Count(high=10_000) = 8,
    pinned: Switch = True,
    compute_seconds: Single(Waited) = 3e-3,
):
    """memory.Timeline of data cut into chunks, each copied over a link and worked on for so many seconds."""
    part = data_bytes / chunks
    copy_seconds = transfer_seconds(part, link_bytes_per_s, START_SECONDS)
    if not pinned:
        copy_seconds += part / STAGING_BYTES_PER_S
    return timeline(chunks, copy_seconds, compute_seconds, buffers=None if pinned else 1)


@dataclass(frozen=True)
class Placement:
    """One job on a card behind a link and on a chip with unified memory: seconds to move and to read."""

    moving_seconds: float
    reading_seconds: float
    unified_seconds: float

    @property
    def card_seconds(self):
        return self.moving_seconds + self.reading_seconds


@checked
def place_job(
    data_bytes: Bytes = 10e9,
    passes: Positive = 10,
    round_trips: Whole(high=10**6) = 1,
    link_bytes_per_s: BytesPerS = PCIE_4,
    unified_bytes_per_s: BytesPerS = 0.4e12,
    device_bytes_per_s: BytesPerS = None,
):
    """Placement of a job that reads its data `passes` times and crosses the link twice for each round trip.

    Where no rate of the device's memory is given, it is that of an A100.
    """
    if device_bytes_per_s is None:
        device_bytes_per_s = hardware.chip(DEVICE).bytes_per_s
    moving = 2 * round_trips * transfer_seconds(data_bytes, link_bytes_per_s, START_SECONDS)
    read_bytes = passes * data_bytes
    return Placement(moving, read_bytes / device_bytes_per_s, read_bytes / unified_bytes_per_s)


@dataclass(frozen=True)
class Loading:
    """Data over a link, as it is and compressed."""

    plain_seconds: float
    compressed_seconds: float

    @property
    def gain(self):
        return self.plain_seconds / self.compressed_seconds


@checked
def load(
    data_bytes: Bytes = 26e9,
    link_bytes_per_s: BytesPerS = PCIE_5,
    ratio: Number(low=1, high=100) = 2.0,
    engine_bytes_per_s: BytesPerS = ENGINE_BYTES_PER_S,
):
    """Loading with a decompression engine on the device, beside the link, that gives so many plain bytes a second."""
    plain = data_bytes / link_bytes_per_s
    return Loading(plain, np.maximum(plain / ratio, data_bytes / engine_bytes_per_s))
