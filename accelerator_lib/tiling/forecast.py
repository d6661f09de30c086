"""Forecasts beside published speeds of products: every matrix moved once, or tiles with no cache behind them.

faster   how many published speeds lie above what tiles allow
off      the median factor between each forecast and what was published
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.roofline import typical

ROUNDING = 0.01  # of a published speed


@dataclass(frozen=True, eq=False)
class Forecast:
    """Speeds [FLOP/s] of several products, one array each: published, if every matrix moved once, in tiles."""

    edge: int  # of the square tile
    published: np.ndarray
    once: np.ndarray
    tiled: np.ndarray
    seen: bool = True  # whether what was published is shown

    @property
    def faster(self):
        """How many published products beat their own tiles: something behind the tiles must have helped."""
        return int((self.published > (1 + ROUNDING) * self.tiled).sum())

    @property
    def off(self):
        """Typical factors by which the two forecasts miss: every matrix once, tiles without a cache."""
        return typical(self.once, self.published), typical(self.tiled, self.published)
