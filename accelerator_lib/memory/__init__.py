"""Memory: what every level delivers, how much must be under way, what an access and a transfer cost.

levels        what is published of a few chips, one of them rebuilt from its parts
flow          bandwidth, bytes in flight               pins          what makes a memory fast
addresses     what a program asks for                  programs      a search in a tree
cache         hits and misses of a trace; a scratchpad
hierarchy     caches in a row, access by access, and the average over several levels
transfer      copies beside work                       hostlink      links to the device
"""

from accelerator_lib.memory import hostlink, levels, pins, programs
from accelerator_lib.memory.addresses import sweep, walk
from accelerator_lib.memory.cache import Cache, census, replay, set_of, settled
from accelerator_lib.memory.flow import bytes_in_flight, level_bytes_per_s, operand_bytes_per_s, tank
from accelerator_lib.memory.hierarchy import amat, chain
from accelerator_lib.memory.transfer import Timeline, timeline, transfer_seconds
