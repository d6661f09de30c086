"""Pictures of chapter 3: two times, the roof above them, and what lies below it."""

from accelerator_course.views.roofline.axes import Axes
from accelerator_course.views.roofline.roof import Kernels, Roofline
from accelerator_course.views.roofline.two_times import TwoTimes
