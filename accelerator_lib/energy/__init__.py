"""Energy: what arithmetic and movement cost, and how watts limit a chip.

table         published energies, two nodes            costs         a multiply-accumulate, a byte, a layer
arrays        what stays still                         instructions  fetching and decoding
clock         voltage, frequency, caps                 chips         whole chips beside their TDP
running       batteries, racks
"""

from accelerator_lib.energy import chips, instructions, sources, table
from accelerator_lib.energy.arrays import dataflow, flip_flop_pj
from accelerator_lib.energy.clock import Power, best_clock, capped, capped_clock, dvfs, gain, voltage, waiting, watts
from accelerator_lib.energy.costs import access_pj, compute_watts, gemm_joules, layer, mac_pj, memory_watts
from accelerator_lib.energy.running import battery_hours, year
from accelerator_lib.energy.table import access, operation

__all__ = [
    "Power",
    "access",
    "access_pj",
    "battery_hours",
    "best_clock",
    "capped",
    "capped_clock",
    "chips",
    "compute_watts",
    "dataflow",
    "dvfs",
    "flip_flop_pj",
    "gain",
    "gemm_joules",
    "instructions",
    "layer",
    "mac_pj",
    "memory_watts",
    "operation",
    "sources",
    "table",
    "voltage",
    "waiting",
    "watts",
    "year",
]
