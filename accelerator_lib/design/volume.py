"""Volume: a chip of one's own costs much before the first, and little for each; a bought one the other way round.

    all of them = once + units x dollars a unit          the same work, so units may differ from way to way
    break-even  = once / (dollars a bought unit - dollars a unit of one's own)

Left out: risk (a first chip that does not work costs the masks again), power, what a programmer costs on each.
"""

from dataclasses import dataclass

from accelerator_lib.checks.inputs import described
from accelerator_lib.checks.signature import Number, Single, Whole, checked

Dollars = Number(low=0, high=1e12, unit="dollars")
Units, Months = Whole(1, 10**9), Number(low=0, high=600)


@checked
def break_even_units(once: Single(Dollars), unit_usd: Single(Dollars), bought_usd: Single(Dollars)):
    """Units from which a design of one's own is cheaper than buying; None where a unit saves nothing."""
    saved = bought_usd - unit_usd
    return once / saved if saved > 0 else None


@checked
def total_usd(units: Units, once: Dollars, unit_usd: Dollars):
    """Dollars of so many units; scalars or arrays."""
    return once + units * unit_usd


@dataclass(frozen=True)
class Way:
    """One way to have the work done."""

    name: str
    once: float  # dollars
    unit: float  # dollars
    months: float  # until the first works
    total: float
    in_time: bool
    best: bool = False


@dataclass(frozen=True)
class Choice:
    """All ways for one number of units and one deadline; `best` of them is the cheapest in time."""

    units: int
    deadline: float
    ways: tuple

    @property
    def best(self):
        return next((way for way in self.ways if way.best), None)

    @property
    def cheapest(self):
        """Were there time for all."""
        return min(self.ways, key=lambda way: way.total)


@checked
def choose(ways, units: Single(Units), deadline: Single(Months)):
    """Choice among {name: (dollars once, dollars a unit, months)}. Raises ValueError where there is none."""
    if not isinstance(ways, dict) or not ways:
        raise ValueError(f"ways is a dict {{name: (dollars once, dollars a unit, months)}}; got {described(ways)}")
    found = []
    for name, given in ways.items():
        if not isinstance(given, (tuple, list)) or len(given) != 3:
            raise ValueError(
                f"ways[{name!r}] needs three numbers: dollars once, dollars a unit, months; got {described(given)}"
            )
        once, unit = Dollars(f"{name}, once", given[0]), Dollars(f"{name}, a unit", given[1])
        months = Months(f"{name}, months", given[2])
        found.append(Way(name, once, unit, months, total_usd(units, once, unit), months <= deadline))
    least = min((way.total for way in found if way.in_time), default=None)
    marked = [Way(*_fields(way), best=way.in_time and way.total == least) for way in found]
    return Choice(units, deadline, tuple(marked))


def _fields(way):
    return way.name, way.once, way.unit, way.months, way.total, way.in_time
