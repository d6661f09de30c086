"""A product on an array, cycle by cycle, with what is shown beside the registers; a frame is made when asked for."""

from collections import deque
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

import numpy as np

from accelerator_lib.checks.signature import Switch, checked
from accelerator_lib.rtl import netlist
from accelerator_lib.systolic.closed_form import Dataflow, cycles, traffic
from accelerator_lib.systolic.wavefront import Cycle, Edge, one_by_one, operands
from accelerator_lib.workload import Gemm

AHEAD = 4  # cycles whose operands are shown before they enter


@dataclass(frozen=True, eq=False)
class Frame:
    """One cycle of a run: the registers `now`, the next Cycles, and the run so far."""

    now: Cycle
    ahead: tuple
    busy: np.ndarray  # share of the PEs that multiplied in each cycle so far, this one included
    length: int  # cycles of the whole run
    complete: np.ndarray  # [m, n]: 0 nothing of a result has left the array yet, 1 a part of its sum, 2 all of it
    read: int  # operands that have come in at the edges so far
    most: int  # operands or products of the whole run, whichever are more
    sheet: netlist.Sheet | None = None  # of a PE, where the registers are those of gates
    over: bool = False  # whether the run had ended before, and waits for a longer one beside it

    last = property(lambda self: len(self.busy) == self.length)

    @property
    def phase(self):
        """ "up" before the first cycle in which all PEs work, "full" in one, "down" after; "" of an empty cycle."""
        if not self.busy[-1]:
            return ""
        return "full" if self.busy[-1] == 1 else "down" if self.busy.max() == 1 else "up"

    # PE-cycles so far in which a PE multiplied
    worked = property(lambda self: round(self.now.active.size * self.busy.sum()))
    # share of the PE-cycles so far in which a PE multiplied
    utilization = property(lambda self: float(self.busy.mean()))


@checked
def cycle_by_cycle(
    a, b, rows: Edge, cols: Edge, dataflow: Dataflow = "os", overlap: Switch = False, drain: Switch = False,
    hardware: Switch = False,
):  # fmt: skip
    """Yield a Frame for every cycle of a @ b on a rows x cols array; arguments and errors as for `steps`.
    hardware: its registers are those of the gates, int8 with sums of 32 bits."""
    a, b = operands(a, b)
    gemm = Gemm(len(a), b.shape[1], a.shape[1])
    length = cycles(gemm, rows, cols, dataflow, overlap, drain).total
    moved = traffic(gemm, rows, cols, dataflow)
    most = max(gemm.m * gemm.n * gemm.k, moved.inputs + moved.weights)
    how, sheet = (a, b, rows, cols, dataflow, overlap, drain), None
    run = one_by_one(*how)
    if hardware:
        from accelerator_lib.rtl import arrays

        run, sheet = arrays.as_hardware(run, *how), netlist.sheets()["os" if dataflow == "os" else "ws"]
    return _frames(run, gemm, rows, dataflow, length, most, sheet)


def _frames(run, gemm, rows, dataflow, length, most, sheet):
    parts = 1 if dataflow == "os" else -(-gemm.k // rows)  # of a result's sum, which are added up outside the array
    busy, read, window = np.zeros(length), 0, deque(islice(run, AHEAD))
    for at in range(length):
        window.extend(islice(run, 1))
        now = window.popleft()
        busy[at] = now.utilization
        read += int(now.enters_left.there.sum() + now.enters_top.there.sum())
        complete = (now.parts > 0).astype(np.int8) + (now.parts == parts)
        yield Frame(now, tuple(window), busy[: at + 1], length, complete, read, most, sheet)


def side_by_side(left, right):
    """Yield (Frame, Frame) of two runs until both have ended; the shorter one stays at its last cycle, over."""
    last = None
    for pair in zip_longest(left, right):
        last = tuple(now or replace(before, over=True) for now, before in zip(pair, last or pair, strict=True))
        yield last
