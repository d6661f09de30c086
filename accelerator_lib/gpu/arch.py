"""Architecture: what is published of a streaming multiprocessor, by compute capability.

    limits("sm80")["max_warps"]  -> 64

The names in capitals are what all of them have in common. Facts: data/gpus.yaml. Source: CUDA C++ Programming Guide,
and the occupancy header of its toolkit.
"""

from types import MappingProxyType

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

FACTS = data.load("gpus")
COMMON = FACTS["common"]
WARP_LANES = COMMON["warp_lanes"]
MOST_THREADS, MOST_REGISTERS = COMMON["max_threads_per_block"], COMMON["max_registers_per_thread"]
REGISTER_BYTES, MOST_LOAD_BYTES = COMMON["register_bytes"], COMMON["max_load_bytes_per_lane"]
SECTOR_BYTES, LINE_BYTES = COMMON["sector_bytes"], COMMON["line_bytes"]
BANKS, BANK_BYTES = COMMON["shared_banks"], COMMON["bank_bytes"]

LIMITS = {record["id"]: MappingProxyType(record) for record in FACTS["sm_limits"]}  # handed out: nobody writes
MOST_WARPS = max(record["max_warps"] for record in LIMITS.values())

Arch = OneOf(LIMITS)


@checked
def limits(arch: Arch):
    """The record of a compute capability: "sm80" (A100), "sm90" (H100) ... Raises UnknownName."""
    return LIMITS[arch]
