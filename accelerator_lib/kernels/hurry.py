"""Hurry: a run that must end soon. A picture that is drawn while somebody types has a tenth of a second.

with hurry(0.1):
    rung.run(source, case)      raises Late as soon as the time is over

It is time of the processor, so that a busy computer does not matter. The machines ask at every statement, instruction
and command whether there is time left (`look`).
"""

import time
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

_end = ContextVar("end", default=inf)
_now = getattr(time, "thread_time", time.perf_counter)  # a page without a server has no time of its own


class Late(Exception):
    """The time is over. No Fault: nothing is wrong with the kernel."""


@contextmanager
def hurry(seconds):
    """Give whatever runs within so many seconds."""
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
