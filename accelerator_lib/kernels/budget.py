"""Budget: what a run may cost, so that none runs for long, fills the memory or keeps somebody waiting who types.

What is beyond the budget is a Fault at the line that asked for more. The time is the processor's, so that a busy
computer does not matter: the machines ask at every statement, instruction and command whether any is left (`look`).
"""

import time
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from weakref import finalize

import numpy as np

from accelerator_lib.kernels.language import Fault

_end = ContextVar("end", default=inf)
_now = getattr(time, "thread_time", time.perf_counter)  # a page without a server has no time of its own


class Late(Exception):
    """The time is over. No Fault: nothing is wrong with the kernel."""


@contextmanager
def hurry(seconds):
    """Give whatever runs within so many seconds; raises Late as soon as they are over."""
    token = _end.set(_now() + seconds)
    try:
        yield
    finally:
        _end.reset(token)


def look():
    """Nothing, as long as there is time. Raises Late."""
    end = _end.get()
    if end < inf and _now() > end:
        raise Late


MOST_NODES, MOST_WORK = 1_000_000, 400_000_000  # of one run: nodes of the tree, numbers and multiply-adds
MOST_HELD, SMALL = 300_000_000, 64  # bytes of arrays that exist at a time; numbers of an array that is not weighed


class Budget:
    """What was spent so far; `macs` are the multiply-adds of matrix products."""

    def __init__(self):
        self.nodes, self.work, self.macs, self.held = 0, 0, 0, 0

    def spend(self, node, numbers=0, nodes=1):
        """Count a node, or what takes as long as several, and its numbers. Raises Fault at the end of the budget."""
        look()
        self.nodes, self.work = self.nodes + nodes, self.work + numbers
        if self.nodes > MOST_NODES or self.work > MOST_WORK:
            raise Fault("budget", _line(node), "this runs for too long here: take larger blocks")

    def hold(self, node, value):
        """Weigh an array for as long as it exists. Raises Fault where too many do at a time."""
        if np.size(value) < SMALL:
            return
        self.held += value.nbytes
        finalize(value, self._release, value.nbytes).atexit = False
        if self.held > MOST_HELD:
            said = f"the arrays that are kept have more than {MOST_HELD // 10**6} MB: take smaller blocks"
            raise Fault("budget", _line(node), said)

    def _release(self, size):
        self.held -= size


def _line(node):
    return getattr(node, "lineno", getattr(node, "line", 1))
