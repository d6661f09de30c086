"""Pictures of chapter 11: rings, links, grids, schedules."""

from accelerator_course.views.network.choices import SplitMap
from accelerator_course.views.network.collectives import Around
from accelerator_course.views.network.decode import Tokens
from accelerator_course.views.network.devices import Sharded
from accelerator_course.views.network.failures import Failures
from accelerator_course.views.network.gantt import Gantt
from accelerator_course.views.network.gradients import Gradients
from accelerator_course.views.network.grids import Box
from accelerator_course.views.network.hops import Hops
from accelerator_course.views.network.host import HostLinks
from accelerator_course.views.network.overlap import Lanes
from accelerator_course.views.network.parallel import SplitParts
from accelerator_course.views.network.published import Misses, Ratios
from accelerator_course.views.network.stragglers import Slowest
from accelerator_course.views.network.tiers import Tiers
from accelerator_course.views.network.toll import Toll

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
