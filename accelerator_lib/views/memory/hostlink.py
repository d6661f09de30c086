"""A card behind a link, or unified memory."""

import numpy as np

from accelerator_lib.memory import hostlink
from accelerator_lib.units import counted, si
from accelerator_lib.views.lines import Curves


class Placement(Curves):
    """One job on a card behind a link and on a chip with unified memory, over how often it reads its data."""

    def __init__(self, passes=(1, 10_000)):
        names = ["card: there and back, then read fast", "unified: read where it lies"]
        super().__init__(names, "passes over the data", "time [s]", passes, (1e-6, 1e4), log="xy")
        self.passes = np.geomspace(*passes, 80)

    def show(self, result):
        """`result`: (settings of hostlink.place_job without passes, passes)."""
        settings, passes = result
        curve, here = (hostlink.place_job(passes=p, **settings) for p in (self.passes, passes))
        parts = [curve.discrete, curve.unified_reading], [here.discrete, here.unified_reading]
        self.draw(self.passes, parts[0], passes, parts[1])
        faster = "The card" if here.discrete < here.unified_reading else "Unified memory"
        return (
            f"{counted(passes, 'pass', 'passes')}: {si(here.discrete, 's')} on the card, {si(here.moving, 's')} of it "
            "on the link; "
            f"{si(here.unified_reading, 's')} in unified memory. {faster} is faster."
        )
