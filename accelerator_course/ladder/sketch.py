"""Sketch: what a text does on its smallest case, for a picture that is drawn again while somebody types."""

from dataclasses import dataclass, replace

from accelerator_course.ladder.judge import begun
from accelerator_course.ladder.moving import moving
from accelerator_course.ladder.replay import BlockState, steps
from accelerator_course.ladder.traced import traced
from accelerator_lib.kernels.budget import Late, hurry, look
from accelerator_lib.kernels.machine import Run

SECONDS, MOST = 0.1, 4  # of work; rows of a picture
LATE = "Too long to draw while you type. Run takes its time."
NOTHING = "Nothing is read or written yet: what your lines touch is drawn here."


@dataclass(frozen=True, eq=False)
class Sketch:
    """What there is to draw of a text."""

    case: str  # its sizes
    rows: tuple = ()  # of warps, BlockState of the first access of each line; else the last Moving
    more: int = 0  # accesses for which there is no room
    note: str = ""  # what is not there to be drawn, or what stops the text so far; it is no verdict
    known: bool = True  # whether it is known what the text does; if not, an older picture may stay


def sketch(rung, source, seconds=SECONDS):
    """Sketch of a text for a Rung; nothing in the text raises."""
    case = rung.case(rung.visible[0])
    if not begun(rung, source):
        return Sketch(str(case), note=NOTHING)
    try:
        with hurry(seconds):
            made, fault = traced(rung, source, case)
            found = of(case, made)
    except Late:
        return Sketch(str(case), note=LATE, known=False)
    except (ValueError, TypeError, RecursionError, MemoryError) as error:
        return Sketch(str(case), note=" ".join(str(error).split()), known=False)
    return replace(found, note=" ".join(str(fault).split()), known=bool(found.rows)) if fault else found


def of(case, made):
    """Sketch of what was run on a Case."""
    rows = _rows(made) if made else ()
    return Sketch(str(case), rows[:MOST], len(rows[MOST:]), "" if rows else NOTHING)


def _rows(made):
    """The first access of each line to each array, in the order of the lines; where one is stopped, that one."""
    if not isinstance(made, Run):
        states = [state for state in moving(made) if look() is None]
        return tuple(states[-1:])
    first = {}
    for step in steps(made):
        look()
        key = step.line, step.kind, step.array
        if (step.array and key not in first) or step.fault:
            first[key] = step
    shown = sorted(first.values(), key=lambda step: (step.fault is None, step.line))[:MOST]
    rest = [step for step in first.values() if step not in shown]
    shown = sorted(shown, key=lambda step: step.line)
    return tuple(BlockState(step, tuple(made.lines), made.watched) for step in [*shown, *rest])
