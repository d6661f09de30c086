"""Yours: the file of  python -m accelerator_lib.measure  where there is one, else a few seconds of the same here.

*_, last = yours("mine.json")       last.result is a measure.Mine
"""

from pathlib import Path

from accelerator_lib import settings
from accelerator_lib.machine.progress import Progress
from accelerator_lib.measure.file import load, read
from accelerator_lib.measure.session import Session

SECONDS = 8.0  # of a session without a file


def yours(path="mine.json", session=Session, seconds=None):
    """Yield Progress, the last with the Mine of the file at `path`; of a brief session where there is no such file."""
    if Path(path).exists():
        yield Progress(1.0, f"read from {path}", load(path))
        return
    running = session(seconds or (None if settings.short() else SECONDS))
    for progress in running.steps():
        if progress.result is None:
            yield progress
    yield Progress(1.0, "done", read(running.content()))
