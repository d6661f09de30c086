"""Ladder: published energies of operations and accesses, from an int8 add to a DRAM read; five decades on one page.

    operation("mult", "fp16", 7)      one row, with its source and basis          0.34 pJ
    access("sram_8kb", 7)             one access of 64 bits to an array of that size
    published("GDDR6")                all that different sources say about one thing

Estimates: a node is a name, voltages and clocks are mostly not stated. Tables of two nodes, 45 and 7 nm; DRAM by
generation, device only. Facts: data/energy.yaml. Sources: M. Horowitz, ISSCC 2014; N. Jouppi et al., "Ten lessons from
three generations", ISCA 2021, Table 2.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from accelerator_lib import data
from accelerator_lib.inputs import NotAvailable, one_of

NODES = (45, 7)
NOT_AN_ACCESS = (  # interfaces alone, a ratio, and what the tables have already
    "I/O both ends at 50 % activity", "host-side interface only, 4 nm", "vendor claim", "64-bit access / 64",
)  # fmt: skip
TABLE = {  # level -> id of its row, {} stands for the node
    "register": "regfile_32b_{}nm",
    "sram_8kb": "sram_8KB_64b_{}nm",
    "sram_32kb": "sram_32KB_64b_{}nm",
    "sram_1mb": "sram_1MB_64b_{}nm",
    "hbm2_low": "hbm2_64b_{}nm_low",
    "hbm2_high": "hbm2_64b_{}nm_high",
    "gddr6_low": "gddr6_64b_{}nm_low",
    "gddr6_high": "gddr6_64b_{}nm_high",
    "ddr": "ddr3_4_64b_{}nm",
}

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


def label(name):
    """The words for an operation or level: label("sram_8kb") -> "8 KB SRAM, 64 bits"."""
    if name in LABELS or name not in _rows("dram_by_generation"):
        return LABELS.get(name, name)
    by = name.partition("_")[2]
    return _rows("dram_by_generation")[name]["generation"] + (f" ({by})" if by else "")


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


@cache
def _rows(table):
    return {row["id"]: row for row in data.load("energy")[table] if "id" in row}


def _node(node):
    if node not in NODES or isinstance(node, bool):
        raise ValueError(f"node = {node!r} is not tabulated; allowed: 45 or 7 nm")
    return int(node)


def other(node):
    """The other node of the two tables."""
    return next(one for one in NODES if one != _node(node))


def operation(op, dtype, node=7):
    """Row of an "add" or a "mult" in a format at a node. Raises NotAvailable."""
    row = _rows("arithmetic").get(f"{one_of('op', op, ('add', 'mult'))}_{dtype}_{_node(node)}nm")
    if row is None:
        known = sorted({r["format"] for r in _rows("arithmetic").values() if r["op"] == op and r["node_nm"] == node})
        raise NotAvailable(f"no {op} in {dtype!r} at {node} nm is published; there are {', '.join(known)}")
    return Row(f"{dtype} {op}", row["value"], None, row["source"], row["basis"], row.get("note", ""))


def names():
    """Names that `access` takes: those of the two tables, then DRAM generations."""
    whole = (
        id for id, row in _rows("dram_by_generation").items() if row["value"] and row["scope"] not in NOT_AN_ACCESS
    )
    return [*TABLE, *whole]


def access(level, node=7):
    """Row of one access to a level; DRAM generations are the same at every node. Raises UnknownName, NotAvailable."""
    one_of("level", level, names())
    if level in TABLE:
        row = _rows("memory_access").get(TABLE[level].format(_node(node)))
        if row is None:
            raise NotAvailable(f"{level} at {node} nm is not published; it is at {other(node)} nm")
        return Row(level, row["value"], row["bits"], row["source"], row["basis"], row.get("note", ""))
    row = _rows("dram_by_generation")[level]
    return Row(level, row["value"], 1, row["source"], row["basis"], row["scope"])


def rows(node=7):
    """Rows of the two tables at a node, operations first, each group rising."""
    operations = [Row(f"{r['format']} {r['op']}", r["value"], None, r["source"], r["basis"], r.get("note", ""))
                  for r in _rows("arithmetic").values() if r["node_nm"] == _node(node)]  # fmt: skip
    accesses = []
    for level in TABLE:
        try:
            accesses.append(access(level, node))
        except NotAvailable:
            continue
    return sorted(operations, key=lambda row: row.pj) + sorted(accesses, key=lambda row: row.pj)


SELECTIONS = {
    "with the DDR row": (),
    "without it": ("ddr",),
    "without DDR and 1 MB SRAM": ("ddr", "sram_1mb"),
}


def ratios(without=()):
    """({name: energy at 45 nm / at 7 nm}, their geometric mean) over what both nodes have, some names left out."""
    found = {}
    for row in rows(45):
        later = next((other for other in rows(7) if other.name == row.name), None)
        if later and row.name not in without:
            found[row.name] = row.pj / later.pj
    return found, float(np.exp(np.mean(np.log(list(found.values())))))


GROUPS = {  # what is compared -> (table, id) of the rows; all in pJ/bit (wires: for each mm)
    "on-chip wire, each mm": [("on_chip_wire", None)],
    "8 KB SRAM": [("memory_access", id) for id in ("sram_8KB_64b_45nm", "sram_8KB_64b_7nm", "sram_8KB_14nm")],
    "1 MB SRAM": [("memory_access", id) for id in ("sram_1MB_64b_45nm", "sram_1MB_64b_7nm")],
    "package link (UCIe)": [("links", "ucie_standard"), ("links", "ucie_advanced"), ("links", "mcm_package")],
    "GPU's L2, whole path": [("measured_gpu_memory", "a100_l2"), ("measured_gpu_memory", "gh200_l2")],
    "HBM2 and HBM2e, device": [
        *[("memory_access", id) for id in ("hbm2_64b_7nm_low", "hbm2_64b_7nm_high")],
        *[("dram_by_generation", id) for id in ("hbm2_access", "hbm2e_micron", "hbm2e_skhynix")],
    ],
    "HBM, whole path": [("measured_gpu_memory", "a100_hbm"), ("measured_gpu_memory", "gh200_hbm")],
    "GDDR6": [
        *[("memory_access", id) for id in ("gddr6_64b_7nm_low", "gddr6_64b_7nm_high")],
        ("dram_by_generation", "gddr6_micron"),
    ],
    "DDR3/4": [("memory_access", id) for id in ("ddr3_4_64b_7nm", "dram_64b_45nm_low", "dram_64b_45nm_high")],
    "PCIe 5": [("links", "pcie5_phy"), ("links", "pcie5_from_c2c_claim")],
    "across a network": [("links", "mcm_system")],
}


def published(group):
    """[(pJ/bit, Row)] of all that the data say about one thing of GROUPS, rising; sources disagree."""
    titles, found = data.load("energy")["sources"], []
    for table, id in GROUPS[one_of("group", group, GROUPS)]:
        for row in _rows(table).values() if id is None else [_rows(table)[id]]:
            bits, name = row.get("bits", 1), row.get("scope") or row.get("link") or f"{row.get('node_nm', '?')} nm"
            source = titles[row["source"]]["title"]
            found.append(
                (row["value"] / bits, Row(name, row["value"], bits, source, row["basis"], row.get("note", "")))
            )
    return sorted(found, key=lambda pair: pair[0])
