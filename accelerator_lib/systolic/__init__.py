"""Systolic arrays: operands march through a grid of processing elements, one neighbour a cycle.

closed_form   cycles, utilization, traffic and accesses of a product
registers     what moves by one place in every cycle   wavefront     every register of every cycle
layers        what a network's layers look like        evaluation    one question in one call
tpu           an array that is fed by a memory
"""

from accelerator_lib.systolic import layers, tpu
from accelerator_lib.systolic.closed_form import (
    DATAFLOWS,
    Accesses,
    Cycles,
    Traffic,
    accesses,
    cycles,
    fold_cycles,
    traffic,
)
from accelerator_lib.systolic.evaluation import Arrays, Evaluation, Plan, arrays_of, evaluate
from accelerator_lib.systolic.wavefront import Cycle, simulate, steps

__all__ = [
    "DATAFLOWS",
    "Accesses",
    "Arrays",
    "Cycle",
    "Cycles",
    "Evaluation",
    "Plan",
    "Traffic",
    "accesses",
    "arrays_of",
    "cycles",
    "evaluate",
    "fold_cycles",
    "layers",
    "simulate",
    "steps",
    "tpu",
    "traffic",
]
