"""Pictures of chapters 13 and 13b: published machines, the model at work, floor plans, fronts."""

from accelerator_course.views.design import forensics
from accelerator_course.views.design.capstone import Capstone, Paper, Plan
from accelerator_course.views.design.exploring import Front, Worth
from accelerator_course.views.design.forensics import Forensics
from accelerator_course.views.design.model import Beside, Crossbar, Edges, Inside
from accelerator_course.views.design.published import Capacity, Kinds, Poured, Zoo
