"""Pictures of chapter 2: levels and gaps, caches, bytes on their way."""

from accelerator_course.views.memory.cache import CacheTrace
from accelerator_course.views.memory.flow import Tank
from accelerator_course.views.memory.ladder import Gap
from accelerator_course.views.memory.levels import Origins, Rulers
from accelerator_course.views.memory.pins import Pins
from accelerator_course.views.memory.race import Race
from accelerator_course.views.memory.scratchpad import CacheOrScratchpad
from accelerator_course.views.memory.transfer import Transfer
from accelerator_course.views.memory.watching import Chase

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
