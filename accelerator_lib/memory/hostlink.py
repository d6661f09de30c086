"""Host link: moving data to the device, alone or in chunks beside the work.

Pageable memory is first copied to a pinned buffer by the driver, and the call waits for it: no overlap. The start of a
copy and that staging rate are estimates; the rates of the links are published, one direction.
"""

from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Single, Switch, checked
from accelerator_lib.data import frozen
from accelerator_lib.memory.levels import TABLE
from accelerator_lib.memory.transfer import Waited, timeline, transfer_seconds

LINKS = frozen({link["name"]: link["bytes_per_s"] for link in TABLE["links"]})
PCIE_4, PCIE_5 = LINKS["PCIe 4.0 x16"], LINKS["PCIe 5.0 x16"]
START_SECONDS = TABLE["estimates"]["copy_start"]["seconds"]
STAGING_BYTES_PER_S = TABLE["estimates"]["staging"]["bytes_per_s"]


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
