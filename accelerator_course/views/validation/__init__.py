"""Pictures of chapter 14: models against machines."""

from accelerator_course.views.validation.misses import Adding, Misses, Page
from accelerator_course.views.validation.rows import Bounds, Rows
