"""Pictures of chapter 11: rings, links, grids, schedules."""

from accelerator_lib.views.network.choices import SplitMap
from accelerator_lib.views.network.decode import Tokens
from accelerator_lib.views.network.failures import Failures
from accelerator_lib.views.network.gantt import Gantt
from accelerator_lib.views.network.host import HostLinks
from accelerator_lib.views.network.overlap import Lanes
from accelerator_lib.views.network.parallel import SplitParts
from accelerator_lib.views.network.published import Misses, Ratios
from accelerator_lib.views.network.stragglers import Slowest
from accelerator_lib.views.network.toll import Toll

__all__ = [
    "Failures",
    "Gantt",
    "HostLinks",
    "Lanes",
    "Misses",
    "Ratios",
    "Slowest",
    "SplitMap",
    "SplitParts",
    "Tokens",
    "Toll",
]
