"""Limits: what no new design may exceed, and what the brief asks.

a die          858 mm2: one exposure                    stacks   what finds room along two edges of a die (ch. 9)
links          900 GB/s, one direction                  heat     0.9 W/mm2
power          the brief's watts                        memory   1,024 chips must hold every job
"""

from typing import NamedTuple

from accelerator_lib.checks.signature import Given, Single, Watts, checked
from accelerator_lib.design.facts import facts
from accelerator_lib.design.machine import ADesign
from accelerator_lib.design.merit import AMix, Score, score
from accelerator_lib.silicon.hbm import hbm_sites
from accelerator_lib.silicon.wafer import FIELD_MM

STACKS = "memory stacks"


class Violation(NamedTuple):
    """One limit that a design exceeds."""

    limit: str
    value: float
    most: float
    unit: str

    def __str__(self):
        if self.limit == STACKS:
            return f"{self.limit}: {self.value:,.4g}, room for {self.most:,.4g} along the edges of its die"
        if self.unit == "of them":
            return self.limit
        return f"{self.limit}: {self.value:,.4g} {self.unit}, at most {self.most:,.4g}"


def sites(area_mm2, dies=1):
    """Memory stacks that find room along both free edges of dies 26 mm wide: [whole number].

    Dies that are joined at their long edges have their short ones free, at most 26 mm (chapter 9).
    """
    edge = max(area_mm2 / dies / min(FIELD_MM), 0.1)
    return dies * hbm_sites(min(edge, 1e4 if dies == 1 else min(FIELD_MM)))


def _score(given):
    if not isinstance(given, Score):
        raise TypeError(f"found must be what merit.score returns, not {type(given).__name__} {given!r:.40}")
    return given


@checked
def limits(
    design: ADesign, watts: Single(Watts) = 700.0, mix: AMix = None, found: Given("a Score", _score) = None
):  # fmt: skip
    """Every limit as a Violation, kept or not: (limit, value, most). `found`: the Score, where it is known."""
    known = facts()
    found = found or score(design, mix)
    missing = [name for name, result in found.results.items() if not result.fits]
    return (
        Violation("die", found.area_mm2 / design.dies, known.die_mm2, "mm²"),
        Violation(STACKS, design.stacks, sites(found.area_mm2, design.dies), "of them"),
        Violation("links", design.link_bytes_per_s / 1e9, known.most_link_bytes_per_s / 1e9, "GB/s"),
        Violation("heat", found.watts / found.area_mm2, known.cooled_w_per_mm2, "W/mm²"),
        Violation("power", found.watts, watts, "W"),
        Violation("jobs that 1,024 chips cannot hold" + (f" ({', '.join(missing)})" if missing else ""),
                  len(missing), 0, "of them"),
    )  # fmt: skip


@checked
def violations(design: ADesign, watts: Single(Watts) = 700.0, mix: AMix = None):
    """The limits that a design exceeds: a tuple of Violation, empty for a legal one."""
    return tuple(limit for limit in limits(design, watts, mix) if limit.value > limit.most)
