"""Facts: the constants behind the laws, read once from data/design.yaml, where each has its source and its basis."""

from collections import namedtuple
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


@cache
def facts():
    """The constants by their names in the data, in base units: um2, mm2, pJ, W, dollars."""
    known = data.load("design")
    entries = {**known["area"], **known["energy"], **known["prices"]}
    values = {name: entry["value"] for name, entry in entries.items() if "value" in entry}
    pe, stack = known["area"]["pe_um2"], known["stack"]
    values |= {"pe_flat_um2": pe["flat"], "pe_fed_um2": pe["fed"], "even_from": float(pe["even_from"])}
    values |= {"stack_bytes_per_s": stack["bytes_per_s"], "stack_bytes": stack["bytes"]}
    values["most_link_bytes_per_s"] = known["link"]["most_bytes_per_s"]
    return namedtuple("Facts", values)(**values)


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
