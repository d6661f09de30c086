"""What the learner did, kept: a log of events in the user's data directory, one JSON line each.

    record({"kind": "answer", ...})    append one event; False where it could not be stored
    events("answer")                   what is kept, oldest first
    save(), restore(text)              the whole log as a file to download, and back
    left_out()                         how many records are not counted, because a field is not what fields.py says

A line is appended in a single write and begins and ends with a line break, so two notebooks may write at once, and a
line that a crash tore off, or whose fields are not what its kind holds, costs nothing but itself. Nothing is ever
rewritten: a file of which nothing can be read, or one that a newer version of the course wrote, is left as it is, and
the next free name is used beside it.
"""

import json
import os
import time
from functools import lru_cache
from pathlib import Path
from weakref import WeakSet

import platformdirs

from accelerator_lib.quiz import fields

HOME = "ACCELERATOR_COURSE_HOME"  # set it to keep the log elsewhere
FORMAT = {"kind": "format", "version": 1}
LARGEST = 20e6  # bytes of a file to restore; a year of answers is far below one million
listeners = WeakSet()  # whose `heard(event)` is called with every event that is recorded here
_waiting = []  # what could not be written yet: kept in memory, written with the next event


def folder():
    """Where the log is kept."""
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
    """Why a log cannot be used; empty where it can, or is not there yet."""
    try:
        if not file.stat().st_size:
            return ""
    except OSError:  # not there yet, or the folder says no: then writing says so
        return ""
    try:
        lines, _ = _lines(file)
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    version = max((_version(event) for event in lines), default=0)
    if version > FORMAT["version"]:
        return f"it was written by a newer version of the course (format {version})"
    return "" if lines else "it is damaged: not one line can be read"


def _version(event):
    return event.get("version", 0) if event.get("kind") == "format" else 0


def record(event):
    """Append an event (a dict of plain values) with its time; True if it is safely stored, False if it could not be."""
    stored = _append([{"time": round(time.time(), 3), **event}])
    for listener in list(listeners):
        listener.heard(event)
    return stored


def _append(new):
    _waiting.extend(new)
    try:
        folder().mkdir(parents=True, exist_ok=True)
        file = path()
        head = [] if file.exists() else [FORMAT]
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            text = "".join(f"\n{json.dumps(event, ensure_ascii=False)}\n" for event in (*head, *_waiting))
            if os.write(handle, text.encode("utf-8", "replace")) < len(text.encode("utf-8", "replace")):
                return False  # a full disk took a part: the torn line is passed over, the events wait
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        return False
    _waiting.clear()
    return True


def events(kind=None):
    """Everything kept, in the order of time, and what is still waiting for a disk; unreadable lines are passed over."""
    try:
        kept, _ = _lines(path())
    except OSError:
        kept = []
    once = {_canonical(event): event for event in [*kept, *_waiting]}  # a retried write may have left a line twice
    found = [event for event in once.values() if event.get("kind") != "format"]
    return sorted((e for e in found if kind in (None, e.get("kind"))), key=_when)


def left_out():
    """How many records of the log in use are not counted, and stay in the file: a field is not what its kind holds."""
    try:
        return _lines(path())[1]
    except OSError:
        return 0


def _lines(file):
    stat = file.stat()
    return _read(file, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=4)
def _read(file, changed, size):
    """What _parse finds in a file as it stood then: parsed once, though an answer asks for them several times."""
    return _parse(file.read_text(encoding="utf-8", errors="replace"))


def _parse(text):
    """(events, how many records were left out) of a text: an event is a line that is one JSON object of plain values.

    Records whose fields are not what their kind holds are left out and counted; torn lines are passed over.
    """
    found, odd = [], 0
    for line in text.split("\n"):  # not splitlines: a learner's text may hold other separators
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and all(map(_plain, event.values())) and fields.sound(event):
            found.append(event)
        else:
            odd += isinstance(event, dict)
    return found, odd


def _plain(value):
    """Whether a value is a text, a number, a truth, nothing, or a list of these."""
    one = (str, int, float, bool, type(None))
    return isinstance(value, one) or (isinstance(value, list) and all(isinstance(part, one) for part in value))


def _when(event):
    when = event.get("time", 0)
    return when if fields.time(when) else 0  # of an unknown kind it may be anything


def _canonical(event):
    return json.dumps(event, sort_keys=True)


def save():
    """The whole log as text: what `restore` takes on another machine."""
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in (FORMAT, *events()))


def restore(text):
    """Add the events of a saved log to those kept here; nothing here is changed.

    Returns (how many were new, how many were left out because a field is not what its kind holds).
    Raises ValueError in one line where the file is none, is too large, or comes from a newer version; OSError where
    it could not be stored (the events are then kept in memory).
    """
    if len(text) > LARGEST:
        raise ValueError(f"this file has {len(text) / 1e6:.0f} MB; a saved progress has at most {LARGEST / 1e6:.0f} MB")
    found, odd = _parse(text)
    given = [event for event in found if "kind" in event]
    if not any(_version(event) for event in given):
        raise ValueError("this is not a saved progress of this course: choose the file that Download gave you")
    if max(map(_version, given)) > FORMAT["version"]:
        raise ValueError("this progress was saved by a newer version of the course; update the course to restore it")
    here = {_canonical(event) for event in events()}
    new = [e for e in {_canonical(e): e for e in given}.values() if _canonical(e) not in here and not _version(e)]
    if new and not _append(new):
        raise OSError(f"the folder {folder()} cannot be written")
    return len(new), odd
