"""Products of matrices: waves of the tile that a library takes, the bytes read and written, and a launch.

    seconds = launch + max(waves at share x peak, reads at bandwidth) + writes       gpu.library
share: the clock that the power limit leaves under load, one for each family of chips (a row's own lower limit slows it
further, energy.capped_clock); bandwidth: what a kernel reaches; launch: from there to a kernel's last byte.
"""

import re
from typing import NamedTuple

from accelerator_lib import energy
from accelerator_lib.checks.inputs import NotAvailable, real, shown, whole
from accelerator_lib.data import load
from accelerator_lib.gpu import library
from accelerator_lib.hardware import FORMAT_BYTES, format_bytes
from accelerator_lib.roofline import place
from accelerator_lib.units import percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, amount, free, is_number, one, remembered
from accelerator_lib.workload import Gemm

FREE, BY_FAMILY = free("gemm")
SHAPE = re.compile(r"(\d+)\s*[x×,]\s*(\d+)\s*[x×,]\s*(\d+)")
CACHED = 256e6  # bytes: no last-level cache of these chips is larger


def estimate(row, constants):
    """Estimate of a row of kind gemm [TFLOP/s, TOP/s, ms, or a share of the peak]. Raises NotAvailable."""
    job = read(row)
    share = constants("share", job.family) * job.clock
    if job.timed is None:
        why = f"A shape that fills all waves holds {percent(share)} of {si(job.peak, 'FLOP/s')}: the clock under load."
        return Estimate(share * job.bound, job.bound, "arithmetic", why)
    timed = job.timed.at(share, constants("bandwidth"), constants("launch_us") * 1e-6)
    took, seconds = timed.taken, timed.seconds
    filled = f"{took.waves:,} {'wave' if took.waves == 1 else 'waves'} to {percent(took.share)}"
    why = f"Tiles of {took.tile_m} x {took.tile_n} fill {filled}, and under "
    why += f"load the chip holds {percent(share)} of its peak of {si(job.peak, 'FLOP/s')}; with reads, writes and the "
    why += f"launch that takes {si(seconds, 's')}."
    if row["unit"] == "ms":
        return Estimate(seconds * 1e3, job.work / job.bound * 1e3, timed.limit, why)
    return Estimate(job.work / seconds, job.bound, timed.limit, why)


class Read(NamedTuple):
    """What a row states, before anything is fitted: its peak, its times at full rates (None: any shape), its bound."""

    family: str
    peak: float
    work: float  # of the row's unit, times seconds
    bound: float  # in the row's unit
    timed: library.Timed | None
    clock: float  # under a power limit that is lower than the chip's own, of the clock without


@remembered
def read(row):
    """Read of a row. Raises NotAvailable."""
    chip, family = named(row["device"])
    dtype = format_of(row)
    peak = chip.peak(dtype)
    one = {"TFLOP/s": 1e12, "TOP/s": 1e12, "ms": 1.0, "1": peak, "%": peak / 100}.get(row["unit"])
    if one is None:
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no speed of a product")
    try:
        gemm = shape(row)
    except NotAvailable:
        said = f"{row['workload']} {row['conditions'].get('selection', '')}".lower()
        if row["unit"] == "ms" or not re.search("best|rule|peak", said):
            raise
        return Read(family, peak, 0.0, peak / one, None, limited(row, chip))
    output = "bf16" if format_bytes(dtype) < 2 else dtype
    hidden = bool(re.search(load("validation")["hidden_sums"], chip.id))
    timed = library.time(gemm, peak, chip.need("bytes_per_s"), chip.units or 1, dtype, output, hidden=hidden)
    roof = place(gemm, chip, dtype, output_dtype=output).roof
    bound = peak if gemm.bytes_moved(dtype, output_dtype=output) <= CACHED else roof
    return Read(family, peak, gemm.flops / one, bound / one, timed, limited(row, chip))


def limited(row, chip):
    """Clock under the power limit that a row states, of that under the chip's own; all power taken as the cores'."""
    cap = one(row, "power_limit_w")
    if not is_number(cap) or not chip.tdp_w:
        return 1.0
    return energy.capped_clock(min(real("power_limit_w", cap), chip.tdp_w), energy.Power(0.0, chip.tdp_w))


def shape(row):
    """The product of a row, its groups one below the other. Raises NotAvailable."""
    stated, groups = row["conditions"], row["conditions"].get("groups") or row["conditions"].get("batch") or 1
    if not isinstance(groups, int) or isinstance(groups, bool):
        raise NotAvailable(f"groups must be a whole number, not {shown(groups)}")
    written = SHAPE.search(f"{stated.get('shape', '')} {stated.get('size', '')} {row['workload']}")
    if written and not any(stated.get(name) for name in "MmNnKk"):
        m, n, k = (int(each) for each in written.groups())
    elif isinstance(stated.get("size"), int):
        m = n = k = int(amount(row, "size"))
    else:
        edges = ("M", "m", "M_per_group", "m_per_group"), ("N", "n"), ("K", "k")
        m, n, k = (int(whole(names[0], amount(row, *names))) for names in edges)
    return Grouped(m * groups, n, k, groups) if groups > 1 else Gemm(m, n, k)


class Grouped(Gemm):
    """Products of equal shape in one launch, each with weights of its own: rows of all, weights of each."""

    def __init__(self, m, n, k, groups):
        super().__init__(m, n, k)
        object.__setattr__(self, "groups", groups)

    def bytes_moved(self, dtype="bf16", weight_dtype=None, output_dtype=None):
        """Compulsory traffic [byte]: weights once for each group."""
        more = (self.groups - 1) * self.k * self.n * format_bytes(weight_dtype or dtype)
        return super().bytes_moved(dtype, weight_dtype, output_dtype) + more


def format_of(row, usual=None):
    """The number format that a row states, in its conditions or its words. Raises NotAvailable."""
    words = str(row["conditions"].get("dtype") or row["conditions"].get("precision") or row["workload"]).lower()
    words = words.replace("float", "fp").replace("bfp16", "bf16").replace("half", "fp16")
    words = "int8" if words == "sq" else words  # as profiles call it
    for dtype in sorted(FORMAT_BYTES, key=words.find):
        if dtype in words:
            return dtype
    if usual or "rule" in words:
        return usual or "bf16"
    raise NotAvailable(f"{row['id']} does not state dtype: one of {', '.join(FORMAT_BYTES)}")
