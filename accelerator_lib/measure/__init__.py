"""Measure: microbenchmarks of the reader's machine in a file, and that file beside the models.

    python -m accelerator_lib.measure --out mine.json
    mine = measure.load("mine.json")           frozen records in base units
    mine.rows()                                the same as published rows, basis "measured here"
    measure.judged(mine)                       each beside its prediction (validation)
    measure.overlay(mine, 3)                   what views.measure.Yours draws

session       one run through the plan         plan          which cases, how large        budget   the seconds
kernels       what is run                      device        what the machine says of itself
file          JSON, checked where it is read   mine          the records, and the chip
rows          as published rows                judging       model against measurement     overlay  for pictures
"""

from accelerator_lib.measure.file import BadFile, load
from accelerator_lib.measure.mine import Measurement, Mine
from accelerator_lib.measure.overlay import Overlay, Picked, overlay
from accelerator_lib.measure.session import Session

__all__ = ["BadFile", "Measurement", "Mine", "Overlay", "Picked", "Session", "errors", "judged", "load", "overlay"]


def __getattr__(name):
    """Judging asks for every chapter's models, so only when it is wanted."""
    if name in ("errors", "judged"):
        from accelerator_lib.measure import judging

        return getattr(judging, name)
    raise AttributeError(f"module 'accelerator_lib.measure' has no attribute {name!r}")
