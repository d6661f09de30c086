"""Pictures of chapter 8: energies of two nodes, what sources say, chips and their watts."""

from accelerator_course.views.energy.chips import AllChips, PerWatt
from accelerator_course.views.energy.sources import Disagreement
from accelerator_course.views.energy.table import Energies

__all__ = ["AllChips", "Disagreement", "Energies", "PerWatt"]
