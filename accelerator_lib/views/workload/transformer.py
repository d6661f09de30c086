"""The parts of a transformer's FLOP."""

import numpy as np

from accelerator_lib.units import counted, percent, si
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves
from accelerator_lib.workload import transformer


class TransformerFlops(Curves):
    """The parts of a transformer's FLOP over the number of tokens."""

    def __init__(self, tokens=(1, 131_072)):
        names = ["projections", "MLP", "attention scores"]
        super().__init__(names, "tokens", "share of the FLOP", tokens, (0, 1))
        style.percents(self.ax.yaxis)
        self.tokens = np.unique(np.geomspace(*tokens, 120).round())
        self.total = style.moving(style.label(self.ax, x=tokens[0] * 1.3, y=0.06, fontweight="bold", size=12))

    def show(self, result):
        """`result`: (settings of transformer.flops without tokens, TransformerFlops at the slider)."""
        settings, here = result
        curve = transformer.flops(self.tokens, **settings)
        parts = [[f.projections / f.total, f.mlp / f.total, f.scores / f.total] for f in (curve, here)]
        self.draw(self.tokens, parts[0], here.tokens, parts[1])
        self.total.set_text(f"{si(here.total, 'FLOP')} in all")
        return (
            f"{counted(here.tokens, 'token')}: {si(here.total, 'FLOP')}, and the scores take "
            f"{percent(here.scores_share)} of them. "
            f"The MLP takes {percent(here.mlp / here.total)}, the projections {percent(here.projections / here.total)}."
        )
