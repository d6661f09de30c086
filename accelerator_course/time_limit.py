"""Time limit: how long a learner's code, or the keys of a stranger's questions, may run, and how much it may print."""

import _thread
import contextlib
import os
import signal
import sys
import sysconfig
import threading
import time
from pathlib import Path

SECONDS = 20  # for one call: on a slow machine the slowest worked solution takes a tenth
LETTERS = 20_000  # printed during one check
LIBRARY = (str(Path(os.__file__).parent), sysconfig.get_path("purelib"), str(Path(__file__).parent), "<frozen")


class TooLong(Exception):
    """A call that did not return in time."""


@contextlib.contextmanager
def limited(seconds=None):
    """Raise TooLong in a block that takes longer, on any system; outside the main thread nothing is limited, and a call
    that stays in C, `sum(range(10**11))`, is interrupted when it returns.
    The interrupt is the one that *Kernel > Interrupt* sends; one that the reader sends passes through."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    late = threading.Event()
    end = _alarm(SECONDS if seconds is None else seconds, late)
    try:
        yield
        end()
    except KeyboardInterrupt:
        if late.is_set():
            raise TooLong from None
        raise
    finally:
        end()


def attempt(do, otherwise):
    """What `do()` gives; `otherwise` where it fails in whatever way, or takes too long."""
    try:
        with limited():
            return do()
    except KeyboardInterrupt:
        raise
    except BaseException:  # an object of the learner's may raise SystemExit when it is looked at
        return otherwise


def _alarm(seconds, late):
    """Interrupt the main thread after a time; returns what ends the wait."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # begun in the background of a shell: no interrupt arrives
        return _clock(seconds, late)

    def stop():
        late.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    try:
        timer.start()
    except RuntimeError:  # Python in a browser has one thread
        return _clock(seconds, late)
    return timer.cancel


def _clock(seconds, late):
    """The same without a second thread: the time is looked at with every line that the learner's own code runs."""
    begin, before = time.monotonic(), sys.gettrace()

    def line(frame, event, argument):
        if time.monotonic() - begin > seconds:
            late.set()
            raise KeyboardInterrupt
        return line

    sys.settrace(lambda frame, event, argument: None if frame.f_code.co_filename.startswith(LIBRARY) else line)
    return lambda: sys.settrace(before)


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
