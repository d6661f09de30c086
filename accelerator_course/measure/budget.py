"""Budget: the seconds of a session, dealt out to its groups; what one group leaves goes to those after it.

budget = Budget(50, {"products": 4, "streams": 3})
budget.open("products")        until 4/7 of what is left has passed
budget.allows(0.2)             whether work of 0.2 s would end in time
"""

import time

from accelerator_lib.checks.inputs import one_of, real


class Budget:
    """Seconds for groups by weight, in the order in which they are opened; `clock` gives the time [s]."""

    def __init__(self, seconds, weights, clock=time.monotonic):
        self.seconds, self.clock = real("seconds", seconds, 0.1, 3600, "s"), clock
        self.weights, self.begin = dict(weights), clock()
        self.end = self.begin

    @property
    def left(self):
        """Seconds of the whole session that are left, 0 at least."""
        return max(0.0, self.begin + self.seconds - self.clock())

    def share(self, name):
        """Seconds that a group would get if it were opened now."""
        return self.left * self.weights[one_of("group", name, self.weights)] / sum(self.weights.values())

    def open(self, name):
        """Begin a group; returns its seconds."""
        share = self.share(name)
        self.end = self.clock() + share
        del self.weights[name]
        return share

    def allows(self, seconds):
        """Whether work of so many seconds would end before the group's time does."""
        return self.clock() + seconds <= self.end


def spread_out(count):
    """0 .. count - 1, ends first and then by halves: wherever one stops, what is done lies evenly."""
    order, seen = [], set()
    step = 1 << max(0, (count - 1).bit_length())
    while step:
        for place in [*range(0, count, step), count - 1][: count + 1]:
            if 0 <= place < count and place not in seen:
                seen.add(place)
                order.append(place)
        step //= 2
    return order
