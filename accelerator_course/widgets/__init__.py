"""What a notebook calls: panels with sliders, steppers, predictions, quizzes, kernels to write."""

from accelerator_course.widgets.bar import chapter_bar
from accelerator_course.widgets.bench import Bench as kernel
from accelerator_course.widgets.catalog import chapters
from accelerator_course.widgets.controls import linear, log, switch
from accelerator_course.widgets.decision import Decision as decision
from accelerator_course.widgets.explain import Explain as explain
from accelerator_course.widgets.fold import slow_one
from accelerator_course.widgets.panel import Panel
from accelerator_course.widgets.panel import Panel as explore
from accelerator_course.widgets.predict import predict
from accelerator_course.widgets.progress import ProgressPanel as progress
from accelerator_course.widgets.quiz import quick_check, quiz
from accelerator_course.widgets.review import Checkpoint as checkpoint
from accelerator_course.widgets.review import Review as review
from accelerator_course.widgets.review import WarmUp as warm_up
from accelerator_course.widgets.routes import routes
from accelerator_course.widgets.scale import Scale as to_scale
from accelerator_course.widgets.stepper import Stepper as step
from accelerator_course.widgets.watch import watch
from accelerator_course.widgets.workshop import Workshop as workshop
from accelerator_course.widgets.yours import Menu as yours
