"""Pictures of chapter 8: the energy ladder, layers, chips and their watts."""

from accelerator_lib.views.energy.arrays import DataflowEnergy
from accelerator_lib.views.energy.chips import AllChips, ChipBudget, League
from accelerator_lib.views.energy.clock import Cap, Clock
from accelerator_lib.views.energy.costs import LayerEnergy
from accelerator_lib.views.energy.instructions import Overhead
from accelerator_lib.views.energy.running import Battery, YearlyCost
from accelerator_lib.views.energy.table import Disagreement, Ladder

__all__ = [
    "AllChips",
    "Battery",
    "Cap",
    "ChipBudget",
    "Clock",
    "DataflowEnergy",
    "Disagreement",
    "Ladder",
    "LayerEnergy",
    "League",
    "Overhead",
    "YearlyCost",
]
