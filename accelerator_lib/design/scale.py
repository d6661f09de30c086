"""To scale: a machine from its rack to the bits of one multiply-accumulate; each part with its place, area and facts.

    a fact      a formula of numbers and of places in data/, from left to right          "chip/power/tdp_w * 8"
    a place     [mm] where data/scale.yaml says one; the other parts fill their parent, each as large as its area
    how many    columns x rows of a grid, of which `lit` are there

All is drawn flat: servers out of their rack, stacks of memory as one layer. Facts that nobody publishes are `assumed`.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

COSTS = ("seconds", "pj", "op_pj")  # of an access or a clock; of a byte that is read; of one multiply-accumulate
QUANTITIES = ("count", "bytes", "bytes_per_s", *COSTS, "watts")
MACHINES = {entry["id"]: entry for entry in data.load("scale")["machines"]}


class Fact(NamedTuple):
    """A value, and for each place it comes from its basis and source."""

    value: float
    basis: tuple


@dataclass(frozen=True)
class Part:
    """Equal parts of a parent: the box of the first from the parent's upper left corner [mm], and how they repeat."""

    id: str
    name: str
    role: str
    says: str
    box: tuple  # x, y, width, height
    grid: tuple  # columns, rows
    step: tuple
    lit: int
    twin: bool  # more of what another part of this id tells
    facts: dict  # {quantity: Fact}; "mm2" is there always
    parts: tuple

    def walk(self):
        """This part and all that it holds, from the outside in, but for twins."""
        yield self
        for part in self.parts:
            yield from () if part.twin else part.walk()


class Step(NamedTuple):
    """A byte goes from one part to the next, and what that costs: None is not published, or no such thing."""

    start: str
    end: str
    seconds: float | None
    pj: float | None
    op_pj: float | None


@dataclass(frozen=True)
class Machine:
    """A machine: its largest part, the ids at which a camera stops, a byte's way to a multiplier."""

    id: str
    name: str
    root: Part
    levels: tuple
    way: tuple
    told: str  # what the way leaves out

    parts = property(lambda self: {part.id: part for part in self.root.walk()})  # from the outside in


@checked
@data.kept
def machine(id: OneOf(tuple(MACHINES)) = "h100"):
    """The Machine of an id: h100, tpu, lpu."""
    entry, facts = MACHINES[id], _Facts(MACHINES[id]["short"])
    root = facts.part(entry["root"], (0.0, 0.0, *map(float, entry["root"]["mm"]["value"])))
    way = (Step(one["from"], one["to"], *(facts.fact(one.get(cost)).value for cost in COSTS)) for one in entry["way"])
    return Machine(id, entry["name"], root, tuple(entry["levels"]), tuple(way), entry["told"])


class _Facts(NamedTuple):
    """Reads the facts of one machine, and lays out its parts."""

    short: dict

    def fact(self, told):
        """The Fact of a number, a formula, or a value with its own basis; None stays None."""
        if isinstance(told, dict):
            source = data.load("scale")["sources"][told["source"]]["title"]
            return Fact(self.fact(told["value"]).value, (f"{told['basis']}: {source}",))
        first, *more = re.split(r" ([*/-]) ", str(told))
        total, basis = (None, ()) if told is None else self._term(first)
        for sign, term in zip(more[::2], more[1::2], strict=True):
            value, origin = self._term(term)
            total, basis = {"*": total * value, "/": total / value, "-": total - value}[sign], basis + origin
        return Fact(total, tuple(dict.fromkeys(basis)))

    def _term(self, term):
        """(value, basis) of a number, or of a place in a file: names, ids and positions, one below the other."""
        if "/" not in term:
            return float(term), ()
        first, _, rest = term.partition("/")
        file, *way = f"{self.short.get(first, first)}/{rest}".split("/")
        node, told = data.load(file), {}
        for key in way:
            told = node if "basis" in node else told
            told = told.get("except", {}).get(key, told)
            node = _below(node, key)
        keys = [told["source"]] if "source" in told else told.get("sources", ())
        titles = "; ".join(data.load(file)["sources"][key]["title"] for key in keys if key)
        basis = told.get("basis", "derived").replace("seen_secondary", "second-hand")
        return float(node), (": ".join(filter(None, (basis, titles))),)

    def part(self, told, box):
        """Part in a box, and all that it holds."""
        grid, own = told.get("grid", (1, 1)), self.fact({**told["mm"], "value": 1}).basis if "mm" in told else ()
        drawn = Fact(box[2] * box[3], own or ("what the other parts leave",))
        facts = {"mm2": self.fact(told["mm2"]) if "mm2" in told else drawn}
        facts |= {name: self.fact(told[name]) for name in QUANTITIES if name in told}
        words, lit = (told[name] for name in ("id", "name", "role", "says")), told.get("lit", grid[0] * grid[1])
        parts = tuple(self._inside(told, *box[2:]))
        return Part(*words, box, tuple(grid), tuple(told.get("step", box[2:])), lit, "twin" in told, facts, parts)

    def _inside(self, told, wide, high):
        parts = _parts(told)
        for one in (one for one in parts if "at" in one):
            grid, step, tall = (
                one.get(name, usual) for name, usual in (("grid", (1, 1)), ("step", (0, 0)), ("tall", 1))
            )
            area = self.fact(one.get("mm2", 1)).value
            size = tuple(one["mm"]["value"]) if "mm" in one else ((area / tall) ** 0.5, (area * tall) ** 0.5)
            x, y = (one["at"][i] - ((grid[i] - 1) * step[i] + size[i]) / 2 for i in (0, 1))
            yield self.part(one, (x, y, *size))
        others = [one for one in parts if "at" not in one]
        rest = wide * high - sum(self._area(one, 0.0) for one in others)
        yield from self._filled(others, told.get("along", "x"), (0.0, 0.0, wide, high), rest)

    def _area(self, told, rest):
        if "id" not in told:
            return sum(self._area(one, rest) for one in _parts(told))
        columns, rows = told.get("grid", (1, 1))
        return rest if "rest" in told else self.fact(told["mm2"]).value * columns * rows

    def _filled(self, parts, along, box, rest):
        """Parts one beside the other in a box, each as large as its area."""
        x, y, wide, high = box
        areas = [self._area(one, rest) for one in parts]
        for one, area in zip(parts, areas, strict=True):
            share, (columns, rows) = area / sum(areas), one.get("grid", (1, 1))
            own = (wide * share, high) if along == "x" else (wide, high * share)
            if "id" in one:
                yield self.part(one, (x, y, own[0] / columns, own[1] / rows))
            else:
                yield from self._filled(_parts(one), one["along"], (x, y, *own), rest)
            x, y = (x + own[0], y) if along == "x" else (x, y + own[1])


def _parts(told):
    """What lies in a part; where it is `like` another one, it says only what differs; in a twin's group are twins."""
    twin = {"twin": True} if "twin" in told and "id" not in told else {}
    return [{**one.get("like", {}), **one, **twin} for one in told.get("parts", ())]


def _below(node, key):
    """What stands below a key: of a list, at a position or under an id or name."""
    if isinstance(node, list):
        return node[int(key)] if key.isdigit() else next(one for one in node if key in (one.get("id"), one.get("name")))
    return node[key] if key in node else node[int(key)]
