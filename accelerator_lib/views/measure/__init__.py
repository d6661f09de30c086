"""Pictures of a file of measurements: your dots on the roof."""

from accelerator_lib.views.measure.overlay import Yours

__all__ = ["Yours"]
