"""Table: published energies of operations and accesses, each with its scope.

    operation("mult", "fp16", 7)      one row, with its source and basis          0.34 pJ
    access("a100_hbm")                a bit on its whole way from the HBM to the arithmetic, measured on a GPU

Estimates: a node is a name, voltages and clocks are mostly not stated. Facts: data/energy.yaml. Sources: M. Horowitz,
ISSCC 2014; N. Jouppi et al., "Ten lessons from three generations", ISCA 2021, Table 2; Antepara et al., SC 2025.
"""

from dataclasses import dataclass

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, one_of, shown
from accelerator_lib.checks.signature import Given, NumberOf, OneOf, Record, checked

NODES = (45, 7)
WORDS = data.load("energy")["words"]
LABELS, PATHS, OPERATIONS, DEVICES = (WORDS[name] for name in ("tables", "paths", "operations", "devices"))
WHOLE = ("a100_l1", "a100_l2", "a100_hbm", "gh200_hbm")
SUMS = {"int8": "int32"}  # the format in which products are added; fp32 for the others
NUMBER_BITS = 16


@dataclass(frozen=True)
class Row:
    """One published energy: pJ of an operation or of an access to so many bits."""

    name: str
    pj: float
    bits: int | None
    source: str
    basis: str
    note: str = ""

    pj_per_byte = property(lambda self: None if self.bits is None else self.pj * 8 / self.bits)  # none for operations
    pj_per_bit = property(lambda self: None if self.bits is None else self.pj / self.bits)  # none for operations
    label = property(lambda self: label(self.name))


def label(name):
    """The words for an operation or level: label("sram_8kb") -> "8 KB SRAM, 64 bits"."""
    if name in PATHS or name in LABELS or name not in by_id("dram_by_generation"):
        return PATHS.get(name) or LABELS.get(name, name)
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


Node = NumberOf(NODES, "nm (tabulated)")
Arithmetic = Record(str, "the name of a format such as 'fp16'")


@checked
def operation(op: OneOf(("add", "mult")), dtype: Arithmetic, node: Node = 7):
    """Row of an "add" or a "mult" in a format at a node. Raises NotAvailable."""
    row = by_id("arithmetic").get(f"{op}_{dtype}_{node}nm")
    if row is None:
        known = sorted({r["format"] for r in by_id("arithmetic").values() if r["op"] == op and r["node_nm"] == node})
        raise NotAvailable(f"dtype: no {op} in {shown(dtype)} at {node} nm is published; there are {', '.join(known)}")
    return Row(f"{dtype} {op}", row["value"], None, row["source"], row["basis"], row.get("note", ""))


def names():
    """Names that `access` takes: those of the two tables, DRAM generations, whole paths."""
    generations = (id for id, row in by_id("dram_by_generation").items() if row["access"])
    return [*LABELS, *generations, *PATHS]


Level = Given("a level of memory", lambda value: one_of("level", value, names()))


@checked
def access(level: Level, node: Node = 7):
    """Row of one access to a level; most are the same at every node. Raises UnknownName, NotAvailable."""
    if level in LABELS:
        row = _tabulated().get((level, node))
        if row is None:
            raise NotAvailable(f"{level} at {node} nm is not published; it is at {sum(NODES) - node} nm")
        return Row(level, row["value"], row["bits"], row["source"], row["basis"], row.get("note", ""))
    row = by_id("measured_gpu_memory" if level in PATHS else "dram_by_generation")[level]
    return Row(level, row["value"], 1, row["source"], row["basis"], row["scope"])


@dataclass(frozen=True)
class Rung:
    """One operation, or a number of 16 bits from one place: pJ at 7 nm, and at 45 nm where that is published."""

    name: str
    label: str
    kind: str  # "operation", "device", "whole path"
    pj: float
    before: float | None

    multiplies = property(lambda self: self.pj / operation("mult", "fp16").pj)  # how many fp16 multiplies cost as much
    # energy at 45 nm / at 7 nm; None where one of them is not published
    shrink = property(lambda self: self.before and self.before / self.pj)


def ladder():
    """{name: Rung}, each kind from the cheapest."""
    found = {}
    for name, what in OPERATIONS.items():
        found[name] = Rung(name, name, "operation", operation(*what).pj, operation(*what, 45).pj)
    for kind, levels in (("device", DEVICES), ("whole path", {name: PATHS[name] for name in WHOLE})):
        for level, words in levels.items():
            before = access(level, 45).pj_per_bit * NUMBER_BITS if (level, 45) in _tabulated() else None
            found[level] = Rung(level, words, kind, access(level).pj_per_bit * NUMBER_BITS, before)
    return found


def served():
    """{server: {model, chip, chips, users, joules}} of measured runs: energy of all chips for one token [J]."""
    return {row["name"]: row for row in data.load("energy")["served"]}
