"""Pictures of chapter 13: ladders, floor plans, fronts, chains of costs."""

from accelerator_lib.views.design.analog import Crossbar
from accelerator_lib.views.design.bands import Corner
from accelerator_lib.views.design.battery import Battery
from accelerator_lib.views.design.capstone import Capstone
from accelerator_lib.views.design.costs import Chain
from accelerator_lib.views.design.edges import Edges
from accelerator_lib.views.design.elasticities import Worth
from accelerator_lib.views.design.floor import Plan
from accelerator_lib.views.design.forensics import Forensics
from accelerator_lib.views.design.kinds import Kinds
from accelerator_lib.views.design.ladder import Ladder
from accelerator_lib.views.design.prices import Offered
from accelerator_lib.views.design.race import Front
from accelerator_lib.views.design.reports import Paper
from accelerator_lib.views.design.validation import Beside
from accelerator_lib.views.design.volume import Ways
from accelerator_lib.views.design.watching import Inside
from accelerator_lib.views.design.zoo import Zoo

__all__ = [
    "Battery",
    "Beside",
    "Capstone",
    "Chain",
    "Corner",
    "Crossbar",
    "Edges",
    "Forensics",
    "Front",
    "Inside",
    "Kinds",
    "Ladder",
    "Offered",
    "Paper",
    "Plan",
    "Ways",
    "Worth",
    "Zoo",
]
