"""Products of matrices: waves of the tile that a library takes, the bytes read and written, and a launch.

    seconds = launch + max(waves at share x peak, reads at bandwidth) + writes       gpu.library
    bound   = least of peak and, where the operands fit no cache, of the roofline

What lies between: the clock that the power limit leaves under load (share, one for each family of chips), the bandwidth
that a kernel reaches, the fixed time of a kernel from its launch to its last byte.
"""

import re

from accelerator_lib.data import load
from accelerator_lib.gpu import library
from accelerator_lib.hardware import FORMAT_BYTES, format_bytes
from accelerator_lib.inputs import NotAvailable
from accelerator_lib.roofline import place
from accelerator_lib.units import number, percent, si
from accelerator_lib.validation.devices import named
from accelerator_lib.validation.record import Estimate, amount
from accelerator_lib.workload import Gemm

FREE = {"share": (0.4, 0.7, 1.0), "bandwidth": (0.5, 0.85, 1.0), "launch_us": (0.5, 3.0, 10.0)}
BY_FAMILY = ("share",)
SHAPE = re.compile(r"(\d+)\s*[x×,]\s*(\d+)\s*[x×,]\s*(\d+)")
CACHED = 256e6  # bytes: no last-level cache of these chips is larger


def estimate(row, constants):
    """Estimate of a row of kind gemm [TFLOP/s, or a share of the peak]. Raises NotAvailable."""
    chip, family = named(row["device"])
    dtype = format_of(row)
    peak, share = chip.peak(dtype), constants("share", family)
    whole = {"TFLOP/s": 1e12, "1": peak, "%": peak / 100}.get(row["unit"])
    if whole is None:
        raise NotAvailable(f"{row['metric']} in {row['unit']} is no speed of a product")
    try:
        gemm = shape(row)
    except NotAvailable:
        if not re.search("best|rule|peak", f"{row['workload']} {row['conditions'].get('selection', '')}".lower()):
            raise
        why = f"A shape that fills all waves runs at {percent(share)} of {si(peak, 'FLOP/s')}, its clock under load."
        return Estimate(share * peak / whole, peak / whole, "arithmetic", why)
    rate = constants("bandwidth", family) * chip.need("bytes_per_s")
    output = "bf16" if format_bytes(dtype) < 2 else dtype
    launch, sms = constants("launch_us", family) * 1e-6, chip.units or 1
    hidden = bool(re.search(load("validation")["hidden_sums"], chip.id))
    timed = library.time(gemm, share * peak, rate, sms, dtype, output, launch, hidden)
    roof = place(gemm, chip, dtype, output_dtype=output)
    bound = peak if gemm.bytes_moved(dtype, output_dtype=output) <= CACHED else roof.roof
    why = (
        f"{number(timed.taken.waves)} waves of tiles of {timed.taken.tile_m} x {timed.taken.tile_n} on {sms} units leave "
        f"{percent(timed.taken.share)}, the clock under load {percent(share)} of {si(peak, 'FLOP/s')}; "
        f"with reads, writes and launch {si(timed.seconds, 's')}."
    )
    return Estimate(gemm.flops / timed.seconds / whole, bound / whole, timed.limit, why)


def shape(row):
    """The product of a row, its groups one below the other. Raises NotAvailable."""
    stated, groups = row["conditions"], row["conditions"].get("groups") or row["conditions"].get("batch") or 1
    if not isinstance(groups, int) or isinstance(groups, bool):
        raise NotAvailable(f"groups must be a whole number, not {groups!r}")
    written = SHAPE.search(f"{stated.get('shape', '')} {stated.get('size', '')} {row['workload']}")
    if written and not any(stated.get(name) for name in "MmNnKk"):
        m, n, k = (int(each) for each in written.groups())
    elif isinstance(stated.get("size"), int):
        m = n = k = int(amount(row, "size"))
    else:
        m = int(amount(row, "M", "m", "M_per_group", "m_per_group"))
        n, k = int(amount(row, "N", "n")), int(amount(row, "K", "k"))
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
    for dtype in sorted(FORMAT_BYTES, key=words.find):
        if dtype in words:
            return dtype
    if usual or "rule" in words:
        return usual or "bf16"
    raise NotAvailable(f"{row['id'] or 'the row'} does not state dtype: one of {', '.join(FORMAT_BYTES)}")
