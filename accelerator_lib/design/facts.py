"""Facts: the constants behind the laws, read once from data/design.yaml, where each has its source and its basis."""

from functools import cache
from typing import NamedTuple

from accelerator_lib import data


class Process(NamedTuple):
    """What a node makes of an area or an energy at 7 nm: density of logic, SRAM, analog; power; dollars of a wafer."""

    logic: float
    sram: float
    analog: float
    power: float
    wafer_usd: float


class Assumed(NamedTuple):
    """What nobody publishes: move these. Defaults come from the data."""

    share: float  # of what feeds PEs, the part along the edges of an array: as the array grows, less for each PE
    rows: float  # of PEs whose area the edge of an array takes
    package_usd: float
    host_usd: float


class Facts(NamedTuple):
    """Constants in base units: um2, mm2, pJ, W, dollars."""

    pe_flat_um2: float
    pe_fed_um2: float
    even_from: float  # the edge from which multipliers set an array's area, not the wires around it
    sram_mm2_per_mb: float
    stack_mm2: float
    die_mm2: float
    mac_pj: float
    sram_pj_per_byte: float
    hbm_pj_per_byte: float
    link_pj_per_byte: float
    idle_w_per_mm2: float
    cooled_w_per_mm2: float
    defects_per_cm2: float
    usd_per_gb: float
    usd_per_stack: float
    usd_per_kwh: float
    hours: float
    stack_bytes_per_s: float
    stack_bytes: float
    most_link_bytes_per_s: float


@cache
def facts():
    """Facts of the data file."""
    known = data.load("design")
    entries = {**known["area"], **known["energy"], **known["prices"]}
    values = {name: entry["value"] for name, entry in entries.items() if "value" in entry}
    return Facts(
        known["area"]["pe_um2"]["flat"],
        known["area"]["pe_um2"]["fed"],
        float(known["area"]["pe_um2"]["even_from"]),
        *(values[name] for name in Facts._fields[3:-3]),
        known["stack"]["bytes_per_s"],
        known["stack"]["bytes"],
        known["link"]["most_bytes_per_s"],
    )


@cache
def process(node):
    """Process of a node, 7 or 5 (nm)."""
    return Process(*(data.load("design")["nodes"][node][name] for name in Process._fields))


@cache
def assumed():
    """Assumed, as the data has it."""
    known = data.load("design")
    pe, prices = known["area"]["pe_um2"], known["prices"]
    return Assumed(pe["share"], pe["rows"], prices["usd_per_package"]["value"], prices["host_usd"]["value"])
