"""Hints: where a text's own counter is clearly worse than the worked solution's, what it says; the costliest first.

The rungs of each machine bring their counters, {name: (value, what is said)}, and estimate what each costs.
"""

from dataclasses import dataclass

CLEARLY = 1.25  # times the counter of the worked solution
MOST = 3  # hints at a time
WORTH = 0.05  # of the cost; less is not worth a word


@dataclass(frozen=True)
class Hint:
    """One counter at fault: what it says, the line (None: the whole kernel), cycles that it may cost."""

    counter: str
    text: str
    line: int | None
    lost: float


def counter(name, rung, made):
    """One counter of a Run of the scored case; the larger, the worse."""
    return rung.counters[name][0](rung, made)


def hints(rung, made):
    """The Hints for a Run of the scored case, the costliest first."""
    found = []
    for name, (value, told) in rung.counters.items():
        mine, par = value(rung, made), value(rung, rung.best)
        if mine > CLEARLY * par:
            said = told(rung, made, mine, par)
            found += [Hint(name, *said)] if said else []
    worth = [hint for hint in found if hint.lost > WORTH * rung.cost(made)]
    return tuple(sorted(worth, key=lambda hint: -hint.lost)[:MOST])


def near(rung, made):
    """A Hint for a kernel that misses the par, where no counter tells why."""
    short = rung.score(made) / rung.par - 1
    spared = "instructions" if rung.machine == "warp" and rung.scored == "cycles" else rung.scored
    text = f"{short:.1%} short of the par, and no counter tells why: look for single {spared} to spare."
    return Hint("near", text, None, 0.0)
