"""Sources: what different publications say about one thing, and how much cheaper a newer node made which rows.

published("GDDR6")       every value of the data, rising; they disagree: Published
ratios(without=("ddr",)) energy at 45 nm / at 7 nm, and the mean, which depends on what one averages: Shrink
"""

from dataclasses import dataclass

import numpy as np

from accelerator_lib import data
from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.energy.table import Row, by_id, rows

SELECTIONS = {
    "with the DDR row": (),
    "without it": ("ddr",),
    "without DDR and 1 MB SRAM": ("ddr", "sram_1mb"),
}


@dataclass(frozen=True)
class Shrink:
    """How much cheaper a newer node made which rows: {name: energy at 45 nm / at 7 nm}."""

    each: dict

    @property
    def mean(self):
        """The geometric one."""
        return float(np.exp(np.mean(np.log(list(self.each.values())))))


def ratios(without=()):
    """Shrink over what both nodes have, some names left out."""
    found = {}
    for row in rows(45):
        later = next((other for other in rows(7) if other.name == row.name), None)
        if later and row.name not in without:
            found[row.name] = row.pj / later.pj
    return Shrink(found)


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


@dataclass(frozen=True)
class Published:
    """All that the data say about one thing of GROUPS: its Rows, rising by pJ/bit; sources disagree."""

    group: str
    rows: tuple

    @property
    def spread(self):
        """The largest value over the smallest."""
        return self.rows[-1].pj_per_bit / self.rows[0].pj_per_bit


@checked
def published(group: OneOf(GROUPS)):
    """Published values of one thing of GROUPS."""
    titles, found = data.load("energy")["sources"], []
    for table, id in GROUPS[group]:
        for row in by_id(table).values() if id is None else [by_id(table)[id]]:
            bits, name = row.get("bits", 1), row.get("scope") or row.get("link") or f"{row.get('node_nm', '?')} nm"
            source = titles[row["source"]]["title"]
            found.append(Row(name, row["value"], bits, source, row["basis"], row.get("note", "")))
    return Published(group, tuple(sorted(found, key=lambda row: row.pj_per_bit)))
