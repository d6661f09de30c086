"""Traced: a kernel on one case, up to where it goes wrong, in the block that does; for a replay and for a sketch."""

from dataclasses import replace

import numpy as np

from accelerator_course.ladder.replay import steps
from accelerator_lib.gpu.arch import WARP_LANES
from accelerator_lib.kernels.language import Fault, Touch
from accelerator_lib.kernels.machine import Run

STORED = ("store", "atomic")


def traced(rung, source, case):
    """(what a text does on a Case, or did until it was stopped, or None; the Fault that stopped it, or None)."""
    made, fault = _run(rung, source, case)
    block = fault.touches[0].block if fault and fault.touches else None
    if block and isinstance(made, Run):
        made, fault = _run(rung, source, case, watched=block)
    return made, fault


def _run(rung, source, case, **watched):
    try:
        return rung.run(source, case, **watched), None
    except Fault as fault:
        return fault.made, fault


def astray(rung, source, trial):
    """(what was run, the number of the state from 0 at which it goes wrong) of a Trial; (None, 0) where nothing ran."""
    try:
        made, fault = traced(rung, source, trial.case)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None, 0
    if fault or not isinstance(made, Run) or not trial.place:
        return made, -1 if fault else 0
    return _written(rung, source, trial, made)


def _written(rung, source, trial, made):
    """(a Run whose replay shows the access that wrote a wrong number last, where); the Run as it is where none did."""
    name, place = trial.place
    number = int(np.ravel_multi_index(place, made.arrays[name].shape))
    writer = int(made.writers[name][number]) if name in made.writers else -1
    if writer < 0:
        return made, 0
    block, thread = divmod(writer, made.threads)
    if block != made.watched:
        made = rung.run(source, trial.case, watched=block)
    warp, lane = divmod(thread, WARP_LANES)
    wrote = [step for step in steps(made) if step.kind in STORED and step.array == name and step.warp == warp]
    found = [step for step in wrote if step.mask[lane] and step.index[lane] == number]
    if not found:
        return made, 0
    where = f"{name}[{', '.join(map(str, place))}]"
    fault = Fault("wrong", found[-1].line, trial.problem, (Touch(thread, block, "writes", where, found[-1].line),))
    return replace(made, fault=fault, at=found[-1].number), found[-1].number - 1
