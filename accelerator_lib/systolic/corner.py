"""Corner to corner: the smallest systolic simulation, one PE for each element of the result.

product k meets in PE (r, c) in cycle r + c + k: the last one reaches the far corner
"""

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import checked
from accelerator_lib.systolic.closed_form import fold_cycles
from accelerator_lib.systolic.registers import MOST_BYTES
from accelerator_lib.systolic.wavefront import operands
from accelerator_lib.workload.sums import accumulator


@checked
def simulate(a, b):
    """Yield (cycle, active[rows, cols], sums[rows, cols]) while the array computes a @ b, output-stationary.

    a: [rows, k], b: [k, cols], one PE for each element of the result; sums have the format of `sums.accumulator`.
    Raises ValueError for shapes that do not meet, and for sums too large for int64.
    """
    a, b = operands(a, b)
    (rows, k), cols = a.shape, b.shape[1]
    cycles = fold_cycles(rows, cols, k)
    affordable("bytes of all cycles of a run", cycles * rows * cols * 9, MOST_BYTES, "the size of a or b")
    arrival = np.add.outer(np.arange(rows), np.arange(cols))
    sums = np.zeros((rows, cols), dtype=accumulator(a, b))
    for cycle in range(cycles):
        product = cycle - arrival  # which of the k products meets in each PE now
        active = (product >= 0) & (product < k)
        row, col = np.nonzero(active)
        sums = sums.copy()
        sums[row, col] += np.multiply(a[row, product[active]], b[product[active], col], dtype=sums.dtype)
        yield cycle, active, sums
