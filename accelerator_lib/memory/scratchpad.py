"""Scratchpad: a store that the program fills itself, beside a cache that evicts what was used longest ago.

cyclic walk, LRU cache    all passes but the first hit, or none: it throws each line out just before its next use
cyclic walk, scratchpad   keeps as much as fits, and never evicts
"""

import numpy as np

from accelerator_lib.checks.signature import Bytes, Whole, checked


@checked
def hit_rates(array_bytes: Bytes, capacity_bytes: Bytes, passes: Whole()):
    """Hit rates of `passes` walks over an array: (LRU cache, scratchpad that keeps as much as fits and never evicts).

    For a cyclic walk LRU throws each line out just before it is needed again: all or nothing."""
    later = 1 - 1 / passes
    fits = np.minimum(1.0, capacity_bytes / array_bytes)
    return later * (fits == 1), later * fits
