"""Scratchpad: a store that the program fills itself, beside a cache that evicts what was used longest ago.

cyclic walk, LRU cache    all passes but the first hit, or none: it throws each line out just before its next use
cyclic walk, scratchpad   keeps as much as fits, and never evicts
"""

from accelerator_lib.inputs import real, share, whole


def hit_rates(array_bytes, capacity_bytes, passes):
    """Hit rates of `passes` walks over an array: (LRU cache, scratchpad that keeps as much as fits and never evicts).

    For a cyclic walk LRU throws each line out just before it is needed again: all or nothing."""
    array, room = real("array_bytes", array_bytes), real("capacity_bytes", capacity_bytes)
    later = 1 - 1 / whole("passes", passes)
    kept = share("kept", min(1.0, room / array))
    return (later if array <= room else 0.0), later * kept
