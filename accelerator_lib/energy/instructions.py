"""Instructions: what fetching and decoding cost beside the operations.

overhead share = overhead / (overhead + operations x energy of one)
"""

from accelerator_lib import data
from accelerator_lib.inputs import real


def overhead_share(operations, operation_pj, overhead_pj):
    """Share of an instruction's energy that is not its operations [pJ each]; scalars or arrays."""
    work = real("operations", operations, low=1) * real("operation_pj", operation_pj)
    return real("overhead_pj", overhead_pj, low=0) / (overhead_pj + work)


def published():
    """[(record, pJ for each operation, share of overhead)] of GPU instructions, from one operation to many."""
    found = []
    for row in data.load("energy")["gpu_instruction_energy"]:
        count, each, overhead = row["ops"], row["op_energy_pj"] / row["ops"], row["overhead_pj"]
        found.append((row, each + overhead / count, overhead_share(count, each, overhead)))
    return found
