"""What a notebook calls: panels with sliders, steppers, predictions, quizzes.

explore(function, view, batch=log(1, 16384))    sliders -> function -> picture and sentence
step(function, view, rows=(1, 8))               a simulation, state by state
predict("roofline", "batch-128", explore(...))  guess first, then see: the picture waits, and shows the guess
quiz("roofline")                                questions drawn from the chapter's pool
quick_check("ridge-point")                      one of them, inside a chapter
warm_up("tiling")                               three from earlier chapters, what is due for review first
checkpoint(3)                                   ten from chapters 1 to 3; after 13 it is the final
progress()                                      where you stand; download, restore, a page to print
watch(generator)                                run a long measurement behind a progress bar
kernel("transpose")                             a kernel to write: judged, scored, replayed
slow_one("transpose", "Its reads ...")          what a slow kernel's counters say, folded
decision("roofline")                            a number and an interval; then what was measured
explain("roofline")              your own words, kept; then a model answer to compare with
workshop(function, view, groups={...}, ...)     controls in groups, a result that is kept and can be taken away
chapters(), routes()                            the tables of 00_start_here
chapter_bar("roofline")                         where one is in a chapter, on top of it
"""

from accelerator_course.widgets.bar import chapter_bar
from accelerator_course.widgets.bench import kernel
from accelerator_course.widgets.catalog import chapters
from accelerator_course.widgets.controls import linear, log, switch
from accelerator_course.widgets.decision import decision
from accelerator_course.widgets.explain import explain
from accelerator_course.widgets.fold import slow_one
from accelerator_course.widgets.panel import Panel, explore
from accelerator_course.widgets.predict import predict
from accelerator_course.widgets.progress import progress
from accelerator_course.widgets.quiz import quick_check, quiz
from accelerator_course.widgets.review import checkpoint, warm_up
from accelerator_course.widgets.routes import routes
from accelerator_course.widgets.stepper import step
from accelerator_course.widgets.watch import watch
from accelerator_course.widgets.workshop import workshop

__all__ = [
    "Panel",
    "chapter_bar",
    "chapters",
    "checkpoint",
    "decision",
    "explain",
    "explore",
    "kernel",
    "linear",
    "log",
    "predict",
    "progress",
    "quick_check",
    "quiz",
    "routes",
    "slow_one",
    "step",
    "switch",
    "warm_up",
    "watch",
    "workshop",
]
