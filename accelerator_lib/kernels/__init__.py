"""Kernels: a learner's kernel on a model of one SM, run lane by lane, counted and timed; nothing of it is executed.

    made = kernels.run(source, {"a": a, "out": np.zeros(1000, np.float32), "n": 1000}, blocks=4, threads=256)
    made.arrays["out"]      what the kernel left; the arrays given stay as they were
    made.counted            Counted: instructions, sectors, bank turns, atomics, barriers, by array and by line
    made.timed              Timed: cycles on the model of one SM, and the stalls of its warps by cause
    made.bound              Bound: max(issue, memory, latency), which `timed` never beats
    made.why                Why: time by cause and by line; the change that would spare most of it, with its gain
    kernels.to_cuda(source, arguments, threads)     the same kernel as CUDA C

A kernel is text in Python's notation. What is wrong with it is a Fault (a ValueError) with `kind`, `line` and `text`.

lanes    language, scope, program, wide, expressions: what a kernel may say; machine, frame, memory, races: a launch;
         counted, timing, why, chips: what it costs; cuda: as CUDA C
Pallas   pallas, grids, refs: a text walked over its grid; notation, functions, bodies, specs, budget; onjax: in JAX
arrays   planned: a text whose calls are commands; feeding: a product, block by block; mapping: a network, by layers
"""

from accelerator_lib.kernels.chips import least_cycles
from accelerator_lib.kernels.cuda import to_cuda
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.machine import Run, run

__all__ = ["Fault", "Run", "least_cycles", "run", "to_cuda"]
