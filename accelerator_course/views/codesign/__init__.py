"""Pictures of chapter 12: loop nests, searches, programs, fronts."""

from accelerator_course.views.codesign.autotune import Tuned
from accelerator_course.views.codesign.coverage import TimeBars
from accelerator_course.views.codesign.detector import FrameTime
from accelerator_course.views.codesign.funnel import Funnel
from accelerator_course.views.codesign.hlo import Rewritten
from accelerator_course.views.codesign.ladder import Ladder
from accelerator_course.views.codesign.lazy import Lazy
from accelerator_course.views.codesign.mobile import Twins
from accelerator_course.views.codesign.nas import Front
from accelerator_course.views.codesign.nest import Nest
from accelerator_course.views.codesign.paying import Padded, Payoff
from accelerator_course.views.codesign.porting import Guesses, Ledger
from accelerator_course.views.codesign.proxies import Proxies
from accelerator_course.views.codesign.race import MappingRace
from accelerator_course.views.codesign.recompiles import Served
from accelerator_course.views.codesign.traces import Opened, Timeline
from accelerator_course.views.codesign.worksheet import Changes

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
