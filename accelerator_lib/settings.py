"""Settings: what the environment says.

ACCELERATOR_COURSE_SHORT=1     brief measurements and short films, as the tests use them
ACCELERATOR_COURSE_OPEN=1      no picture waits for a prediction, as the tests want it
ACCELERATOR_COURSE_HOME        where progress is kept
"""

import os


def short():
    """Whether measurements are to be brief."""
    return os.environ.get("ACCELERATOR_COURSE_SHORT") == "1"


def uncovered():
    """Whether pictures are seen before their predictions are answered."""
    return os.environ.get("ACCELERATOR_COURSE_OPEN") == "1"
