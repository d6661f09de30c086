"""Arrays: the rungs of systolic arrays: a product that is fed block by block, a network that is mapped; in cycles.

feed      bound = EDGE for the first block, m n ceil(k / EDGE) / EDGE rows, 2 EDGE - 2 until the last sum is out
network   bound = for each layer the longer of   multiply-adds / PEs   and   bytes, each operand once / bandwidth
"""

from dataclasses import dataclass

import numpy as np

from accelerator_course.ladder.remarks import FEEDING, MAPPING
from accelerator_course.ladder.rung import Rung
from accelerator_lib.kernels import feeding, mapping


@dataclass(frozen=True, eq=False)
class FeedRung(Rung):
    """A rung whose text feeds an array; `work` gives its product."""

    machine = "array"
    counters = FEEDING

    edge: int  # of the array
    room_rows: int  # for sums

    @property
    def constants(self):
        """What the text may name: {name: value}."""
        return {"EDGE": self.edge, "ROOM": self.room_rows}

    def run(self, source, case):
        """Fed of a text on a Case. Raises Fault."""
        return feeding.run(source, case.arguments, self.edge, self.room_rows)

    def score(self, made):
        """Cycles until the last sum has left."""
        return made.cycles

    def least(self, case):
        """No feed takes fewer cycles: a row that passes adds to EDGE sums, and a sum needs ceil(k / EDGE) of them."""
        gemm = self.work(**case.sizes)
        passes = gemm.m * gemm.n * -(-gemm.k // self.edge) / self.edge
        return self.edge + passes + 2 * self.edge - 2


@dataclass(frozen=True, eq=False)
class MapRung(Rung):
    """A rung whose text maps layers; `work` gives them as products."""

    machine = "array"
    counters = MAPPING

    pes: int
    room_bytes: int
    bytes_per_cycle: float

    @property
    def constants(self):
        """What the text may name: {name: value}."""
        return {"PES": self.pes, "ROOM": self.room_bytes}

    def run(self, source, case):
        """Mapped of a text on a Case. Raises Fault."""
        gemms = self.work(**case.sizes)
        return mapping.run(source, case.arguments, gemms, self.pes, self.room_bytes, self.bytes_per_cycle)

    def score(self, made):
        """Cycles of all layers."""
        return made.cycles

    def least(self, case):
        """No mapping takes fewer cycles."""
        return sum(
            float(np.maximum(gemm.flops / 2 / self.pes, gemm.bytes_moved("bf16") / self.bytes_per_cycle))
            for gemm in self.work(**case.sizes)
        )
