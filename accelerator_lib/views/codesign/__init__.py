"""Pictures of chapter 12: loop nests, searches, programs, fronts."""

from accelerator_lib.views.codesign.autotune import Tuned
from accelerator_lib.views.codesign.coverage import TimeBars
from accelerator_lib.views.codesign.detector import FrameTime
from accelerator_lib.views.codesign.funnel import Funnel
from accelerator_lib.views.codesign.hlo import Rewritten
from accelerator_lib.views.codesign.ladder import Ladder
from accelerator_lib.views.codesign.lazy import Lazy
from accelerator_lib.views.codesign.mobile import Twins
from accelerator_lib.views.codesign.nas import Front
from accelerator_lib.views.codesign.nest import Nest
from accelerator_lib.views.codesign.paying import Padded, Payoff
from accelerator_lib.views.codesign.porting import Guesses, Ledger
from accelerator_lib.views.codesign.proxies import Proxies
from accelerator_lib.views.codesign.race import MappingRace
from accelerator_lib.views.codesign.recompiles import Served
from accelerator_lib.views.codesign.traces import Opened, Timeline
from accelerator_lib.views.codesign.worksheet import Changes

__all__ = [
    "Changes",
    "FrameTime",
    "Front",
    "Funnel",
    "Guesses",
    "Ladder",
    "Lazy",
    "Ledger",
    "MappingRace",
    "Nest",
    "Opened",
    "Padded",
    "Payoff",
    "Proxies",
    "Rewritten",
    "Served",
    "TimeBars",
    "Timeline",
    "Tuned",
    "Twins",
]
