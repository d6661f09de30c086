"""TPU: an array that is fed by a memory. Weights come tile by tile; while one is used, the next is on its way.

    tile cycles = max(m rows of inputs that stream through, rows to shift the next tile in,
                      rows x cols x bytes / bandwidth x clock)

Ignored: partly filled tiles, activations that do not fit on the chip, vector work, waiting for the host.
Source of the measurements: N. Jouppi et al., "In-datacenter performance analysis of a tensor processing unit", 2017.
"""

from dataclasses import dataclass, field

from accelerator_lib import data, hardware, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.checks.signature import BytesPerS, Count, Given, Number, Single, checked
from accelerator_lib.hardware import AChip, Format, format_bytes
from accelerator_lib.roofline.roof import binding

Factor, Clock = Single(Number(low=0.01, high=1000, unit="x")), Number(high=1e12, unit="Hz")
Edge = Count(high=2**16)


@dataclass(frozen=True)
@checked
class Arrays:
    """Equal systolic arrays of edge x edge PEs behind one memory; `peaks` [OP/s] where formats differ in speed."""

    edge: Edge
    arrays: Count(high=2**20)
    clock_hz: Clock
    bytes_per_s: BytesPerS
    peaks: dict = field(default_factory=dict)  # by format; empty: every format at one multiply-add a PE and clock
    name: str = "these arrays"

    def peak(self, dtype="bf16"):
        """Operations a second [OP/s] with every PE at work. Raises NotAvailable for a format that there is not."""
        if self.peaks and dtype not in self.peaks:
            raise NotAvailable(f"{self.name} have no {dtype} peak; there are {', '.join(self.peaks)}")
        return self.peaks.get(dtype) or hardware.peak_from_units(self.arrays * self.edge**2, 2, self.clock_hz)


@checked
def arrays_of(chip: AChip):
    """Arrays of a TPU by id: published edge, number, peaks, bandwidth; an unpublished clock is what a peak implies."""
    table = {entry["chip"]: entry for entry in data.load("systolic")["arrays"]}
    if chip.id not in table:
        raise NotAvailable(f"the arrays of {chip.name} are not published; there are those of {', '.join(table)}")
    edge, count = table[chip.id]["edge"], table[chip.id].get("arrays_from_peak", table[chip.id]["arrays"])
    slowest = min(chip.matrix.values())
    clock = chip.clock_hz or slowest / (2 * count * edge**2)
    return Arrays(edge, count, clock, chip.need("bytes_per_s"), dict(chip.matrix), f"the arrays of {chip.name}")


@dataclass(frozen=True)
class Balance:
    """A TPU: the edge of its arrays, and the rows of inputs at which weights arrive as fast as they are used up."""

    chip: hardware.Chip
    edge: int
    rows: float


def balances():
    """(Balance, ...) of all TPUs, with weights in bf16, or in int8 where a chip has no bf16."""
    found = []
    for entry in data.load("systolic")["arrays"]:
        chip = hardware.chip(entry["chip"])
        kind = "bf16" if "bf16" in chip.matrix else "int8"
        weights_per_s = chip.bytes_per_s / format_bytes(kind)
        found.append(Balance(chip, entry["edge"], chip.peak(kind) / 2 / weights_per_s))
    return tuple(found)


@dataclass(frozen=True)
class WeightTile:
    """One tile of weights in a steady state; times in cycles, may be fractions."""

    stream_cycles: float
    shift_cycles: float
    memory_cycles: float

    cycles = property(lambda self: max(self.stream_cycles, self.shift_cycles, self.memory_cycles))
    # share of the cycles in which inputs stream through the array
    active = property(lambda self: self.stream_cycles / self.cycles)

    @property
    def bound(self):
        """What the others wait for: "arithmetic", "shifting weights in" or "memory"."""
        inside = {"arithmetic": self.stream_cycles, "shifting weights in": self.shift_cycles}
        return binding(**inside, memory=self.memory_cycles)


