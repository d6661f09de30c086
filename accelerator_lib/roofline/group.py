"""Group: several kernels on one chip, and how much of their arithmetic waits for memory.

waiting share = FLOP of the memory-bound kernels / FLOP of all
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.hardware import AChip, Format
from accelerator_lib.roofline.roof import place


def _named(works):
    if not isinstance(works, (dict, list, tuple)) or not works:
        raise TypeError(f"works must be named work such as {{'ReLU': Elementwise(10**6)}}, not {described(works)}")
    pairs = list(works.items()) if isinstance(works, dict) else list(works)
    if not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise TypeError("works must be {name: work}, or pairs of a name and a piece of work")
    return pairs


@dataclass(frozen=True)
class Group:
    """Named kernels on one chip, all in one format: pairs of a name and a Placed; a name may occur again."""

    kernels: tuple

    @property
    def waiting(self):
        """The names of those that are memory-bound."""
        return [name for name, placed in self.kernels if placed.bound == "memory"]

    @property
    def waiting_share(self):
        """FLOP of the memory-bound kernels / FLOP of all; 0 where nothing is calculated."""
        waiting = sum(placed.work.flops for _, placed in self.kernels if placed.bound == "memory")
        return waiting / (sum(placed.work.flops for _, placed in self.kernels) or 1)


@checked
def place_all(works: Given("{name: work}, or pairs of them", _named), chip: AChip, dtype: Format = "bf16"):
    """Every kernel of {name: work}, or of such pairs, on a chip: Group. Raises NotAvailable."""
    return Group(tuple((name, place(work, chip, dtype)) for name, work in works))
