"""Measure: microbenchmarks of the reader's machine in a file, and that file beside the models."""

from accelerator_course.measure import habits
from accelerator_course.measure.file import BadFile, load
from accelerator_course.measure.mine import Measurement, Mine
from accelerator_course.measure.overlay import overlay
from accelerator_course.measure.yours import yours

__all__ = ["BadFile", "Measurement", "Mine", "errors", "habits", "judged", "load", "overlay", "yours"]


def __getattr__(name):
    """Judging asks for every chapter's models, so only when it is wanted."""
    if name in ("errors", "judged"):
        from accelerator_course.measure import judging

        return getattr(judging, name)
    raise AttributeError(f"module 'accelerator_course.measure' has no attribute {name!r}")
