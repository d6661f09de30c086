"""Divergence: where the lanes of a warp disagree it runs all their ways, one after the other.

    instructions = sum over the ways that any lane takes
    efficiency   = sum of lanes x instructions of each way / (32 x instructions)

Source: CUDA C++ Programming Guide, SIMT architecture.
"""

from accelerator_lib.checks.inputs import count
from accelerator_lib.checks.signature import Count, Given, checked
from accelerator_lib.gpu.arch import WARP_LANES

Instructions = Count(low=0, high=10**9)


def _ways(paths):
    """Pairs of whole numbers with at most 32 lanes in all, or one clear line."""
    if not isinstance(paths, (list, tuple)) or not all(isinstance(p, (list, tuple)) and len(p) == 2 for p in paths):
        wanted = "pairs of (lanes, instructions), such as [(31, 10), (1, 100)]"
        raise TypeError(f"paths must be {wanted}, not {paths!r:.40}")
    ways = [(count("lanes", lanes, 0, WARP_LANES), Instructions("instructions", length)) for lanes, length in paths]
    if sum(lanes for lanes, _ in ways) > WARP_LANES:
        raise ValueError(f"the paths have {sum(lanes for lanes, _ in ways)} lanes; a warp has {WARP_LANES}")
    return ways


Paths = Given("pairs of lanes and instructions", _ways)


@checked
def simt_cycles(paths: Paths):
    """Instructions that a warp issues for [(lanes, instructions)]: each way that any lane takes costs its length."""
    return sum(length for lanes, length in paths if lanes)


@checked
def simt_efficiency(paths: Paths):
    """Share of the lanes' slots that do useful work for [(lanes, instructions)]. Raises ValueError where none works."""
    issued = simt_cycles(paths)
    if not issued:
        raise ValueError("no lane takes any of the paths: there is nothing to divide by")
    return sum(lanes * length for lanes, length in paths) / (WARP_LANES * issued)


@checked
def branch_efficiency(lanes: Count(low=0, high=WARP_LANES), long: Instructions, short: Instructions):
    """Share of slots that work when so many lanes take a path of `long` instructions and all others one of `short`."""
    return simt_efficiency([(lanes, long), (WARP_LANES - lanes, short)])
