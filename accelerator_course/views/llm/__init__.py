"""Pictures of chapter 10: language models, their caches, their schedulers."""

from accelerator_course.views.llm.goodput import Promised, Ways
from accelerator_course.views.llm.memory import Board, Experts, Memory, Tree
from accelerator_course.views.llm.published import Published
from accelerator_course.views.llm.scheduler import Pause, Scheduler
from accelerator_course.views.llm.steps import Batch, OneStep, Timeline, TwoDots
from accelerator_course.views.llm.writing import Speculation, Writing

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
