"""Access time: what one access costs on average, when it may be found in any of several levels.

average = L1 + misses1 x (L2 + misses2 x memory)        hit rates are local to each level
"""

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Given, NonNegative, Share, checked


def nearest_first(levels):
    """[(latency, local hit rate), ...], or one clear line."""
    good = isinstance(levels, (list, tuple)) and all(isinstance(p, (list, tuple)) and len(p) == 2 for p in levels)
    if not good:
        raise TypeError(
            f"levels must be pairs such as [(4, 0.9), (14, 0.8)]: latency and hit rate; got {described(levels)}"
        )
    return [(NonNegative("latency", latency), Share("hit_rate", hit_rate)) for latency, hit_rate in levels]


@checked
def amat(levels: Given("pairs of latency and hit rate", nearest_first), final: NonNegative):
    """Average memory access time in the latencies' unit: levels [(latency, local hit rate), ...], then `final`."""
    time, reach = 0.0, 1.0
    for latency, hit_rate in levels:
        time += reach * latency
        reach *= 1 - hit_rate
    return time + reach * final
