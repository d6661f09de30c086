"""Pictures of chapter 8: a number on its way to the multiplier, and what operations and memories cost."""

from accelerator_course.views.energy.journey import Journey
from accelerator_course.views.energy.table import Energies

__all__ = ["Energies", "Journey"]
