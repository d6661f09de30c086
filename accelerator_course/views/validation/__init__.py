"""Pictures of chapter 14: models against machines."""

from accelerator_course.views.validation.adding import Adding
from accelerator_course.views.validation.bounds import Bounds
from accelerator_course.views.validation.misses import Misses
from accelerator_course.views.validation.outliers import Outliers
from accelerator_course.views.validation.rows import Rows
from accelerator_course.views.validation.unstated import Unstated

__all__ = ["Adding", "Bounds", "Misses", "Outliers", "Rows", "Unstated"]
