"""Pictures of what was measured on the reader's machine."""

from accelerator_course.views.machine.staircase import Stairs

__all__ = [
    "Stairs",
]
