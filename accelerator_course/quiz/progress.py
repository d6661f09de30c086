"""What the learner did, kept: a log of events in the user's data directory, one JSON line each.

A line is appended in one write, between line breaks: two notebooks may write, a torn line costs only itself. Nothing is
rewritten: beside a file that is damaged, or of a newer version, the next free name is used.
"""

import json
import os
import stat
import sys
import time
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import RLock
from weakref import WeakSet

import platformdirs

from accelerator_course import settings
from accelerator_course.quiz import glance, tail

HOME = "ACCELERATOR_COURSE_HOME"  # set it to keep the log elsewhere
FORMAT = {"kind": "format", "version": 1}
LARGEST = 20e6  # bytes of a file to restore; a year of answers is far below one million
listeners = WeakSet()  # whose `heard(event)` is called with every event that is recorded here
SELF = os.urandom(8).hex()  # this kernel, among those that read one page
again = False  # whether what comes now was recorded before: a page that is read anew tells it once more
_turn = RLock()  # JupyterLab hands messages of widgets to more than one thread of the kernel
_waiting = []  # what could not be written yet: kept in memory, written with the next event


def folder():
    """Where the log is kept; a reader of a page that others read too finds nothing of theirs."""
    if apart := os.environ.get(settings.APART):
        return Path(apart) / SELF
    return Path(os.environ.get(HOME) or platformdirs.user_data_dir("accelerator-course", appauthor=False))


def path():
    """The log in use; its folder is made when first written."""
    return _survey()[0]


def set_aside():
    """[(file, reason)] of logs that cannot be used and were left untouched."""
    return _survey()[1]


def _survey():
    """(the first log that can be used, [(file, reason) of those before it])."""
    aside = []
    for number in range(1, 1000):
        file = folder() / ("answers.jsonl" if number == 1 else f"answers-{number}.jsonl")
        reason = _unusable(file)
        if not reason:
            return file, aside
        aside.append((file, reason))
    raise OSError(f"no usable log among 999 files in {folder()}")


def _unusable(file):
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            return "it is no file"  # to open a pipe would be to wait for ever
        if not about.st_size:
            return ""
    except OSError:  # not there yet, or the folder says no: then writing says so
        return ""
    try:
        log = tail.of(file)
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    if log.version > FORMAT["version"]:
        return f"it was written by a newer version of the course (format {log.version})"
    return "" if log.records else "it is damaged: not one line can be read"


def record(event):
    """Append an event (a dict of plain values) with its time; True if it is safely stored, False if it could not be."""
    stored = again or _append([{"time": round(time.time(), 3), **_drawn(), **event}])
    for listener in list(listeners):
        listener.heard(event)
    return stored


def _drawn():
    """What tells a new log from others that begin in the same moment: its first record holds it."""
    with suppress(OSError):
        return {} if path().exists() else {"log": SELF}
    return {}


def _append(new):
    for event in new:
        tail.line(event)  # what JSON does not know is refused before it could stop what comes after
    with _turn:
        return _written(new)


def _written(new):
    _waiting.extend(new)
    try:
        folder().mkdir(parents=sys.platform != "emscripten", exist_ok=True)  # beside its drive a browser forgets all
        file = path()
        head = [] if file.exists() else [FORMAT]
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            text = b"".join(b"\n%b\n" % tail.line(event) for event in (*head, *_waiting))
            if os.write(handle, text) < len(text):
                return False  # a full disk took a part: the torn line is passed over, the events wait
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        return False
    _waiting.clear()
    return True


def events(kind=None):
    """What is kept and still counts (tail.py; `save` has all), in the order of time, and what is waiting for a disk."""
    kept = {}
    with suppress(OSError):
        kept = tail.of(path()).records
    once = kept | {tail.key(tail.line(event)): event for event in _waiting}  # a retried write may leave a line twice
    return [e for e in tail.in_time(once.values()) if e.get("kind") != "format" and kind in (None, e.get("kind"))]


def left_out():
    """How many records of the log in use are not counted, and stay in the file: a field is not what its kind holds."""
    with suppress(OSError):
        return tail.of(path()).odd
    return 0


def _everything():
    seen = set()
    try:
        for event in chain(tail.everything(path()), _waiting):
            if not tail.format_of(event) and _canonical(event) not in seen:
                seen.add(_canonical(event))
                yield event
    except OSError:  # nothing is written yet
        yield from _waiting


def _canonical(event):
    return tail.key(json.dumps(event, sort_keys=True).encode())


def save():
    """The whole log as text: what `restore` takes on another machine."""
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in chain([FORMAT], _everything()))


def restore(text):
    """Add the events of a saved log: (how many were new, how many were left out because of an odd field). Raises
    ValueError where the file is none, is too large or too new; OSError where it could not be stored."""
    if len(text) > LARGEST:
        raise ValueError(f"this file has {len(text) / 1e6:.0f} MB; a saved progress has at most {LARGEST / 1e6:.0f} MB")
    found = [glance.one(line) for line in text.split("\n")]  # not splitlines: a text may hold other separators
    given = [event for event, _ in found if event is not None and "kind" in event]
    if not any(map(tail.format_of, given)):
        raise ValueError("this is not a saved progress of this course: choose the file that Download gave you")
    if max(map(tail.format_of, given)) > FORMAT["version"]:
        raise ValueError("this progress was saved by a newer version of the course; update the course to restore it")
    here = set(map(_canonical, _everything()))
    new = {_canonical(event): event for event in given if not tail.format_of(event)}
    new = [event for key, event in new.items() if key not in here]
    if new and not _append(new):
        raise OSError(f"the folder {folder()} cannot be written")
    return len(new), sum(odd for _, odd in found)
