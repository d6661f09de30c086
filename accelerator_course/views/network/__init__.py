"""Pictures of chapter 11: links, collectives, splits, schedules, and models beside what was measured."""

from accelerator_course.views.network.collectives import Around, Gradients, Tiers
from accelerator_course.views.network.links import Box, Hops, HostLinks, Toll
from accelerator_course.views.network.published import Misses, Ratios
from accelerator_course.views.network.schedules import Failures, Gantt, Lanes, Slowest
from accelerator_course.views.network.splits import Sharded, SplitMap, SplitParts, Tokens

__all__ = [
    "Around",
    "Box",
    "Failures",
    "Gantt",
    "Gradients",
    "Hops",
    "HostLinks",
    "Lanes",
    "Misses",
    "Ratios",
    "Sharded",
    "Slowest",
    "SplitMap",
    "SplitParts",
    "Tiers",
    "Tokens",
    "Toll",
]
