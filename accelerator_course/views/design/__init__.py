"""Pictures of chapter 13: published machines, the model at work, floor plans, fronts, chains of costs."""

from accelerator_course.views.design import costs, forensics
from accelerator_course.views.design.capstone import Capstone, Paper, Plan
from accelerator_course.views.design.costs import Chain, Corner, Ways
from accelerator_course.views.design.exotic import Crossbar
from accelerator_course.views.design.exploring import Front, Worth
from accelerator_course.views.design.forensics import Forensics
from accelerator_course.views.design.model import Beside, Edges, Inside
from accelerator_course.views.design.published import Battery, Capacity, Kinds, Offered, Zoo

__all__ = ["Battery", "Beside", "Capacity", "Capstone", "Chain", "Corner", "Crossbar", "Edges", "Forensics", "Front"]
__all__ += ["Inside", "Kinds", "Offered", "Paper", "Plan", "Ways", "Worth", "Zoo", "costs", "forensics"]
