"""Pictures of chapter 10: language models, their caches, their schedulers."""

from accelerator_lib.views.llm.boards import Board
from accelerator_lib.views.llm.experts import Experts
from accelerator_lib.views.llm.goodput import Promised
from accelerator_lib.views.llm.phases import Timeline, TwoDots
from accelerator_lib.views.llm.prefixes import Tree
from accelerator_lib.views.llm.published import Published
from accelerator_lib.views.llm.reading import OneStep
from accelerator_lib.views.llm.room import Memory
from accelerator_lib.views.llm.scheduler import Scheduler
from accelerator_lib.views.llm.speculation import Speculation
from accelerator_lib.views.llm.split import Ways
from accelerator_lib.views.llm.steps import Batch
from accelerator_lib.views.llm.timelines import Pause
from accelerator_lib.views.llm.writing import Writing

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
