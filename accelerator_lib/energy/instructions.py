"""Instructions: what fetching and decoding cost beside the operations.

overhead share     = overhead / (overhead + operations x energy of one)
pJ per operation   = energy of one + overhead / operations
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.signature import NonNegative, Number, Positive, checked


@dataclass(frozen=True)
class Instruction:
    """Energy of an instruction: operations, pJ of one of them, pJ of fetching and decoding; scalars or arrays."""

    operations: float
    operation_pj: float
    overhead_pj: float
    name: str = ""
    meaning: str = ""

    # share of the energy that is not its operations
    overhead_share = property(lambda self: self.overhead_pj / (self.overhead_pj + self.operations * self.operation_pj))
    pj_per_operation = property(lambda self: self.operation_pj + self.overhead_pj / self.operations)


@checked
def instruction(operations: Number(low=1), operation_pj: Positive, overhead_pj: NonNegative):
    """Instruction of so many operations [pJ each] behind an overhead [pJ]."""
    return Instruction(operations, operation_pj, overhead_pj)


def published():
    """The Instructions of a GPU that are published, from one operation to many."""
    found = []
    for row in data.load("energy")["gpu_instruction_energy"]:
        each, overhead = row["op_energy_pj"] / row["ops"], row["overhead_pj"]
        found.append(Instruction(row["ops"], each, overhead, row["instruction"], row["meaning"]))
    return found
