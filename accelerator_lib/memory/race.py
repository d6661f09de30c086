"""Race: several memories read the same data at the same time, each at its own bandwidth.

    for moment in race(80e9, (34e9, 8e12)): ...

seconds = bytes / bandwidth. The moments lie equally far apart, so that a film of them is slow motion, the same for all.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Bytes, BytesPerS, Count, Single, checked

MOST = 5000  # moments of a race


@dataclass(frozen=True, eq=False)
class Moment:
    """One moment of a race: `bytes_per_s` of each memory, `seconds` since all began, `step_seconds` to the next."""

    data_bytes: float
    bytes_per_s: np.ndarray
    seconds: float
    step_seconds: float

    @property
    def finish_seconds(self):
        """When each has read everything."""
        return self.data_bytes / self.bytes_per_s

    @property
    def done(self):
        """Which have, by now."""
        return self.readings >= 1

    @property
    def shares(self):
        """The part that each has read, 0 to 1."""
        return np.minimum(1, self.readings)

    @property
    def readings(self):
        """How often each could have read everything by now, if it began again each time."""
        return self.seconds / self.finish_seconds * (1 + 1e-12)  # so that rounding does not delay a finish by one step

    @property
    def ranks(self):
        """The place of each, 1 for the fastest; equals share one."""
        return 1 + (self.bytes_per_s[:, None] < self.bytes_per_s).sum(axis=1)


@checked
def race(data_bytes: Single(Bytes), bytes_per_s: BytesPerS, steps: Count(high=1000) = 2):
    """Yield a Moment until the last memory is done; the fastest is done after so many steps.

    Raises ValueError where the slowest would need more than 5,000 of them."""
    rates = np.atleast_1d(bytes_per_s).astype(float)
    step = data_bytes / rates.max() / steps
    count = int(np.ceil(steps * rates.max() / rates.min() * (1 - 1e-12)))
    if count > MOST:
        raise ValueError(f"the slowest would need {count:,} steps; at most {MOST:,}: take fewer for the fastest")
    last = data_bytes / rates.min()
    return (Moment(data_bytes, rates, i * step if i < count else last, step) for i in range(count + 1))
