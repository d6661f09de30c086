"""Served: what a request asked for, and what its user saw of it.

TTFT         time to first token: from the arrival of the request to its first token
TPOT         time per output token: the mean time from one token to the next, after the first
longest gap  the longest of these times
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from accelerator_lib.checks.signature import Count, Number, Single, checked

Length = Count(high=10**7)


@dataclass(frozen=True)
@checked
class Request:
    """A user's request: when it arrives [s], tokens of its prompt, tokens of its answer."""

    arrival: Single(Number(low=0, high=1e12, unit="s"))
    prompt: Length
    output: Length


@dataclass(frozen=True)
class Served:
    """A request after some steps."""

    request: Request
    log: list = field(repr=False)  # when each token was made [s]; shared with later states, which have more of them
    made: int
    preempted: int  # how often it lost its cache

    @property
    def times(self):
        """When each token so far was made [s]."""
        return tuple(self.log[: self.made])

    @property
    def done(self):
        """Whether its last token is made."""
        return self.made == self.request.output

    @property
    def ttft(self):
        """Time to first token [s]; None before it."""
        return self.log[0] - self.request.arrival if self.made else None

    @property
    def tpot(self):
        """Mean time per output token after the first [s]; None before the second."""
        return (self.log[self.made - 1] - self.log[0]) / (self.made - 1) if self.made > 1 else None

    @property
    def gaps(self):
        """Times from token to token [s]."""
        return tuple(b - a for a, b in pairwise(self.times))

    @property
    def longest_gap(self):
        """The longest time from a token to the next [s]; None before the second."""
        return max(self.gaps, default=None)


@dataclass(frozen=True, eq=False)
class State:
    """One step of a scheduler: what was done in it, and how things stood when its tokens were made."""

    step: int  # counted from 1
    began: float  # [s]; later than the step before where nobody was there
    time: float  # [s] at its end
    requests: tuple
    logs: tuple = field(repr=False)  # of each request: see Served.log
    made: tuple  # tokens of each request so far
    lost: tuple  # how often each has lost its cache
    work: dict  # {request: its tokens in this step}, in order
    held: tuple  # (request, its blocks) of those that ran, oldest first
    waiting: tuple  # requests that have arrived and do not run, in order
    preempted: tuple  # requests that lost their blocks in this step
    cached: tuple  # tokens in the cache of each request, after the step
    blocks: int
    block: int  # tokens
    slots: int

    @cached_property
    def served(self):
        """A Served of each request."""
        return tuple(map(Served, self.requests, self.logs, self.made, self.lost))

    @property
    def owner(self):
        """{block: the request that owned it during the step}."""
        return {page: request for request, pages in self.held for page in pages}

    @property
    def free(self):
        """Blocks that nobody owned during the step."""
        return self.blocks - sum(len(pages) for _, pages in self.held)
