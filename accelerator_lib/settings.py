"""Settings: what the environment says.

ACCELERATOR_COURSE_SHORT=1     brief measurements and short films, as the tests use them
ACCELERATOR_COURSE_OPEN=1      no picture waits for a prediction, and none moves by itself, as the tests want it
ACCELERATOR_COURSE_HALL=1      for a lecture: questions are put to the vote, pictures have large type
ACCELERATOR_COURSE_PRINT=1     for a handout: what is folded is open
ACCELERATOR_COURSE_LIVE=1      for a page of the book: nothing is made for pages on which no widgets run
ACCELERATOR_COURSE_HOME        where progress is kept
ACCELERATOR_COURSE_APART       for a page that many read: each kernel keeps its own in a folder below this one
"""

import os
import sys

SHORT, HALL, PRINT = "ACCELERATOR_COURSE_SHORT", "ACCELERATOR_COURSE_HALL", "ACCELERATOR_COURSE_PRINT"
APART, LIVE = "ACCELERATOR_COURSE_APART", "ACCELERATOR_COURSE_LIVE"


def short():
    """Whether measurements are to be brief."""
    return os.environ.get(SHORT) == "1"


def uncovered():
    """Whether pictures are seen before their predictions are answered, and at rest."""
    return os.environ.get("ACCELERATOR_COURSE_OPEN") == "1"


def hall():
    """Whether the chapter is shown to a hall."""
    return os.environ.get(HALL) == "1"


def printed():
    """Whether the chapter goes on paper."""
    return os.environ.get(PRINT) == "1"


def live():
    """Whether the chapter is a page of the book."""
    return os.environ.get(LIVE) == "1"


def any_console():
    """From now on a console that lacks a sign prints a question mark for it, instead of a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
