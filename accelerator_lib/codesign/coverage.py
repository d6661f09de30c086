"""Coverage: a chip that is fast at most of a job, and what becomes of the rest.
    time after / time before = share / speed-up + (1 - share) x fallback
    break-even fallback      = (1 - share / speed-up) / (1 - share)
`fallback`: how many times longer the rest takes on the host than on the GPU before, copies counted; no overlap.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.signature import Number, OneOf, Share, Single, checked

Factor, Months = Number(low=0.01, high=1e6), Number(low=0, high=1e3)
# Illustrations, declared here: where the time of three jobs goes on a GPU, in shares of one.
KINDS = ("matrix products", "element-wise steps", "norms and softmax", "lookups and sampling")
JOBS = {
    "answering with a language model": (0.82, 0.06, 0.11, 0.01),
    "painting by diffusion": (0.70, 0.14, 0.15, 0.01),
    "neural rendering": (0.46, 0.12, 0.02, 0.40),
}
MONTHS = (2.0, 1.0, 3.0, 6.0)  # of work until a kind runs well, declared here, too
ORDERS = ("products first", "lookups first", "shortest first", "most time for each month first")


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


def order(name, kind):
    """Indices of KINDS in the order in which the software is written."""
    gains = [-share / months for share, months in zip(JOBS[name], MONTHS, strict=True)]
    first = dict(zip(ORDERS, ((0, 1, 2, 3), (0, -1, -2, -3), MONTHS, gains), strict=True))[kind]
    return sorted(range(len(KINDS)), key=first.__getitem__)


@checked
def enabled(name: OneOf(JOBS), kind: OneOf(ORDERS), months: Months, speedup: Factor = 10.0, fallback: Factor = 5.0):
    """How many times faster than on the GPU, after so many months of writing software; scalars or arrays of months."""
    months, done = np.asarray(months, float), 0.0
    time = np.full(np.shape(months), fallback)
    for i in order(name, kind):
        done += MONTHS[i]
        time = time - np.where(months >= done, JOBS[name][i] * (fallback - 1 / speedup), 0.0)
    gain = 1 / time
    return gain.item() if np.ndim(gain) == 0 else gain
