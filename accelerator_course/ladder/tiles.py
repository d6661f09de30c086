"""Tiles: the rungs of Pallas: bytes between the memory and a chip with so much room.

bound = max(bytes of the specification, once; for a product, what no order of work beats in this room)
"""

from dataclasses import dataclass

from accelerator_course.ladder.advice import COUNTERS
from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import onjax, pallas
from accelerator_lib.kernels.grids import NUMBER_BYTES
from accelerator_lib.tiling.bound import io_lower_bound_words


@dataclass(frozen=True, eq=False)
class TileRung(Rung):
    """A rung whose kernel is walked over a grid of blocks; `work` gives its product as a Gemm, or None."""

    machine = "pallas"
    counters = COUNTERS

    room_bytes: int  # on the chip

    def run(self, source, case):
        """Tiled of a text on a Case. Raises Fault."""
        outputs = {name: want.shape for name, want in self.expected(case).items()}
        return pallas.run(source, self.given(case), outputs, self.room_bytes)

    def on_jax(self, source, case, compiled=None):
        """{name: array} of a learner's own text in Pallas itself. Raises ValueError where JAX is missing."""
        return onjax.run(source, self.given(case), list(self.expected(case)), compiled)

    def score(self, made):
        """Bytes that come and go."""
        return made.moved_bytes

    def least(self, case):
        """No kernel moves less on a Case."""
        moved = NUMBER_BYTES * (sum(each.size for each in self.inputs(case)) + sum(
            want.size for want in self.expected(case).values()))  # fmt: skip
        product = self.work(**case.sizes)
        if product is None:
            return moved
        return max(moved, NUMBER_BYTES * float(io_lower_bound_words(product, self.room_bytes / NUMBER_BYTES)))

    def given(self, case):
        """{name: array or size} that a text has."""
        outputs = self.expected(case)
        return {name: value for name, value in case.arguments.items() if name not in outputs}

    def inputs(self, case):
        """The arrays that a text has."""
        return [each for each in self.given(case).values() if hasattr(each, "size")]
