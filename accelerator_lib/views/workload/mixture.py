"""One MLP for all tokens against experts that share them."""

import numpy as np

from accelerator_lib.units import counted, number
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves
from accelerator_lib.workload import mixture


class Experts(Curves):
    """FLOP for every byte over the batch: one MLP for all tokens against experts that share them."""

    def __init__(self, tokens=(1, 16_384)):
        super().__init__(
            ["experts", "one MLP for all"], "tokens at once", "FLOP per byte", tokens, (0.5, 16_384), log="xy"
        )
        style.plain(self.ax.yaxis)
        self.tokens = np.unique(np.geomspace(*tokens, 100).round())

    def show(self, result):
        """`result`: (settings of mixture.experts without tokens, Experts at the slider)."""
        settings, here = result
        dense = {**settings, "count": 1, "chosen": 1}
        curves = [mixture.experts(self.tokens, **s).intensity for s in (settings, dense)]
        one = mixture.experts(here.tokens, **dense)
        self.draw(self.tokens, curves, here.tokens, [here.intensity, one.intensity])
        return (
            f"{counted(here.tokens, 'token')} wake{'s' * (here.tokens == 1)} {number(here.touched)} of "
            f"{settings['count']} experts: {number(here.intensity)} "
            f"FLOP per byte, where one MLP for all would do {number(one.intensity)}."
        )