@checked
def tile(m: Number(1, 1e12), edge: Edge, bytes_per_s: BytesPerS, clock_hz: Clock, dtype: Format = "int8"):
    """WeightTile of edge x edge weights that m rows of inputs pass through (for convolutions: uses of a weight)."""
    return WeightTile(m, edge, edge**2 * format_bytes(dtype) / bytes_per_s * clock_hz)


@dataclass(frozen=True)
@checked
class Part:
    """Weights of a network, each used so often; of a tile's places so many `filled`; a row takes `passes` cycles."""

    weights: Number(1, 1e15)
    uses: Number(1, 1e12)
    filled: Number(0.001, 1) = 1.0
    passes: Count(high=16) = 1


@dataclass(frozen=True)
class Counters:
    """What counters would say of a network's parts, one after the other: shares of all cycles, and time [s]."""

    active: float  # inputs stream through the array
    shifted: float  # weights move into it, and nothing streams
    stalled: float  # it waits for weights
    seconds: float
    macs: float

    ops_per_s = property(lambda self: 2 * self.macs / self.seconds)  # useful work [OP/s]


def _parts(parts):
    parts = [parts] if isinstance(parts, Part) else list(parts)
    if not parts or not all(isinstance(part, Part) for part in parts):
        raise TypeError("parts must be one tpu.Part or a list of them")
    return parts


Parts = Given("Parts, one or more", _parts)


@checked
def counters(parts: Parts, edge: Edge, bytes_per_s: BytesPerS, clock_hz: Clock, kept: Number(0.01, 1) = 1.0):
    """Counters of a network whose tiles take `kept` of all cycles; the rest goes to vectors, hazards and the host."""
    active = shifted = stalled = total = 0.0
    for part in parts:
        own = tile(part.uses * part.passes, edge, bytes_per_s, clock_hz)
        tiles = part.weights / part.filled / edge**2
        idle = own.cycles - own.stream_cycles
        active, total = active + tiles * own.stream_cycles, total + tiles * own.cycles / kept
        shifted, stalled = shifted + tiles * min(edge, idle), stalled + tiles * max(idle - edge, 0)
    macs = sum(part.weights * part.uses for part in parts)
    return Counters(active / total, shifted / total, stalled / total, total / clock_hz, macs)


@dataclass(frozen=True)
class Application:
    """One of the first TPU's workloads: what was published, and two predictions [OP/s]."""

    name: str
    batch: int
    weights: float
    uses: float  # multiply-accumulates for each byte of weights
    passes: int  # cycles that a row of inputs takes
    delivered: float  # OP/s, published
    active: float  # share of cycles in which the array was in use, published
    useful: float  # share of all PE-cycles that did useful work, published
    stalled: float  # share of cycles in which it waited for weights, published
    roofline: float
    tiled: float
    tile: WeightTile

    # of the array's PEs, how many did useful work while it was in use: both shares are counters of one run
    filled = property(lambda self: self.useful / self.active)
    # share of cycles neither in use nor waiting: shifting weights in, and work without matrices
    rest = property(lambda self: 1 - self.active - self.stalled)
    miss = property(lambda self: self.tiled / self.delivered)  # predicted by the time of tiles / delivered


@checked
def applications(bandwidth: Factor = 1.0, batch: Factor = 1.0):
    """Applications of the first TPU, as if its memory were `bandwidth` times as fast and its batches so much larger."""
    return tuple(_predicted(row, bandwidth, batch) for row in data.load("systolic")["tpu_applications"])


def _predicted(row, bandwidth, batch):
    chip, uses = hardware.chip(row["chip"]), row["macs_per_weight_byte"] * batch
    networks = {entry["name"]: entry for entry in data.load("systolic")["tpu_networks"]}
    passes = networks[row["name"]].get("passes", 1)
    peak, rate = chip.peak("int8") / passes, chip.bytes_per_s * bandwidth
    own = tile(max(uses * passes, 1), arrays_of(chip).edge, rate, chip.clock_hz)
    published = (row["delivered_ops_per_s"], row["active"], row["useful"], row["stalled"])
    predicted = (float(roofline.attainable(2 * uses, peak, rate)), own.active * peak, own)
    return Application(row["name"], row["batch"], row["weights"], uses, passes, *published, *predicted)
