"""Zoo: 86 records of 75 accelerators, and what each does per chip, per watt, per square millimetre, per dollar.
    equal terms   dense, one format, the highest power a part is set to, a dated offer; unpublished stays blank
    as printed    the largest figure in print, whatever its format and whatever it counts; the lowest power
Two collections (accelerators.yaml, machines.yaml) hold eleven parts both; where they differ, neither is preferred.
"""

from dataclasses import dataclass

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, OneOf, Positive, Single, Switch, checked

KINDS = {"gpu": "GPU", "tpu": "TPU, dataflow, ASIC", "sram": "SRAM machine", "edge": "edge", "soc": "part of a PC chip"}
KINDS |= {"cpu": "CPU", "fpga": "FPGA", "exotic": "analog, spikes"}
FORMATS = {"16 bits": ("bf16", "fp16"), "FP8": ("fp8",), "INT8": ("int8",), "FP4": ("fp4",)}
PER = ("chip", "W", "mm²", "$/h")
OWN_WORDS = {"unstated": "format not stated", "block_fp8": "block FP8", "block_fp16": "block FP16"}


@dataclass(frozen=True)
class Record:
    """One part as one collection has it. Peaks in OP/s, dense; watts from the lowest to the highest setting."""

    id: str
    name: str
    vendor: str
    year: int
    kind: str
    table: str
    part: str  # the id under which both collections' records of one part go
    peaks: tuple  # (format, OP/s)
    printed: tuple | None  # (OP/s, in words what it counts)
    watts: tuple | None  # (lowest, highest)
    die_mm2: float | None  # of all dies
    memory_bytes: float | None
    bytes_per_s: float | None
    sram_bytes: float | None
    basis: str
    offer: tuple | None = None  # the cheapest of 2025 and 2026: (dollars an hour, by whom, when)

    def peak(self, dtype):
        """Dense OP/s in a format of FORMATS; None where it is not published."""
        known = dict(self.peaks)
        return max((known[name] for name in FORMATS[dtype] if known.get(name)), default=None)


Kind, Format, Per = OneOf(("all", *KINDS)), OneOf(FORMATS), OneOf(PER)
ARecord = Given("a record of the zoo or its id", lambda given: record(given))


@data.kept
def records():
    """{id: Record}: all of both collections, the catalogue first."""
    first = {entry["id"]: _chip(entry) for entry in data.load("accelerators")["devices"]}
    return first | {entry["id"]: _machine(entry) for entry in data.load("machines")["devices"]}


def record(given):
    """A Record as it is, or that of an id. Raises UnknownName."""
    return given if isinstance(given, Record) else records()[one_of("record", given, records())]


@checked
def figure(record: ARecord, dtype: Format = "16 bits", per: Per = "chip", equal: Switch = True):
    """OP/s of a record, per chip, watt, mm² or dollar an hour; None where a number for it is not published."""
    top = record.peak(dtype) if equal else record.printed and record.printed[0]
    watts, dollars = record.watts and record.watts[1 if equal else 0], record.offer and record.offer[0]
    by = dict(zip(PER, (1, watts, record.die_mm2, dollars), strict=True))[per]
    return top / by if top and by else None


@dataclass(frozen=True)
class Alike:  # two parts in like units: dense FP16 a watt [OP/s/W] of one that is sold in sparse INT8, and of another
    sparse: float
    dense: float
    leader = property(lambda self: "the first" if self.sparse > self.dense else "the second")
    best = property(lambda self: max(self.sparse, self.dense))


@checked
def alike(sparse_int8: Single(Positive), watts: Single(Positive), fp16: Single(Positive), others: Single(Positive)):
    """Alike: half of sparse is dense, and half of INT8 is FP16."""
    return Alike(sparse_int8 / 4 / watts, fp16 / others)


@dataclass(frozen=True)
class Sight:  # the zoo from one side: for every record its figure or None, the best first, then the blank ones by year
    kind: str
    dtype: str
    per: str
    equal: bool
    rows: tuple  # (Record, OP/s per ... or None)
    kept = property(lambda self: tuple(row for row in self.rows if self.kind in ("all", row[0].kind)))
    known = property(lambda self: tuple(row for row in self.kept if row[1]))  # those with a figure, of that kind
    blank = property(lambda self: tuple(row for row in self.kept if not row[1]))


@checked
def look(kind: Kind = "all", dtype: Format = "16 bits", per: Per = "chip", equal: Switch = True):
    """Sight of all 86 records."""
    rows = [(row, figure(row, dtype, per, equal)) for row in records().values()]
    return Sight(kind, dtype, per, equal, tuple(sorted(rows, key=lambda row: (-(row[1] or 0), row[0].year))))


def _offer(id):
    best = min(hardware.rents(id), key=lambda row: row["usd_per_hour"], default=None)
    return best and (best["usd_per_hour"], best["provider"], best["as_of"])


def _chip(entry):
    chip = hardware.chip(entry["id"])
    groups = {"matrix unit, dense": chip.matrix, "ordinary units": chip.vector, "with sparsity": chip.sparse}
    printed = [(peak, f"{dtype.upper()}, {what}") for what, peaks in groups.items() for dtype, peak in peaks.items()]
    what = chip.id, chip.short_name, chip.vendor, chip.year, chip.kind, "accelerators", chip.id
    peaks, watts = (tuple(chip.matrix.items()), max(printed, default=None)), chip.tdp_w and (chip.tdp_w, chip.tdp_w)
    sizes = chip.die_mm2, chip.capacity_bytes, chip.bytes_per_s, None
    return Record(*what, *peaks, watts, *sizes, entry["dense"]["basis"], _offer(chip.id))


def _machine(entry):
    watts, memory, sram = entry["tdp_w"], entry["memory"], entry["sram"]["capacity_mb"]
    die, dies = entry["die_area_mm2"], entry.get("details", {}).get("chips", 1)
    peaks = tuple((dtype, value * 1e12) for dtype, value in entry["dense"].items() if value)
    own = entry.get("other", {}).items()
    printed = [(value, f"{dtype.upper()}, dense") for dtype, value in peaks]
    printed += [(value * 1e12, OWN_WORDS.get(dtype, dtype)) for dtype, value in own]
    if "marketed" in entry:
        said = entry["marketed"]
        counts = f"{OWN_WORDS.get(said['format'], said['format'].upper())}, {said['what']}"
        printed.append((said["value"] * 1e12, counts))
    what = (entry[name] for name in ("id", "name", "vendor", "year", "class"))
    part, watts = entry.get("twin", entry["id"]), tuple(watts) if isinstance(watts, list) else watts and (watts, watts)
    held = [memory[name] * 1e9 if memory[name] else None for name in ("capacity_gb", "bandwidth_gb_s")]
    sizes = die and die * dies, *held, sram and sram * 1e6
    return Record(*what, "machines", part, peaks, max(printed, default=None), watts, *sizes, entry["basis"])
