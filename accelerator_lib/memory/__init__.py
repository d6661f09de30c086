"""Memory: what every level delivers, how much must be under way, what an access and a transfer cost.

flow          bandwidth, bytes in flight               access_time   the average over several levels
cache         hits and misses of a trace               reuse         of all sizes of a cache at once
traced        the loop that you wrote                  programs      how programs walk through memory
transfer      copies beside work                       hostlink      to the device and back
levels        what is published of a few chips         scratchpad    a store that the program fills
fastcache     millions of accesses a second
"""

from accelerator_lib.memory import fastcache, hostlink, levels, programs, reuse, scratchpad
from accelerator_lib.memory.access_time import amat
from accelerator_lib.memory.cache import Cache, census, replay, sweep, walk
from accelerator_lib.memory.flow import bytes_in_flight, level_bytes_per_s, operand_bytes_per_s, tank
from accelerator_lib.memory.traced import Traced, chain
from accelerator_lib.memory.transfer import Timeline, pipelined_seconds, timeline, transfer_seconds

__all__ = [
    "Cache",
    "Timeline",
    "Traced",
    "amat",
    "bytes_in_flight",
    "census",
    "chain",
    "fastcache",
    "hostlink",
    "level_bytes_per_s",
    "levels",
    "operand_bytes_per_s",
    "pipelined_seconds",
    "programs",
    "replay",
    "reuse",
    "scratchpad",
    "sweep",
    "tank",
    "timeline",
    "transfer_seconds",
    "walk",
]
