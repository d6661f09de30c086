"""Pictures of measurements: your dots on the roof, and how a kernel is timed."""

from accelerator_course.views.measure.habits import Habits
from accelerator_course.views.measure.overlay import Yours

__all__ = ["Habits", "Yours"]
