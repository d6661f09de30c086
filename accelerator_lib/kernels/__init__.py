"""Kernels: a learner's kernel on a model of one SM, run lane by lane, counted and timed; nothing of it is executed.

    made = kernels.run(source, {"a": a, "out": np.zeros(1000, np.float32), "n": 1000}, blocks=4, threads=256)
    made.arrays["out"]      what the kernel left; the arrays given stay as they were
    made.counted            Counted: instructions, sectors, bank turns, atomics, barriers, by array and by line
    made.timed              Timed: cycles on the model of one SM, and the stalls of its warps by cause
    made.bound              Bound: max(issue, memory, latency), which `timed` never beats
    kernels.to_cuda(source, arguments, threads)     the same kernel as CUDA C

A kernel is text in Python's notation. What is wrong with it is a Fault (a ValueError) with `kind`, `line` and `text`,
in one line: bounds, race, deadlock, unset, division, budget, language, shuffle, value.

language     what a kernel may say       scope      its names, constants, arrays      program    its statements, loops
expressions  its operators and calls     machine    a launch                          frame      all warps in lockstep
memory       loads, stores, atomics      races      who meets whom                    counted    what was issued
timing       warps under schedulers      bound      the least cycles                  chips      rates and latencies
cuda         the kernel as CUDA C, with together: which lanes meet                    drawn      sizes and arrays

A kernel in Pallas' own notation, walked over its grid in NumPy, is the second machine:

pallas       a text, run                 grids      blocks that come and go           refs       blocks on the chip
notation     and functions, bodies, specs: what a text may say; its budget            onjax      the same text in JAX

Two texts feed and map a systolic array; their language is the same, their calls are commands:

planned      a text of plain numbers        feeding      a product, block by block     mapping      a network, by layers
"""

from accelerator_lib.kernels.chips import least_cycles
from accelerator_lib.kernels.cuda import to_cuda
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.machine import Run, run

__all__ = ["Fault", "Run", "least_cycles", "run", "to_cuda"]
