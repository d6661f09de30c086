"""Measure: microbenchmarks of the reader's machine in a file, and that file beside the models.

    python -m accelerator_course.measure --out mine.json
    mine = measure.load("mine.json")           frozen records in base units
    mine.rows()                                the same as published rows, basis "measured here"
    measure.judged(mine)                       each beside its prediction (validation)
    measure.overlay(mine, 3)                   what views.measure.Yours draws

session       one run through the plan         plan          which cases, how large
kernels       what is run                      device        what the machine says of itself
file          JSON, checked where it is read   mine          the records, the chip, as published rows
habits        one kernel, timed in five ways   yours         the reader's file, or a brief session
judging       model against measurement        overlay       for pictures
"""

from accelerator_course.measure import habits
from accelerator_course.measure.file import BadFile, load
from accelerator_course.measure.mine import Measurement, Mine
from accelerator_course.measure.overlay import Overlay, Picked, overlay
from accelerator_course.measure.session import Session
from accelerator_course.measure.yours import yours

__all__ = [
    "BadFile",
    "Measurement",
    "Mine",
    "Overlay",
    "Picked",
    "Session",
    "errors",
    "habits",
    "judged",
    "load",
    "overlay",
    "yours",
]


def __getattr__(name):
    """Judging asks for every chapter's models, so only when it is wanted."""
    if name in ("errors", "judged"):
        from accelerator_course.measure import judging

        return getattr(judging, name)
    raise AttributeError(f"module 'accelerator_course.measure' has no attribute {name!r}")
