"""Wall: peak and bandwidth of chips in the order of their years, and the ridge that they leave.

    growth = rate of a chip / rate of the first one          step = its ridge / the ridge of the one before

Where peaks grow faster than bandwidths the ridge rises, and a kernel needs more FLOP for each byte.
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.hardware import Chip, Format, chip
from accelerator_lib.roofline.roof import ridge_of


@dataclass(frozen=True)
class Generation:
    """One chip of a line beside the first one and the one before."""

    chip: Chip
    dtype: str
    first: Chip
    before: Chip | None = None

    @property
    def peak(self):
        return self.chip.peak(self.dtype)

    @property
    def bandwidth(self):
        return self.chip.need("bytes_per_s")

    @property
    def ridge(self):
        return ridge_of(self.chip, self.dtype)

    @property
    def peak_growth(self):
        """How many times the first chip's."""
        return self.peak / self.first.peak(self.dtype)

    @property
    def bandwidth_growth(self):
        """How many times the first chip's."""
        return self.bandwidth / self.first.need("bytes_per_s")

    @property
    def ridge_before(self):
        """None for the first chip."""
        return self.before and ridge_of(self.before, self.dtype)

    @property
    def rises(self):
        """Whether the ridge is higher than before."""
        return self.before is not None and self.ridge > self.ridge_before


def _line(chips):
    if not isinstance(chips, (list, tuple)):
        raise TypeError(f"chips must be a list of chips or of their ids, not {described(chips)}")
    return tuple(map(chip, chips))


@checked
def generations(chips: Given("chips or their ids", _line), dtype: Format = "fp16"):
    """A Generation for each of a line of chips, or of their ids, in their order. Raises UnknownName."""
    return tuple(Generation(each, dtype, chips[0], chips[i - 1] if i else None) for i, each in enumerate(chips))
