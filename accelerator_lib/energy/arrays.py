"""Arrays: the energy of a product on a systolic array, by what stays still.

registers   two operands read, a sum read and written, for each multiply-accumulate
buffers     what passes the edges of the array (systolic.traffic)
DRAM        every matrix once
"""

from accelerator_lib import systolic
from accelerator_lib.energy.costs import access_pj, gemm_joules
from accelerator_lib.hardware import format_bytes


def dataflow(gemm, edge, flow, dtype="int8", accumulator="int32", node=45, sram="sram_32kb", dram="ddr"):
    """{part: J} of a product on an edge x edge systolic array: registers, operands, sums, DRAM, arithmetic.

    Registers: two operands read, a sum read and written for each multiply-accumulate. DRAM: every matrix once.
    """
    moved, macs = systolic.traffic(gemm, edge, edge, flow), gemm.m * gemm.n * gemm.k
    size, wide = format_bytes(dtype), 4
    bytes_of = {
        "registers": (macs * 2 * (size + wide), "register"),
        "inputs": (moved.inputs * size, sram),
        "weights": (moved.weights * size, sram),
        "sums": ((moved.outputs + moved.partials) * wide, sram),
        "DRAM": (moved.dram * size, dram),
    }
    joules = {name: access_pj(count, level, node) * 1e-12 for name, (count, level) in bytes_of.items()}
    return {**joules, "arithmetic": gemm_joules(gemm, dtype, node, accumulator)}
