"""What a notebook calls: panels with sliders, steppers, predictions, quizzes.

explore(function, view, batch=log(1, 16384))    sliders -> function -> picture and sentence
step(function, view, rows=(1, 8))               a simulation, state by state
predict("roofline", "batch-128")                guess first, see why, and find the panel set to the answer
quiz("roofline")                                questions drawn from the chapter's pool
quick_check("ridge-point")                      one of them, inside a chapter
watch(generator)                                run a long measurement behind a progress bar
explain("roofline", prompt)                     a text box whose words are kept
chapters()                                      the table of 00_start_here
"""

from accelerator_lib.widgets.catalog import chapters
from accelerator_lib.widgets.controls import linear, log, switch
from accelerator_lib.widgets.explain import explain
from accelerator_lib.widgets.panel import Panel, explore
from accelerator_lib.widgets.predict import predict
from accelerator_lib.widgets.quiz import quick_check, quiz
from accelerator_lib.widgets.stepper import step
from accelerator_lib.widgets.watch import watch

__all__ = [
    "Panel",
    "chapters",
    "explain",
    "explore",
    "linear",
    "log",
    "predict",
    "quick_check",
    "quiz",
    "step",
    "switch",
    "watch",
]
