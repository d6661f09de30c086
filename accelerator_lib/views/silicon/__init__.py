"""Pictures of chapter 9: wafers, packages, floor plans."""

from accelerator_lib.views.silicon.falling import Falling
from accelerator_lib.views.silicon.growing import Growing
from accelerator_lib.views.silicon.salvage import Redundancy
from accelerator_lib.views.silicon.wafer import Dies

__all__ = ["Dies", "Falling", "Growing", "Redundancy"]
