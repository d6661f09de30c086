"""What the learner did, kept: a log of answers in the user's data directory, one JSON line each.

A line is appended in a single write and begins and ends with a line break, so two notebooks may write at once, and a
line that a crash tore off costs nothing but itself. Nothing is ever rewritten.
"""

import json
import os
import time
from pathlib import Path

import platformdirs

HOME = "ACCELERATOR_COURSE_HOME"  # set it to keep the log elsewhere


def path():
    """The log file; its folder is made when first written."""
    folder = os.environ.get(HOME) or platformdirs.user_data_dir("accelerator-course", appauthor=False)
    return Path(folder) / "answers.jsonl"


def record(event):
    """Append an event (a dict of plain values) with its time; True if it is safely stored, False if it could not be."""
    line = json.dumps({"time": round(time.time(), 3), **event}, ensure_ascii=False)
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path(), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"\n{line}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def events(kind=None):
    """Everything recorded, oldest first; lines that cannot be read are passed over. [] where nothing was kept."""
    try:
        lines = path().read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and kind in (None, event.get("kind")):
            found.append(event)
    return found
