"""Pictures of chapter 10: language models, their caches, their schedulers."""

from accelerator_course.views.llm.boards import Board
from accelerator_course.views.llm.experts import Experts
from accelerator_course.views.llm.goodput import Promised
from accelerator_course.views.llm.phases import Timeline, TwoDots
from accelerator_course.views.llm.prefixes import Tree
from accelerator_course.views.llm.published import Published
from accelerator_course.views.llm.reading import OneStep
from accelerator_course.views.llm.room import Memory
from accelerator_course.views.llm.scheduler import Scheduler
from accelerator_course.views.llm.speculation import Speculation
from accelerator_course.views.llm.split import Ways
from accelerator_course.views.llm.steps import Batch
from accelerator_course.views.llm.timelines import Pause
from accelerator_course.views.llm.writing import Writing

__all__ = [
    "Batch",
    "Board",
    "Experts",
    "Memory",
    "OneStep",
    "Pause",
    "Promised",
    "Published",
    "Scheduler",
    "Speculation",
    "Timeline",
    "Tree",
    "TwoDots",
    "Ways",
    "Writing",
]
