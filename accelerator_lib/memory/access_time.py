"""Access time: what one access costs on average, when it may be found in any of several levels.

average = L1 + misses1 x (L2 + misses2 x memory)        hit rates are local to each level
"""

from accelerator_lib.inputs import real, share


def amat(levels, final):
    """Average memory access time in the latencies' unit: levels [(latency, local hit rate), ...], then `final`."""
    time, reach = 0.0, 1.0
    pairs = isinstance(levels, (list, tuple)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in levels
    )
    if not pairs:
        raise TypeError(f"levels must be pairs such as [(4, 0.9), (14, 0.8)]: latency and hit rate; got {levels!r}")
    for latency, hit_rate in levels:
        time += reach * real("latency", latency, low=0)
        reach *= 1 - share("hit_rate", hit_rate)
    return time + reach * real("final", final, low=0)
