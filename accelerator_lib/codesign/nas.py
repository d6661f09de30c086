"""NAS: choosing a network for a device: a reward that weighs accuracy against time, and the front that is left.

    reward = accuracy x (latency / target)^w      w = alpha up to the target, beta above it
    front  = what nothing else beats in both: more accurate and no slower, or faster and no worse

With alpha = beta the target only scales all rewards alike. Ignored: what training a candidate costs, and that a
latency has a spread. Source: "MnasNet: Platform-Aware Neural Architecture Search for Mobile", 2018.
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Count, Given, Number, OneOf, Positive, Single, checked
from accelerator_lib.codesign.mobile import PHONES, measured

ACROSS = {f"ms on {name}": phone for phone, name in PHONES.items()} | {"multiply-adds": "pixel1"}
Weight = Number(low=-10, high=0)


@checked
def nas_reward(accuracy: Positive, latency: Positive, target: Positive, w: Weight = -0.07, beta: Weight = None):
    """Reward of a network in the unit of its accuracy; latency and target in one unit. Scalars or arrays.

    w is the exponent up to the target (the paper's alpha), beta the one above it; without beta, w counts everywhere.
    """
    above = w if beta is None else beta
    ratio = np.asarray(latency) / target
    reward = accuracy * ratio ** np.where(ratio <= 1, w, above)
    return reward.item() if np.ndim(reward) == 0 else reward


def _points(value):
    try:
        points = np.asarray(value, float)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all() or len(points) > 10**6:
        raise ValueError(f"points must be up to a million pairs (large is good, small is good), not {described(value)}")
    return points


Points = Given("pairs (large is good, small is good)", _points)


@checked
def pareto(points: Points):
    """Indices of the points that no other beats: first coordinate large, second small; ordered by the second.

    Of equal points the first stays.
    """
    order = np.lexsort((np.arange(len(points)), -points[:, 0], points[:, 1]))
    front, best = [], -np.inf
    for index in order:
        if points[index, 0] > best:
            front.append(int(index))
            best = points[index, 0]
    return front


@dataclass(frozen=True, eq=False)
class Search:
    """After so many networks have been tried: which have arrived, the front among them, the best by the reward.

    news: what became of the last one: "joins the front", "beaten by another". pushed: those that it pushed off.
    """

    arrived: tuple  # Networks, in the order of their arrival
    costs: tuple  # of each on the axis: ms, or multiply-adds
    seconds: tuple  # of each on the phone [ms]
    front: tuple  # indices
    rewards: tuple
    best: int
    news: str
    pushed: tuple
    across: str
    target: float
    w: float
    beta: float
    total: int

    @property
    def over_time(self):
        """Whether the axis is the time that the reward weighs."""
        return self.across != "multiply-adds"

    @property
    def tied(self):
        """Indices of those whose reward is the best to within 1e-9 of it."""
        top = self.rewards[self.best]
        return tuple(i for i, reward in enumerate(self.rewards) if top - reward <= 1e-9 * top)

    def level(self, ms):
        """Accuracy [%] that is as good as the best one, at other times [ms]."""
        unit = nas_reward(1.0, ms, self.target, self.w, self.beta)
        return self.rewards[self.best] / unit


@checked
def arrive(
    across: OneOf(ACROSS) = "ms on Pixel 1", target: Single(Number(low=1, high=1e4, unit="ms")) = 80,
    w: Single(Weight) = -0.07, beta: Single(Weight) = -0.07, seed: Count(0, 2**31) = 39,
):  # fmt: skip
    """Yield a Search after each network; they come in an order that is shuffled once."""
    phone = ACROSS[across]
    found = measured(phone)
    coming = [found[i] for i in np.random.default_rng(seed).permutation(len(found))]
    arrived, costs, seconds, rewards, front = [], [], [], [], []
    for one in coming:
        arrived.append(one)
        seconds.append(one.ms[phone])
        costs.append(one.macs if across == "multiply-adds" else one.ms[phone])
        rewards.append(nas_reward(one.accuracy, one.ms[phone], target, w, beta))
        before, front = front, pareto([(a.accuracy, cost) for a, cost in zip(arrived, costs, strict=True)])
        newest = len(arrived) - 1
        pushed = tuple(sorted(set(before) - set(front)))
        news = "joins the front" if newest in front else "beaten by another"
        yield Search(
            tuple(arrived), tuple(costs), tuple(seconds), tuple(front), tuple(rewards), int(np.argmax(rewards)), news,
            pushed, across, target, w, beta, len(found),
        )  # fmt: skip


@checked
def winner(
    target: Single(Positive), w: Single(Weight) = -0.07, beta: Single(Weight) = None, phone: OneOf(PHONES) = "pixel1"
):
    """The Network with the best reward on a phone; of equals the faster."""
    return min(
        measured(phone),
        key=lambda one: (-round(nas_reward(one.accuracy, one.ms[phone], target, w, beta), 9), one.ms[phone]),
    )
