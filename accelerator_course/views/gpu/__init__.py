"""Pictures of chapter 5: one SM, what fits on it, a warp lane by lane, what it touches."""

from accelerator_course.views.gpu.access import Banks, Sectors
from accelerator_course.views.gpu.sms import OneSm, Residents
from accelerator_course.views.gpu.warps import WarpSteps

__all__ = ["Banks", "OneSm", "Residents", "Sectors", "WarpSteps"]
