"""Floorplan: so much area and so many watts. Which edge of the arrays serves a mix of jobs best?

    area      arrays x (edge^2 + 2 edge x lane) + SRAM     all in the area of one PE; a lane is what one row or column
                                                           needs at the edge: its port, its skew, its sums
    seconds   max( cycles of all folds / clock             the arrays (closed_form.cycles)
                   bytes / bandwidth                       the memory, with a store of this size (tiling.bound)
                   joules / watts )                        heat; sums and operands that cross an edge cost SRAM accesses

Weights stay. Small arrays are filled by few rows of inputs; large ones need less edge, in area and in energy. Only
whole arrays are built: edges that differ by a percent may owe it to this rounding. ESTIMATES: the area of a lane, and a
PE as large as 1 KiB of SRAM. Ignored: wires, control, the vector unit, an SRAM that costs more the larger it is.
"""

from dataclasses import dataclass

from accelerator_lib import tiling
from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import (
    BytesPerS,
    Count,
    Given,
    Hertz,
    NonNegative,
    Number,
    Positive,
    Share,
    Single,
    Watts,
    checked,
)
from accelerator_lib.systolic.closed_form import accesses, cycles
from accelerator_lib.workload import Gemm

PE_BYTES = 1024  # of SRAM on the area of one PE
OPERAND_BYTES, SUM_BYTES = 2, 4  # bf16, fp32


@dataclass(frozen=True)
@checked
class Prices:
    """Energy [pJ]: of a multiply-accumulate, and of a bit in a flip-flop, in the SRAM and in the memory."""

    mac: Positive
    flip_flop: NonNegative
    sram: NonNegative
    dram: NonNegative


@dataclass(frozen=True)
class Floorplan:
    """What lies on an area [PEs]: so many arrays with their edges, the SRAM, and what is left over."""

    edge: int
    arrays: int
    lane: float
    sram: float
    area: float

    @property
    def pes(self):
        return self.arrays * self.edge**2

    @property
    def lanes(self):
        """Area of all edges."""
        return self.arrays * 2 * self.edge * self.lane

    @property
    def spare(self):
        """Too little for one more array."""
        return self.area - self.sram - self.pes - self.lanes


@checked
def floorplan(edge: Count(high=2**12), area: Single(Number(1, 1e9)), sram: Single(Share), lane: Single(Number(0, 1e3))):
    """Floorplan with as many edge x edge arrays as fit beside an SRAM of this share of the area; lane in PEs."""
    arrays = int(area * (1 - sram) // (edge**2 + 2 * edge * lane))
    return Floorplan(edge, arrays, lane, area * sram, area)


@dataclass(frozen=True)
class Served:
    """A mix of jobs on a floorplan: FLOP/s of the mix, and what area and watts alone would allow."""

    plan: Floorplan
    rows: tuple  # of inputs, of each job
    delivered: float
    by_area: float  # every PE busy
    by_watts: float  # no time but that of the heat
    watts: float
    limits: tuple  # of each job: "the arrays", "the memory", "the watts"

    @property
    def utilization(self):
        """Useful work / what all PEs could do."""
        return self.delivered / self.by_area if self.by_area else 0.0


def _made(kind):
    def make(given):
        if not isinstance(given, kind):
            raise TypeError(f"need {kind.__name__}, not {type(given).__name__}")
        return given

    return make


def _rows(given):
    if not isinstance(given, (list, tuple)) or not given:
        raise TypeError("rows must be a list of the rows of inputs of each job, such as (8, 64)")
    return tuple(count("rows", m, 1, 2**20) for m in given)


@checked
def served(
    plan: Given("a Floorplan", _made(Floorplan)), rows: Given("rows of inputs of each job", _rows),
    size: Count(high=2**15), prices: Given("Prices", _made(Prices)), clock_hz: Single(Hertz),
    bytes_per_s: Single(BytesPerS), budget_w: Single(Watts),
):  # fmt: skip
    """Served: products of rows[i] x size x size, one after the other, each kind for an equal part of the work.

    A plan without arrays delivers nothing.
    """
    if not plan.arrays:
        return Served(plan, rows, 0.0, 0.0, 0.0, 0.0, ("the area",) * len(rows))
    seconds, joules, limits = 0.0, 0.0, []
    for m in rows:  # of one FLOP of each job
        gemm = Gemm(m, size, size)
        times, energy = _times(plan, gemm, prices, clock_hz, bytes_per_s)
        times["the watts"] = energy / budget_w
        limits.append(max(times, key=times.get))
        seconds, joules = seconds + max(times.values()) / gemm.flops, joules + energy / gemm.flops
    peak, rate = 2 * plan.pes * clock_hz, len(rows) / seconds
    return Served(plan, rows, rate, peak, budget_w * len(rows) / joules, joules / seconds, tuple(limits))


def _times(plan, gemm, prices, clock_hz, bytes_per_s):
    """({limit: seconds}, joules) of one product, weights stay and are loaded ahead."""
    made = accesses(gemm, plan.edge, plan.edge, "ws")
    words = max(plan.sram * PE_BYTES / OPERAND_BYTES, 1)
    moved = float(tiling.io_lower_bound_words(gemm, words)) * OPERAND_BYTES
    own = cycles(gemm, plan.edge, plan.edge, "ws", overlap=True, arrays=plan.arrays).total
    paid = (
        (prices.mac, gemm.flops / 2),
        (prices.flip_flop, 8 * (made.operands * OPERAND_BYTES + made.summed * SUM_BYTES)),
        (prices.sram, 8 * ((made.inputs + made.weights) * OPERAND_BYTES + made.sums * SUM_BYTES)),
        (prices.dram, 8 * moved),
    )
    joules = sum(price * count for price, count in paid) * 1e-12
    return {"the arrays": own / clock_hz, "the memory": moved / bytes_per_s}, joules
