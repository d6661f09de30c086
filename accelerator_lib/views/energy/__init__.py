"""Pictures of chapter 8: the energy ladder, what sources say, chips and their watts."""

from accelerator_lib.views.energy.chips import AllChips, League
from accelerator_lib.views.energy.sources import Disagreement
from accelerator_lib.views.energy.table import Ladder

__all__ = ["AllChips", "Disagreement", "Ladder", "League"]
