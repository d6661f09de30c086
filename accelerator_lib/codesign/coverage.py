"""Coverage: a chip that is fast at most of a job, and what becomes of the rest.
    time after / time before = share / speed-up + (1 - share) x fallback
    break-even fallback      = (1 - share / speed-up) / (1 - share)
`fallback`: how many times longer the rest takes on the host than on the GPU before, copies counted; no overlap.
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Number, Share, Single, checked

Factor = Number(low=0.01, high=1e6)


@dataclass(frozen=True)
@checked
class Coverage:
    """A job that took 1 on the GPU: what it takes on a chip that runs a share of it faster, and on its host."""

    share: Single(Share) = 0.98  # of the time before, that the chip runs
    speedup: Single(Factor) = 10.0
    fallback: Single(Factor) = 1.0
    chip = property(lambda self: self.share / self.speedup)
    host = property(lambda self: (1 - self.share) * self.fallback)
    time = property(lambda self: self.chip + self.host)
    gain = property(lambda self: 1 / self.time)  # how many times faster the whole is; below 1: slower
    break_even = property(lambda self: (1 - self.chip) / (1 - self.share) if self.share < 1 else None)
    host_share = property(lambda self: self.host / self.time)  # of the time after


covered = Coverage


@dataclass(frozen=True)
class Better:
    """Two changes, each of a share of the time: how many times as fast the whole is with each, and which is better."""

    one: float
    other: float
    gain = property(lambda self: max(self.one, self.other))
    worse = property(lambda self: min(self.one, self.other))
    better = property(lambda self: "one" if self.one > self.other else "other")


@checked
def better(one: Single(Share), one_factor: Single(Factor), other: Single(Share), other_factor: Single(Factor)):
    """Better of two changes: each makes a share of the time so many times faster."""
    return Better(covered(one, one_factor).gain, covered(other, other_factor).gain)


@checked
def lines_by_hand(lines: Number(low=0), rewritten: Single(Share), renamed: Single(Share), by_hand: Single(Share) = 0.0):
    """Lines of a program that somebody must write: those that are rewritten, and of those renamed a share."""
    return lines * (rewritten + renamed * by_hand)
