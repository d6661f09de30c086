"""A session on a clock of its own: a machine whose speed is known, so that what is measured is known, too."""

import pytest

from accelerator_course.measure.session import Session
from accelerator_lib.machine.timing import Timing


class Simulated:
    """A clock and a timer: a case takes the longer of its arithmetic and its bytes, and so long again to compile."""

    def __init__(self, flops_per_s=1e11, bytes_per_s=1e10, compiling=0.05, launching=1e-5):
        self.now, self.compiling, self.launching = 0.0, compiling, launching
        self.flops_per_s, self.bytes_per_s = flops_per_s, bytes_per_s
        self.case, self.run = None, []

    def clock(self):
        return self.now

    def timer(self, case, in_place=False, budget_s=None, span_s=0.0):
        seconds = self.launching + max(case.flops / self.flops_per_s, case.bytes_moved / self.bytes_per_s)
        self.now += self.compiling + max(budget_s, 5 * seconds)
        self.run.append(case)
        return {}, Timing(seconds, 0.9 * seconds, 1.3 * seconds, 7)


@pytest.fixture
def simulated(monkeypatch):
    """(session, machine): `simulated(seconds=10, flops_per_s=...)`; cases hand themselves to the timer, no array is made."""
    from accelerator_course.measure import kernels

    monkeypatch.setattr(kernels.Case, "make", property(lambda case: lambda: (case,)), raising=False)
    monkeypatch.setattr(kernels.Case, "__init__", _init)

    def make(seconds=20, platform="cpu", count=1, name="simulated cores", **machine):
        there = Simulated(**machine)
        device = {"platform": platform, "name": name, "count": count, "cores": 2, "clock_hz": 2e9}
        device |= {"cache_bytes": 2.0**20 if platform == "cpu" else None, "driver": None}
        return Session(seconds, there.clock, there.timer, device), there

    return make


def _init(self, group, name, conditions, flops, bytes_moved, make, in_place=False, queued=True):
    names = ["group", "name", "conditions", "flops", "bytes_moved", "in_place", "queued"]
    for key, value in zip(names, (group, name, conditions, flops, bytes_moved, in_place, queued), strict=True):
        object.__setattr__(self, key, value)
