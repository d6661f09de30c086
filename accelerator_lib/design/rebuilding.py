"""Rebuilding: a printed figure is multiplied out in front of the reader, one factor a frame.

units -> x multiply-accumulates of one -> x 2 -> x clock -> beside the figure in print -> what does not hold
"""

from dataclasses import dataclass
from functools import cache

from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.design import forensics
from accelerator_lib.design.forensics import Claim


@dataclass(frozen=True)
class Factor:
    """One factor of a part: `what` is units, macs, two, clock, each, or watts (which divide)."""

    part: int
    what: str
    value: float | None
    product: float | None  # with all factors of its part up to here; None where this one is unknown


@dataclass(frozen=True)
class Frame:
    """One figure with the factors shown so far; `found` once it is judged; `done`: the figures before it, judged."""

    number: int  # counts figures from 1
    of: int
    claim: Claim
    factors: tuple
    found: tuple | None
    done: tuple

    @property
    def rebuilt(self):
        """What the parts give, once all of their factors are shown and known."""
        return self.claim.rebuilt if len(self.factors) == len(factors(self.claim)) else None


@cache
def factors(claim):
    """All Factor of a claim, or of its id, in order."""
    claim = forensics.claim(claim)
    found = []
    for i, part in enumerate(claim.parts):
        values = {"units": part.units, "macs": part.macs, "two": 2, "clock": part.clock_hz}
        if part.each is not None:
            values = {"units": part.units, "each": part.each} if part.units > 1 else {"each": part.each}
        if part.macs == 1:
            del values["macs"]
        product = 1
        for what, value in values.items():
            product = None if value is None else product * value
            found.append(Factor(i, what, value, product))
    if claim.watts:
        found.append(Factor(len(claim.parts) - 1, "watts", claim.watts, claim.rebuilt))
    return tuple(found)


@checked
def steps(
    only: Given(
        "a Claim, its id, or all", lambda id: id if isinstance(id, str) and id == "all" else forensics.claim(id)
    ) = "all",
):
    """Yield Frame: every claim (or only one) first alone, then factor by factor, then judged."""
    claims, done = tuple(forensics.claims().values()) if isinstance(only, str) else (only,), ()
    for number, claim in enumerate(claims, 1):
        chain = factors(claim)
        for shown in range(len(chain) + 1):
            yield Frame(number, len(claims), claim, chain[:shown], None, done)
        found = forensics.audit(claim)
        yield Frame(number, len(claims), claim, chain, found, done)
        done = (*done, (claim, found))
