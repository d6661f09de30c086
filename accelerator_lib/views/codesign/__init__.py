"""Pictures of chapter 12: loop nests, searches, programs, fronts."""

from accelerator_lib.views.codesign.coverage import TimeBars
from accelerator_lib.views.codesign.nas import Front
from accelerator_lib.views.codesign.funnel import Funnel
from accelerator_lib.views.codesign.lazy import Lazy
from accelerator_lib.views.codesign.porting import Guesses, Ledger
from accelerator_lib.views.codesign.proxies import Proxies
from accelerator_lib.views.codesign.mobile import Twins
from accelerator_lib.views.codesign.nest import Nest
from accelerator_lib.views.codesign.race import MappingRace
from accelerator_lib.views.codesign.worksheet import Changes

__all__ = [
    "Changes",
    "Front",
    "Funnel",
    "Guesses",
    "Lazy",
    "Ledger",
    "MappingRace",
    "Nest",
    "Proxies",
    "TimeBars",
    "Twins",
]
