"""Ports: one floor plan on the next process. Logic shrinks, memory hardly, what drives the pins not at all.

    area = logic / density + sram x bitcell / bitcell of N7 + analog         areas given as they are on N7
    cost = price of the node's wafer / good dies on it

Facts: data/silicon.yaml. Densities are a foundry's claims, cells published, prices unofficial; one defect density.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import Number, OneOf, Share, Single, checked
from accelerator_lib.silicon.wafer import ASPECT, Area, sides
from accelerator_lib.silicon.yields import Density, cost_per_good_die

PORTED = ("N7", "N5", "N3E")  # nodes whose logic density is published
ANodeName = OneOf(("N7", "N5", "N3E", "N2"))
Part = Number(low=0, high=1e5, unit="mm2")
OneShare, OneArea, OneDensity = map(Single, (Share, Area, Density))


@dataclass(frozen=True)
class Node:
    """A process: density of its logic beside N7 (None: not published), cell of its memory [µm²], price of a wafer."""

    name: str
    year: int
    logic: float | None
    bitcell_um2: float
    wafer_usd: float
    quoted: int  # year of the quote


@data.kept
def nodes():
    """{name: Node}; all prices are unofficial quotes of one source."""
    facts = data.load("silicon")
    prices = {row["node"]: row for row in facts["wafer_prices"]["unofficial"]["rows"]}
    return {
        name: Node(name, row["year"], row["logic"], row["bitcell_um2"], prices[name]["usd"], prices[name]["date"])
        for name, row in facts["nodes"].items()
    }


@checked
def node(name: ANodeName):
    """The Node of a name: N7, N5, N3E, N2."""
    return nodes()[name]


@checked
def ported_area(logic: Part, sram: Part, analog: Part, node: ANodeName):
    """Area [mm²] on a node of parts whose areas on N7 are given; scalars or arrays. Raises NotAvailable."""
    return sum(ported_parts(logic, sram, analog, node).values())


@checked
def ported_parts(logic: Part, sram: Part, analog: Part, node: ANodeName):
    """{part: area [mm²]} on a node: logic by its density, memory by its cell, the rest as it was."""
    new, old = nodes()[node], nodes()["N7"]
    if new.logic is None:
        known = ", ".join(PORTED)
        raise NotAvailable(f"the density of logic on {node} beside N7 is not in the data; it is for {known}")
    return {"logic": logic / new.logic, "SRAM": sram * new.bitcell_um2 / old.bitcell_um2, "analog": analog}


@dataclass(frozen=True)
class Ported:
    """A floor plan on one node, after those before it."""

    node: Node
    parts: dict  # {part: mm²}
    usd: float  # of a good die
    before: tuple = ()  # the Ported of the nodes before

    area_mm2 = property(lambda self: sum(self.parts.values()))
    size_mm = property(lambda self: sides(self.area_mm2, ASPECT))  # (width, height) in the shape of the exposure field
    # share of its area that the last node has saved
    smaller = property(lambda self: 1 - self.area_mm2 / self.before[-1].area_mm2 if self.before else 0.0)
    # share of its dollars that the last node has added; below zero where it is cheaper
    dearer = property(lambda self: self.usd / self.before[-1].usd - 1 if self.before else 0.0)


@checked
def port(sram: OneShare = 0.3, analog: OneShare = 0.1, area_mm2: OneArea = 800, defects_per_cm2: OneDensity = 0.1):
    """Yield the Ported of each node: a die of that area on N7, shares of it memory and analog, the rest logic."""
    if sram + analog > 1:
        raise ValueError(f"memory and analog together take {sram + analog:.0%} of the die; at most all of it")
    before = ()
    for name in PORTED:
        logic = max(0.0, 1 - sram - analog)  # rounding may leave less than nothing
        parts = ported_parts(logic * area_mm2, sram * area_mm2, analog * area_mm2, name)
        usd = cost_per_good_die(nodes()[name].wafer_usd, sum(parts.values()), defects_per_cm2)
        yield (now := Ported(nodes()[name], parts, float(usd), before))
        before = (*before, now)
