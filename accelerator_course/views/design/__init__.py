"""Pictures of chapter 13: ladders, floor plans, fronts, chains of costs."""

from accelerator_course.views.design.analog import Crossbar
from accelerator_course.views.design.bands import Corner
from accelerator_course.views.design.battery import Battery
from accelerator_course.views.design.capstone import Capstone
from accelerator_course.views.design.costs import Chain
from accelerator_course.views.design.edges import Edges
from accelerator_course.views.design.elasticities import Worth
from accelerator_course.views.design.floor import Plan
from accelerator_course.views.design.forensics import Forensics
from accelerator_course.views.design.kinds import Kinds
from accelerator_course.views.design.ladder import Ladder
from accelerator_course.views.design.prices import Offered
from accelerator_course.views.design.race import Front
from accelerator_course.views.design.reports import Paper
from accelerator_course.views.design.validation import Beside
from accelerator_course.views.design.volume import Ways
from accelerator_course.views.design.watching import Inside
from accelerator_course.views.design.zoo import Zoo

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
