"""Pictures of chapter 14: models against machines."""

from accelerator_course.views.validation.constants import Adding, Unstated
from accelerator_course.views.validation.misses import Misses, Outliers, Page
from accelerator_course.views.validation.rows import Bounds, Rows

__all__ = ["Adding", "Bounds", "Misses", "Outliers", "Page", "Rows", "Unstated"]
