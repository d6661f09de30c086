"""Pictures of chapter 4: a walk of tiles, a tile and its budgets, softmax in pieces, attention in blocks."""

from accelerator_course.views.tiling.attention import Flash, SoftmaxStream
from accelerator_course.views.tiling.odometer import Odometer
from accelerator_course.views.tiling.tiles import TileBudget
