"""Pictures of chapter 2: levels and gaps, caches, bytes on their way."""

from accelerator_lib.views.memory.cache import CacheTrace
from accelerator_lib.views.memory.flow import Tank
from accelerator_lib.views.memory.ladder import Gap
from accelerator_lib.views.memory.levels import Origins, Rulers
from accelerator_lib.views.memory.pins import Pins
from accelerator_lib.views.memory.race import Race
from accelerator_lib.views.memory.scratchpad import CacheOrScratchpad
from accelerator_lib.views.memory.transfer import Transfer
from accelerator_lib.views.memory.watching import Chase

__all__ = [
    "CacheOrScratchpad",
    "CacheTrace",
    "Chase",
    "Gap",
    "Origins",
    "Pins",
    "Race",
    "Rulers",
    "Tank",
    "Transfer",
]
