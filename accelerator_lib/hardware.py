"""Hardware: what is published about a chip, as a frozen record in base units.

    peak = units x FLOP per clock x clock        dense; sparse rates only under their own name
    link rates are per direction                 a quoted both-ways total is halved

Facts: data/accelerators.yaml, where every group of values keeps its basis and sources. What is not published is
None; a calculation that needs it raises and names the field.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, UnknownName, described, did_you_mean, one_of, real
from accelerator_lib.checks.signature import Given, Number, OneOf, Positive, checked

FORMAT_BYTES = MappingProxyType(
    {"fp64": 8, "fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2, "fp8": 1, "int8": 1, "fp6": 0.75, "fp4": 0.5, "int4": 0.5}
)
UNITS = ("matrix", "vector")
Format = OneOf(FORMAT_BYTES)  # for signatures, as is AChip below


@checked
def format_bytes(dtype: Format):
    """Bytes of one element: bf16 2, fp8 1, int4 0.5; tf32 occupies 4. Raises UnknownName."""
    return FORMAT_BYTES[dtype]


MAKERS = ("NVIDIA GeForce ", "NVIDIA ", "Intel Data Center GPU ", "Intel ", "AMD ", "Google ", "Graphcore ", "Arm ")


@dataclass(frozen=True, eq=False)
class Chip:
    """One accelerator. Rates in FLOP/s (OP/s for integers) and B/s, capacities in bytes; unknown is None."""

    id: str
    name: str
    matrix: dict = field(default_factory=dict)  # dense peaks of the matrix unit, by format
    vector: dict = field(default_factory=dict)  # peaks of the ordinary pipelines
    sparse: dict = field(default_factory=dict)  # what the vendor quotes with structured sparsity
    bytes_per_s: float | None = None
    capacity_bytes: float | None = None
    memory: str | None = None
    units: int | None = None
    unit: str | None = None
    clock_hz: float | None = None
    tdp_w: float | None = None
    die_mm2: float | None = None
    link_bytes_per_s: float | None = None  # one direction
    year: int | None = None
    vendor: str | None = None
    kind: str | None = None
    notes: str = ""
    origin: dict = field(default_factory=dict)  # group -> its basis, sources and exceptions

    def __post_init__(self):
        for group in ("matrix", "vector", "sparse"):
            peaks = {
                one_of("dtype", dtype, FORMAT_BYTES): real(f"{group} peak of {dtype}", peak, unit="FLOP/s")
                for dtype, peak in getattr(self, group).items()
            }
            object.__setattr__(self, group, MappingProxyType(peaks))
        object.__setattr__(self, "origin", data.frozen(self.origin))
        for name in ("bytes_per_s", "capacity_bytes", "clock_hz", "tdp_w", "die_mm2", "link_bytes_per_s"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, real(name, getattr(self, name)))

    @property
    def short_name(self):
        """The name without its maker and what stands in brackets: A100 80GB SXM4."""
        bare = re.sub(r" \([^)]*\)", "", self.name)
        return next((bare.removeprefix(maker) for maker in MAKERS if bare.startswith(maker)), bare)

    def peak(self, dtype, unit=None):
        """Dense peak [FLOP/s, OP/s for integers] of the matrix unit if it has the format, else of the vector unit.
        `unit` asks for "matrix" or "vector" alone. Raises NotAvailable with the formats that the chip has."""
        return getattr(self, self.peak_unit(dtype, unit))[dtype]

    def peak_unit(self, dtype, unit=None):
        """Which unit `peak` takes for a format: "matrix" or "vector". Raises NotAvailable."""
        one_of("dtype", dtype, FORMAT_BYTES)
        for name in UNITS if unit is None else [one_of("unit", unit, UNITS)]:
            if dtype in getattr(self, name):
                return name
        raise NotAvailable(f"{self.name} has no {dtype} peak on {unit or 'any'} unit; it has {self._formats()}")

    def sparse_peak(self, dtype):
        """Peak [FLOP/s] that the vendor quotes with structured sparsity. Raises NotAvailable."""
        one_of("dtype", dtype, FORMAT_BYTES)
        if dtype not in self.sparse:
            known = ", ".join(self.sparse) or "none at all"
            raise NotAvailable(f"{self.name} has no published sparse {dtype} peak; sparse peaks: {known}")
        return self.sparse[dtype]

    def need(self, name):
        """A published value, by field name. Raises NotAvailable that names the field where it is unknown."""
        value = getattr(self, name)
        if value is None:
            raise NotAvailable(f"{name} of {self.name} is unknown (not published), and this calculation needs it")
        return value

    def source(self, group):
        """Basis and titles of the sources of a group of values: source("memory") -> "datasheet: ..."."""
        entry = self.origin[one_of("group", group, self.origin or {"none recorded": None})]
        titles = data.load("accelerators")["sources"]
        return f"{entry['basis']}: " + "; ".join(titles[key]["title"] for key in entry["sources"])

    def _formats(self):
        return "; ".join(f"{unit}: {', '.join(getattr(self, unit)) or 'none'}" for unit in UNITS)

    def __repr__(self):
        return f"Chip({self.id!r}, {self.name})"


@checked
def chip(name):
    """The chip of an id or full name; a Chip is returned as it is. Raises UnknownName with a suggestion."""
    if isinstance(name, Chip):
        return name
    table = _table()
    if not isinstance(name, str):
        raise TypeError(f"chip must be an id such as 'h100-sxm5' or a Chip, not {described(name)}")
    key = name.strip().lower()
    full = {entry.name.lower(): entry for entry in table.values()}
    if key in table or key in full:
        return table.get(key) or full[key]
    parts = [id for id in table if key and key in f"{id} {table[id].name.lower()}"]
    hint = f"; did you mean {' or '.join(map(repr, parts[:3]))}?" if parts else did_you_mean(key[:60], table)
    given = name if len(name) <= 60 else name[:60] + "..."
    raise UnknownName(f"chip {given!r} is unknown{hint}")


AChip = Given("a chip or its id", chip)


def chips(dtype=None):
    """All chips by id, in the order of the table; with a format, those with that peak and a memory bandwidth."""
    table = _table()
    if dtype is None:
        return dict(table)
    one_of("dtype", dtype, FORMAT_BYTES)
    return {id: one for id, one in table.items() if one.bytes_per_s and dtype in one.matrix | one.vector}


@checked
def peak_from_units(units: Positive, flop_per_clock: Positive, clock_hz: Number(high=1e12)):
    """Peak [FLOP/s] = units x FLOP each unit finishes per clock x clock [Hz]; scalars or arrays."""
    return units * flop_per_clock * clock_hz


@checked
def peak(chip: AChip, dtype: Format):
    """Dense peak [FLOP/s, OP/s for integers] of a chip in a format. Raises NotAvailable."""
    return chip.peak(dtype)


PLACES = {  # field: (group of the table, name there, power of ten of its unit)
    "bytes_per_s": ("memory", "bandwidth_gb_s", 9),
    "capacity_bytes": ("memory", "capacity_gb", 9),
    "memory": ("memory", "kind"),
    "units": ("compute", "count"),
    "unit": ("compute", "unit"),
    "clock_hz": ("compute", "boost_clock_mhz", 6),
    "tdp_w": ("power", "tdp_w"),
    "die_mm2": ("silicon", "die_area_mm2"),
}


@cache
def _table():
    return {record["id"]: _read(record) for record in data.load("accelerators")["devices"]}


def _read(record):
    """One YAML record in base units: TFLOP/s, GB/s, GB and MHz become FLOP/s, B/s, bytes and Hz."""
    groups = {name: value for name, value in record.items() if isinstance(value, dict) and "basis" in value}

    def value(group, name, exponent=None):
        given = groups.get(group, {}).get(name)
        return given if given is None or exponent is None else float(f"{given}e{exponent}")  # exact: 66.9 -> 6.69e13

    told = ("basis", "sources", "except")
    origin = {name: {key: group.get(key, {}) for key in told} for name, group in groups.items()}
    peaks = {
        name: {dtype: value(group, dtype, 12) for dtype in FORMAT_BYTES if value(group, dtype)}
        for name, group in (("matrix", "dense"), ("vector", "vector"), ("sparse", "sparse"))
    }
    plain = {name: value(*where) for name, where in PLACES.items()}
    link, notes = _one_way(groups.get("interconnect", {})), record.get("notes", "").strip()
    own = {name: record[name] for name in ("id", "name", "year", "vendor")}
    return Chip(**own, **peaks, **plain, kind=record["class"], link_bytes_per_s=link, notes=notes, origin=origin)


def _one_way(link):
    """Link rate in one direction [B/s]: a both-ways total is halved; an unstated direction stays unknown."""
    factor = {"per_direction": 1.0, "bidirectional_total": 0.5}.get(link.get("direction"))
    rate = link.get("bandwidth_gb_s")
    return None if factor is None or rate is None else rate * factor * 1e9


AMOUNTS = ("peak_tflops", "flop_per_clock", "clock_mhz", "memory_gb", "bandwidth_gb_s", "link_gb_s")
WAYS = {"format": FORMAT_BYTES, "peak_counts": ("dense", "sparse"), "link_counts": ("one way", "both ways")}
SHEET = ("name", *WAYS, *AMOUNTS)
NEAR = 0.03  # a peak is its units times their clock, but for rounding


def read_sheet(given):
    """The Chip of a datasheet as ten fields, SHEET (a dict): its peak in a format, or {format: peak}, dense or sparse;
    in that format the dense FLOP of all units in a clock, and the clock that it keeps; a link one way or both ways.
    Raises NotAvailable, in one line, for what is missing, what is no field, and the tricks of datasheets."""
    for name in sorted(set(given) ^ set(SHEET), key=str):
        what = "is missing" if name in SHEET else "is no field"
        raise NotAvailable(f"{name} {what}; a datasheet has {', '.join(SHEET)}")
    dtype, counts, ways = (one_of(name, given[name], known) for name, known in WAYS.items())
    told = given["peak_tflops"] if isinstance(given["peak_tflops"], dict) else {dtype: given["peak_tflops"]}
    found = (real(name, (given | {"peak_tflops": told.get(dtype)})[name], low=1e-3, high=1e9) for name in AMOUNTS)
    peak, each, clock, memory, rate, link = found
    times, made = 2 if counts == "sparse" else 1, each * clock / 1e6
    off, product = peak / made, f"flop_per_clock x clock_mhz, {made:,.4g} TFLOP/s"
    if abs(off * times / 2 - 1) < NEAR:  # dense and twice, or sparse and once
        kind = "sparse" if times == 1 else "dense"
        raise NotAvailable(f"peak_tflops {peak:g} is {3 - times} x {product}: a {kind} peak; peak_counts must say so")
    if abs(off / times - 1) > NEAR:
        what = "a boost clock: give what the chip keeps up" if off > times else "one of the three is wrong"
        raise NotAvailable(f"peak_tflops {peak:g}, {counts}, is not {times} x {product}: {what}")
    dense = {name: 1e12 * real("peak_tflops", rate) / times for name, rate in told.items()}
    peaks = {"matrix": dense, "sparse": {name: 2 * rate for name, rate in dense.items() if times == 2}}
    link, clock = link * (5e8 if ways == "both ways" else 1e9), clock * 1e6
    sizes = {"bytes_per_s": rate * 1e9, "capacity_bytes": memory * 1e9, "link_bytes_per_s": link, "clock_hz": clock}
    return Chip("yours", str(given["name"])[:60], **peaks, **sizes, notes="ten fields of a datasheet")


def rents(id):
    """What an hour of a chip cost on demand in 2025 and 2026: rows of data/prices.yaml."""
    rows = [row for row in data.load("prices")["hours"] if row.get("chip") == id and row["kind"] == "on-demand"]
    return [row for row in rows if row["as_of"][:4] in ("2025", "2026")]
