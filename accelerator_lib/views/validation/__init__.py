"""Pictures of chapter 14: models against machines."""

from accelerator_lib.views.validation.adding import Adding
from accelerator_lib.views.validation.bounds import Bounds
from accelerator_lib.views.validation.misses import Misses
from accelerator_lib.views.validation.outliers import Outliers
from accelerator_lib.views.validation.rows import Rows
from accelerator_lib.views.validation.unstated import Unstated

__all__ = ["Adding", "Bounds", "Misses", "Outliers", "Rows", "Unstated"]
