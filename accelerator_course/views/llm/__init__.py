"""Pictures of chapters 10 and 10b: steps, memory, texts that grow, a scheduler at work, what users were promised."""

from accelerator_course.views.llm.goodput import Promised, Ways
from accelerator_course.views.llm.memory import Board, Experts, Memory, Tree
from accelerator_course.views.llm.scheduler import Pause, Scheduler
from accelerator_course.views.llm.steps import Batch, OneStep, Timeline, TwoDots
from accelerator_course.views.llm.writing import Writing
