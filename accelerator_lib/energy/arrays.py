"""Arrays: the energy of a product on a systolic array, by what stays still.

    energy = accesses of each place (systolic.accesses) x bits of one x energy of a bit there, and the arithmetic

In an array a number is handed on from flip-flop to flip-flop; no source prints what a bit costs there. ESTIMATE: twice
the energy of adding a bit. Units without neighbours are arrays of one.
"""

from accelerator_lib import systolic
from accelerator_lib.checks.signature import Count, Number, checked
from accelerator_lib.energy.costs import PJ, access_pj, gemm_joules
from accelerator_lib.energy.table import Arithmetic, Level, Node, operation
from accelerator_lib.hardware import Format, format_bytes
from accelerator_lib.systolic.closed_form import Dataflow
from accelerator_lib.workload.work import Product

SUM_BYTES = format_bytes("fp32")  # sums are kept in 32 bits, int32 as well
CLOCKED = 2  # a bit in a flip-flop / a bit added


@checked
def flip_flop_pj(node: Node = 45):
    """Energy [pJ] of one bit that enters a flip-flop: an estimate, from the 32-bit add of the node."""
    return CLOCKED * operation("add", "int32", node).pj / 32


@checked
def dataflow(
    gemm: Product, edge: Count(high=2**20), flow: Dataflow, dtype: Format = "int8",
    accumulator: Arithmetic = "int32", node: Node = 45, sram: Level = "sram_32kb", dram: Level = "ddr",
    flip_flop: Number(low=0, unit="pJ") = None,
):  # fmt: skip
    """{part: J} of a product on an edge x edge array, inputs and weights in `dtype`, sums in 32 bits.
    `flip_flop`: energy [pJ] of a bit handed on; None: `flip_flop_pj` of the node."""
    made, size = systolic.accesses(gemm, edge, edge, flow), format_bytes(dtype)
    each = flip_flop_pj(node) if flip_flop is None else flip_flop
    bytes_of = {
        "inputs": (made.inputs * size, sram),
        "weights": (made.weights * size, sram),
        "sums": (made.sums * SUM_BYTES, sram),
        "DRAM": (made.dram * size, dram),
    }
    moved = {part: access_pj(count, level, node) * PJ for part, (count, level) in bytes_of.items()}
    registers = (made.operands * size + made.summed * SUM_BYTES) * 8 * each * PJ
    return {"arithmetic": gemm_joules(gemm, dtype, node, accumulator), "registers": registers, **moved}
