"""Energy: what arithmetic and movement cost, and how watts limit a chip.

table         published energies, measured tokens      costs         a multiply-accumulate, a byte, a layer
journey       one number on its way, step by step      arrays        what stays still
chips         a whole chip beside its TDP              clock         voltage, frequency, caps
instructions  fetching and decoding
"""

from accelerator_lib.energy import chips, instructions, journey, table
from accelerator_lib.energy.arrays import dataflow, flip_flop_pj
from accelerator_lib.energy.chips import Budget, budget
from accelerator_lib.energy.clock import (
    Job,
    Power,
    best_clock,
    capped,
    capped_clock,
    dvfs,
    job,
    sweeps,
    voltage,
    waiting,
    watts,
)
from accelerator_lib.energy.costs import Layer, access_pj, compute_watts, gemm_joules, layer, mac_pj, memory_watts
from accelerator_lib.energy.table import access, operation, served
