"""A device to time on, with a clock of its own: it goes on only while something is done, so every run is the same.
The first runs are slow, while the device's clock frequency rises. Some runs meet other work and take four times as
long. `truth(device)` is the median of a run with empty caches, once the device is warm: what a benchmark should find.
"""

import numpy as np

from accelerator_lib.checks.inputs import count, described, real

RAMP, SLOWER = 60, 0.8  # runs until the device is warm; how much slower the first one is
NOISE, MEETS, LONGER = 0.015, 0.08, 4.0
ASK, FLUSH, MOST = 8e-6, 2e-3, 5000  # s of a launch, s of emptying caches, launches in all


class Device:
    """One kernel on one device: seconds of a run with empty caches, how much warm ones save, seconds to compile."""

    def __init__(self, seconds=0.010, saved=0.4, compile_seconds=0.5, seed=0):
        self._seconds = real("seconds", seconds, 1e-6, 10, "s")
        self._saved = real("saved", saved, 0, 0.95)
        self._compile_seconds = real("compile_seconds", compile_seconds, 0, 100, "s")
        self._dice = np.random.default_rng(count("seed", seed, 0, 2**31))
        self._now = self._free = 0.0
        self._runs, self._cached = 0, False

    def launch(self):
        """Ask for one run of the kernel."""
        if self._runs == MOST:
            raise RuntimeError(f"{MOST:,} launches are enough for a benchmark")
        self._now += ASK + (0 if self._runs else self._compile_seconds)
        self._free = max(self._now, self._free) + self._took()
        self._runs, self._cached = self._runs + 1, True

    def _took(self):
        cold = 1 + SLOWER * max(0, 1 - self._runs / RAMP)
        chance = max(0.5, 1 + NOISE * self._dice.standard_normal()) * (LONGER if self._dice.random() < MEETS else 1)
        return self._seconds * (1 - self._saved * self._cached) * cold * chance

    def wait(self):
        """Go on when all that was asked for is done."""
        self._now = max(self._now, self._free)

    def flush(self):
        """Wait, then empty the caches."""
        self.wait()
        self._now, self._cached = self._now + FLUSH, False

    def clock(self):
        """The time now [s]."""
        return self._now


def truth(device):
    """Median of a warm device's run with empty caches [s], launched: a quantile of those that meet no other work."""
    from statistics import NormalDist

    if not isinstance(device, Device):
        raise TypeError(f"device must be a Device, not {described(device)}")
    return ASK + device._seconds * (1 + NOISE * NormalDist().inv_cdf(0.5 / (1 - MEETS)))
