"""Arrays: the energy of a product on a systolic array, by what stays still.

    energy = accesses of each place (systolic.accesses) x bytes of one x energy of a byte there, and the arithmetic

Estimates, from the tables in table.py. One price for every register, that of a small register file.
"""

from accelerator_lib import systolic
from accelerator_lib.energy.costs import PJ, access_pj, gemm_joules
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.signature import checked
from accelerator_lib.workload.work import Product

SUM_BYTES = format_bytes("fp32")  # sums are kept in 32 bits, int32 as well


@checked
def dataflow(
    gemm: Product, edge, flow, dtype: Format = "int8", accumulator="int32", node=45, sram="sram_32kb", dram="ddr"
):
    """{part: J} of a product on an edge x edge array, inputs and weights in `dtype`, sums in 32 bits."""
    made, size = systolic.accesses(gemm, edge, edge, flow), format_bytes(dtype)
    bytes_of = {
        "registers": (made.register_operands * size + made.register_sums * SUM_BYTES, "register"),
        "inputs": (made.inputs * size, sram),
        "weights": (made.weights * size, sram),
        "sums": (made.sums * SUM_BYTES, sram),
        "DRAM": (made.dram * size, dram),
    }
    moved = {part: access_pj(count, level, node) * PJ for part, (count, level) in bytes_of.items()}
    return {"arithmetic": gemm_joules(gemm, dtype, node, accumulator), **moved}
