"""Pictures of chapter 2: levels and gaps, caches, bytes on their way."""

from accelerator_course.views.memory.bandwidths import Bandwidths
from accelerator_course.views.memory.caches import CacheOrScratchpad, CacheTrace
from accelerator_course.views.memory.flow import Pins, Tank, Transfer
from accelerator_course.views.memory.hierarchy import Chase
from accelerator_course.views.memory.levels import Gap, Origins, Rulers

__all__ = [
    "Bandwidths",
    "CacheOrScratchpad",
    "CacheTrace",
    "Chase",
    "Gap",
    "Origins",
    "Pins",
    "Rulers",
    "Tank",
    "Transfer",
]
