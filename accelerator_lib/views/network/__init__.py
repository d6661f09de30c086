"""Pictures of chapter 11: rings, links, grids, schedules."""

from accelerator_lib.views.network.choices import SplitMap
from accelerator_lib.views.network.collectives import Around
from accelerator_lib.views.network.decode import Tokens
from accelerator_lib.views.network.devices import Sharded
from accelerator_lib.views.network.failures import Failures
from accelerator_lib.views.network.gantt import Gantt
from accelerator_lib.views.network.gradients import Gradients
from accelerator_lib.views.network.grids import Box
from accelerator_lib.views.network.hops import Hops
from accelerator_lib.views.network.host import HostLinks
from accelerator_lib.views.network.overlap import Lanes
from accelerator_lib.views.network.parallel import SplitParts
from accelerator_lib.views.network.published import Misses, Ratios
from accelerator_lib.views.network.stragglers import Slowest
from accelerator_lib.views.network.tiers import Tiers
from accelerator_lib.views.network.toll import Toll

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
