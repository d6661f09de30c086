"""To scale: a machine from its rack to the bits of one multiply-accumulate; each part with its place, area and facts.

    a fact      a formula of numbers and of places in data/, from left to right          "chip/power/tdp_w * 8"
    a place     [mm] where data/scale.yaml says one; the other parts fill their parent, each as large as its area
    how many    columns x rows of a grid, of which `lit` are there

All is drawn flat: servers out of their rack, stacks of memory as one layer. Facts that nobody publishes are `assumed`.
"""

import re
from dataclasses import dataclass, field

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked

QUANTITIES = ("count", "bytes", "bytes_per_s", "seconds", "watts", "pj")  # pj: of a byte, or of one multiply-accumulate
MACHINES = {entry["id"]: entry for entry in data.load("scale")["machines"]}
REST = "what the other parts leave"


@dataclass(frozen=True)
class Fact:
    """A value, and for each place it comes from its basis and source."""

    value: float
    basis: tuple = ()


@dataclass(frozen=True)
class Part:
    """Equal parts of a parent: the box of the first from the parent's upper left corner [mm], and how they repeat."""

    id: str
    name: str
    role: str
    says: str
    box: tuple  # x, y, width, height
    grid: tuple = (1, 1)  # columns, rows
    step: tuple = (0.0, 0.0)
    lit: int = 1
    twin: bool = False  # more of what another part of this id tells
    facts: dict = field(default_factory=dict)  # {quantity: Fact}; "mm2" is there always
    parts: tuple = ()

    area_mm2 = property(lambda self: self.box[2] * self.box[3])

    def walk(self):
        """This part and all that it holds, from the outside in, but for twins."""
        yield self
        for part in self.parts:
            yield from () if part.twin else part.walk()


@dataclass(frozen=True)
class Step:
    """A byte goes from one part to the next; None is not published."""

    start: str
    end: str
    seconds: float | None
    pj: float | None


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
def machine(id: OneOf(tuple(MACHINES)) = "h100"):
    """The Machine of an id: h100, tpu, lpu."""
    return _machines()[id]


@data.kept
def _machines():
    return {id: _machine(entry) for id, entry in MACHINES.items()}


def _machine(entry):
    facts = _Facts(entry["short"])
    wide, high = entry["root"]["mm"]["value"]
    root = facts.part(entry["root"], (0.0, 0.0, float(wide), float(high)))
    way = (Step(one["from"], one["to"], *map(facts.value, map(one.get, ("seconds", "pj")))) for one in entry["way"])
    return Machine(entry["id"], entry["name"], root, tuple(entry["levels"]), tuple(way), entry["told"])


@dataclass(frozen=True)
class _Facts:
    """Reads the facts of one machine, and lays out its parts."""

    short: dict

    def fact(self, told):
        """The Fact of a number, a formula, or a value with its own basis."""
        if isinstance(told, dict):
            source = data.load("scale")["sources"][told["source"]]["title"]
            return Fact(self.value(told["value"]), (f"{told['basis']}: {source}",))
        terms = re.split(r" ([*/-]) ", str(told))
        total, basis = self._term(terms[0])
        for sign, term in zip(terms[1::2], terms[2::2], strict=True):
            value, more = self._term(term)
            basis = (*basis, *more)
            total = total * value if sign == "*" else total / value if sign == "/" else total - value
        return Fact(total, tuple(dict.fromkeys(basis)))

    def value(self, told):
        return None if told is None else self.fact(told).value

    def _term(self, term):
        """(value, basis) of a number, or of a place in a file: names, ids and positions, one below the other."""
        if "/" not in term:
            return float(term), ()
        first, _, rest = term.partition("/")
        file, *way = f"{self.short.get(first, first)}/{rest}".split("/")
        table = data.load(file)
        node, told = table, {}
        for key in way:
            told = node if "basis" in node else told
            exception = told.get("except", {}).get(key) if isinstance(told, dict) else None
            node, told = _below(node, key), exception or told
        keys = [told["source"]] if "source" in told else told.get("sources", ())
        titles = "; ".join(table["sources"][key]["title"] for key in keys if key)
        return float(node), (": ".join(filter(None, (told.get("basis", "derived"), titles))),)

    def part(self, told, box):
        """Part in a box, and all that it holds."""
        grid = tuple(told.get("grid", (1, 1)))
        facts = {name: self.fact(told[name]) for name in QUANTITIES if name in told}
        area = self.fact(told["mm2"]).basis if "mm2" in told else ()
        area = area or ((f"{told['mm']['basis']}: sizes",) if "mm" in told else (REST,))
        facts["mm2"] = Fact(box[2] * box[3], area)
        own = {"twin": told.get("twin", False), "lit": told.get("lit", grid[0] * grid[1]), "facts": facts}
        step = tuple(map(float, told.get("step", box[2:])))
        words = (told[name] for name in ("id", "name", "role", "says"))
        return Part(*words, box, grid, step, **own, parts=tuple(self._inside(told, *box[2:])))

    def _inside(self, told, wide, high):
        parts = _parts(told)
        placed = [one for one in parts if "at" in one]
        for one in placed:
            size, grid, step = self._size(one), one.get("grid", (1, 1)), one.get("step", (0, 0))
            x, y = (one["at"][i] - ((grid[i] - 1) * step[i] + size[i]) / 2 for i in (0, 1))
            yield self.part(one, (x, y, *size))
        others = [one for one in parts if "at" not in one]
        yield from self._filled(others, told.get("along", "x"), (0.0, 0.0, wide, high), self._rest(others, wide * high))

    def _size(self, told):
        if "mm" in told:
            return tuple(map(float, told["mm"]["value"]))
        area, tall = self.value(told["mm2"]), told["tall"]
        return (area / tall) ** 0.5, (area * tall) ** 0.5

    def _rest(self, parts, whole):
        """The area that those parts leave whose own is known."""
        return whole - sum(self._area(one, 0.0) for one in parts)

    def _area(self, told, rest):
        if "id" not in told:
            return sum(self._area(one, rest) for one in _parts(told))
        columns, rows = told.get("grid", (1, 1))
        return rest if "rest" in told else self.value(told["mm2"]) * columns * rows

    def _filled(self, parts, along, box, rest):
        """Parts one beside the other in a box, each as large as its area."""
        x, y, wide, high = box
        areas = [self._area(one, rest) for one in parts]
        for one, area in zip(parts, areas, strict=True):
            share = area / sum(areas)
            own = (wide * share, high) if along == "x" else (wide, high * share)
            if "id" in one:
                columns, rows = one.get("grid", (1, 1))
                yield self.part(one, (x, y, own[0] / columns, own[1] / rows))
            else:
                yield from self._filled(_parts(one), one["along"], (x, y, *own), rest)
            x, y = (x + own[0], y) if along == "x" else (x, y + own[1])


def _parts(told):
    """What lies in a part; where it is `like` another one, it says only what differs."""
    return [{**one.get("like", {}), **one} for one in told.get("parts", ())]


def _below(node, key):
    """What stands below a key: of a list, at a position or under an id or name."""
    if isinstance(node, list):
        return node[int(key)] if key.isdigit() else next(one for one in node if key in (one.get("id"), one.get("name")))
    return node[key] if key in node else node[int(key)]
