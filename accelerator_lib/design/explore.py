"""Explore: all designs of a grid, races of searches on it, and what each knob is worth.

grid(watts=700)                 every design of an open grid: legal ones, the best, the front
race("evolution", seed=1)       a front that grows, state by state
search(slices=52)               ten million designs, compiled, on all devices there are; one_by_one() without
elasticities(design)            percent of score for a percent of each knob, smooth or as built
"""

from accelerator_lib.design.elasticities import elasticities, stepped
from accelerator_lib.design.grid import grid
from accelerator_lib.design.race import race
from accelerator_lib.design.sharded import one_by_one, search

__all__ = ["elasticities", "grid", "one_by_one", "race", "search", "stepped"]
