"""Settings: what the environment says. ACCELERATOR_COURSE_SHORT=1: measurements are brief, as tests want them."""

import os

SHORT = "ACCELERATOR_COURSE_SHORT"


def short():
    """Whether measurements are to be brief."""
    return os.environ.get(SHORT) == "1"
