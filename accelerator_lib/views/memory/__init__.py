"""Pictures of chapter 2: levels and gaps, caches, bytes on their way."""

from accelerator_lib.views.memory.cache import CacheSteps, CacheTrace
from accelerator_lib.views.memory.flow import Pins, Tank
from accelerator_lib.views.memory.hostlink import Placement
from accelerator_lib.views.memory.levels import Gap, Origins, Rulers
from accelerator_lib.views.memory.reuse import HitCurve
from accelerator_lib.views.memory.scratchpad import CacheOrScratchpad
from accelerator_lib.views.memory.transfer import Transfer

__all__ = [
    "CacheOrScratchpad",
    "CacheSteps",
    "CacheTrace",
    "Gap",
    "HitCurve",
    "Origins",
    "Pins",
    "Placement",
    "Rulers",
    "Tank",
    "Transfer",
]
