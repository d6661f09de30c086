"""Limits: how long the learner's code may run, and how much it may print, before the check goes on without it."""

import _thread
import contextlib
import sys
import threading

SECONDS = 20  # for one call: on a slow machine the slowest worked solution takes a tenth
LETTERS = 20_000  # printed during one check


class TooLong(Exception):
    """A call that did not return in time."""


@contextlib.contextmanager
def limited(seconds=None):
    """Raise TooLong in a block that takes longer, on any system; outside the main thread nothing is limited.

    The interrupt is the one that *Kernel > Interrupt* sends; one that the reader sends passes through."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late = threading.Event()

    def stop():
        late.set()
        _thread.interrupt_main()

    timer = threading.Timer(SECONDS if seconds is None else seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
        timer.cancel()
    except KeyboardInterrupt:
        if late.is_set():
            raise TooLong from None
        raise
    finally:
        timer.cancel()


@contextlib.contextmanager
def brief():
    """Pass on what is printed in a block, up to LETTERS of it."""
    with contextlib.redirect_stdout(_Brief(sys.stdout)):
        yield


class _Brief:
    """A stream in front of another, which ends early."""

    def __init__(self, stream):
        self.stream, self.left = stream, LETTERS

    def write(self, text):
        if self.left > 0:
            self.stream.write(text[: self.left])
            self.left -= len(text)
            if self.left <= 0:
                self.stream.write("\n... (what is printed after this is left out)\n")
        return len(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)
