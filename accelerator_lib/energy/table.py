"""Table: published energies of operations and accesses, from an int8 add to a DRAM read; five decades on one page.

    operation("mult", "fp16", 7)      one row, with its source and basis          0.34 pJ
    access("sram_8kb", 7)             one access of 64 bits to an array of that size
    compared(7)                       all of them beside the other node

Estimates: a node is a name, voltages and clocks are mostly not stated. Tables of two nodes, 45 and 7 nm; DRAM by
generation, device only. Facts: data/energy.yaml. Sources: M. Horowitz, ISSCC 2014; N. Jouppi et al., "Ten lessons from
three generations", ISCA 2021, Table 2.
"""

from dataclasses import dataclass
from numbers import Real

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, one_of, shown
from accelerator_lib.checks.signature import Given, OneOf, Switch, checked

NODES = (45, 7)
LABELS = {
    "register": "register file, 32 bits",
    "sram_8kb": "8 KB SRAM, 64 bits",
    "sram_32kb": "32 KB SRAM, 64 bits",
    "sram_1mb": "1 MB SRAM, 64 bits",
    "hbm2_low": "HBM2, 64 bits, low",
    "hbm2_high": "HBM2, 64 bits, high",
    "gddr6_low": "GDDR6, 64 bits, low",
    "gddr6_high": "GDDR6, 64 bits, high",
    "ddr": "DDR3/4, 64 bits",
}


@dataclass(frozen=True)
class Row:
    """One published energy: pJ of an operation or of an access to so many bits."""

    name: str
    pj: float
    bits: int | None
    source: str
    basis: str
    note: str = ""

    @property
    def pj_per_byte(self):
        """None for operations."""
        return None if self.bits is None else self.pj * 8 / self.bits

    @property
    def pj_per_bit(self):
        """None for operations."""
        return None if self.bits is None else self.pj / self.bits

    @property
    def label(self):
        return label(self.name)


def label(name):
    """The words for an operation or level: label("sram_8kb") -> "8 KB SRAM, 64 bits"."""
    if name in LABELS or name not in by_id("dram_by_generation"):
        return LABELS.get(name, name)
    by = name.partition("_")[2]
    return by_id("dram_by_generation")[name]["generation"] + (f" ({by})" if by else "")


@data.kept
def by_id(table):
    """The rows of one table of data/energy.yaml that have an id: {id: row}."""
    return {row["id"]: row for row in data.load("energy")[table] if "id" in row}


@data.kept
def _tabulated():
    """{(level, node): row} of the two tables."""
    rows = by_id("memory_access").values()
    return {(row["level"], row["node_nm"]): row for row in rows if "level" in row}


def _node(node):
    if not isinstance(node, Real) or isinstance(node, bool) or node not in NODES:
        raise ValueError(f"node = {shown(node)} is not tabulated; allowed: 45 or 7 nm")
    return int(node)


Node = Given("45 or 7 [nm]", _node)


@checked
def other(node: Node):
    """The other node of the two tables."""
    return next(one for one in NODES if one != node)


def _format(name):
    if not isinstance(name, str):
        raise TypeError(f"need the name of a format such as 'fp16', not {shown(name)}")
    return name


Arithmetic = Given("the name of a format", _format)


@checked
def operation(op: OneOf(("add", "mult")), dtype: Arithmetic, node: Node = 7):
    """Row of an "add" or a "mult" in a format at a node. Raises NotAvailable."""
    row = by_id("arithmetic").get(f"{op}_{dtype}_{node}nm")
    if row is None:
        known = sorted({r["format"] for r in by_id("arithmetic").values() if r["op"] == op and r["node_nm"] == node})
        raise NotAvailable(f"dtype: no {op} in {shown(dtype)} at {node} nm is published; there are {', '.join(known)}")
    return Row(f"{dtype} {op}", row["value"], None, row["source"], row["basis"], row.get("note", ""))


def names():
    """Names that `access` takes: those of the two tables, then DRAM generations."""
    generations = (id for id, row in by_id("dram_by_generation").items() if row["access"])
    return [*LABELS, *generations]


Level = Given("a level of memory", lambda value: one_of("level", value, names()))


@checked
def access(level: Level, node: Node = 7):
    """Row of one access to a level; DRAM generations are the same at every node. Raises UnknownName, NotAvailable."""
    if level in LABELS:
        row = _tabulated().get((level, node))
        if row is None:
            raise NotAvailable(f"{level} at {node} nm is not published; it is at {other(node)} nm")
        return Row(level, row["value"], row["bits"], row["source"], row["basis"], row.get("note", ""))
    row = by_id("dram_by_generation")[level]
    return Row(level, row["value"], 1, row["source"], row["basis"], row["scope"])


@checked
def rows(node: Node = 7):
    """Rows of the two tables at a node, operations first, each group rising."""
    operations = [operation(r["op"], r["format"], node) for r in by_id("arithmetic").values() if r["node_nm"] == node]
    accesses = [access(level, node) for level in LABELS if (level, node) in _tabulated()]
    return sorted(operations, key=lambda row: row.pj) + sorted(accesses, key=lambda row: row.pj)


@dataclass(frozen=True)
class Compared:
    """One operation or access at a node beside the other node [pJ]; None where a node is not published."""

    name: str
    node: int
    pj: float | None
    other_pj: float | None
    unit: str  # "pJ", or "pJ per byte"
    basis: str

    @property
    def label(self):
        return label(self.name)

    @property
    def is_access(self):
        return self.name in LABELS

    @property
    def other_node(self):
        return other(self.node)

    @property
    def shrink(self):
        """Energy at 45 nm / at 7 nm; None where one of them is not published."""
        if self.pj is None or self.other_pj is None:
            return None
        return self.other_pj / self.pj if self.node == 7 else self.pj / self.other_pj


@checked
def compared(node: Node = 7, per_byte: Switch = False):
    """{name: Compared} of all that either node has, from the cheapest; accesses for each byte where asked."""
    tables = {n: {row.name: row for row in rows(n)} for n in NODES}
    every = dict.fromkeys(name for table in tables.values() for name in table)
    rising = sorted(every, key=lambda name: min(table[name].pj for table in tables.values() if name in table))
    found = {}
    for name in rising:
        here, there = tables[node].get(name), tables[other(node)].get(name)
        pair = [row and (row.pj_per_byte if per_byte and row.bits else row.pj) for row in (here, there)]
        row = here or there
        found[name] = Compared(name, node, *pair, "pJ per byte" if per_byte and row.bits else "pJ", row.basis)
    return found
