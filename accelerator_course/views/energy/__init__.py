"""Pictures of chapter 8: the energy ladder, what sources say, chips and their watts."""

from accelerator_course.views.energy.chips import AllChips, League
from accelerator_course.views.energy.sources import Disagreement
from accelerator_course.views.energy.table import Ladder

__all__ = ["AllChips", "Disagreement", "Ladder", "League"]
