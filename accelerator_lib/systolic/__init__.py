"""Systolic arrays: operands march through a grid of processing elements, one neighbour a cycle.

closed_form   cycles, utilization, traffic and accesses of a product
registers     what moves by one place in every cycle   wavefront     every register of every cycle
layers        the work between products                tpu           an array that is fed by a memory
beside        an array beside the tensor cores of an SM
"""

from accelerator_lib.systolic import beside, layers, tpu
from accelerator_lib.systolic.closed_form import DATAFLOWS, accesses, cycles, fold_cycles, traffic
from accelerator_lib.systolic.tpu import arrays_of
from accelerator_lib.systolic.wavefront import simulate, steps
