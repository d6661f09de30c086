"""Pictures of chapter 2: loads and copies on their way, caches, pins."""

from accelerator_course.views.memory.bandwidths import Bandwidths
from accelerator_course.views.memory.caches import CacheOrScratchpad, CacheTrace
from accelerator_course.views.memory.flow import Pins, Transfer
from accelerator_course.views.memory.hierarchy import Chase
from accelerator_course.views.memory.loads import Loads

__all__ = [
    "Bandwidths",
    "CacheOrScratchpad",
    "CacheTrace",
    "Chase",
    "Loads",
    "Pins",
    "Transfer",
]
