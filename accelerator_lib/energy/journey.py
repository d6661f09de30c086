"""Journey: what a number of 16 bits pays on its way to the arithmetic, station by station.

    paid between two stations = price of the whole path from the first - price of the whole path from the second

Whole paths, measured on an A100: controllers, wires and the path through the caches are in the price.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.energy.costs import mac_pj
from accelerator_lib.energy.table import NUMBER_BITS, access

STATIONS = {"HBM": "a100_hbm", "L2": "a100_l2", "L1": "a100_l1"}  # from the farthest


@dataclass(frozen=True)
class Trip:
    """A number on its way: where it began, how many stations it has passed, whether it has been multiplied."""

    start: str
    at: str
    multiplied: bool = False

    @property
    def prices(self):
        """{station: pJ from there to the arithmetic}."""
        far = {name: access(level).pj_per_bit * NUMBER_BITS for name, level in STATIONS.items()}
        return {**far, "multiplier": 0.0}

    fetch_pj = property(lambda self: self.prices[self.start])  # of the whole trip
    paid_pj = property(lambda self: self.fetch_pj - self.prices[self.at])  # so far, for moving
    mac_pj = property(lambda self: mac_pj("fp16", accumulator="fp32"))  # of one multiply-add in fp16, its sum in fp32
    arithmetic_share = property(lambda self: self.mac_pj / (self.mac_pj + self.fetch_pj))


@checked
def travel(start: OneOf(STATIONS) = "HBM"):
    """Yield the Trip of a number at its start, at each station that it passes, and when it has been multiplied."""
    stations = [*STATIONS, "multiplier"]
    for at in stations[stations.index(start) :]:
        yield Trip(start, at)
    yield Trip(start, "multiplier", multiplied=True)


@checked
def share(start: OneOf(STATIONS) = "HBM"):
    """Share of the energy that one multiply-add takes, beside the whole trip of its weight."""
    return Trip(start, "multiplier").arithmetic_share
