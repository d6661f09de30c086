"""Regimes: what fewer bits buy in one product, on the roofline of chapter 3.

    seconds = max(flops / peak of the maths, bytes stored and moved / bandwidth)

Weights only *stored* small are unpacked on the way in. Arithmetic in int8 needs inputs in int8; kernels of their own
that make them, and turn int32 sums back to bf16, move m k (2 read + 1 written) and m n (4 read + 2 written) bytes.
Launches are free unless given. Ignored: caches, kernel quality, the arithmetic of unpacking, scales (a few percent).
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Number, checked
from accelerator_lib.hardware import FORMAT_BYTES, AChip
from accelerator_lib.roofline.roof import Placed, place
from accelerator_lib.workload.work import Gemm, Product

Launch = Number(low=0, high=1, unit="s")
CHOICES = {  # how the product is done: (format of the maths, format of the stored weights)
    "bf16": ("bf16", "bf16"),
    "8-bit weights, bf16 maths": ("bf16", "int8"),
    "4-bit weights, bf16 maths": ("bf16", "int4"),
    "int8 maths, fused": ("int8", "int8"),
    "int8 maths, 4-bit weights, fused": ("int8", "int4"),
    "int8 maths, kernels of their own": ("int8", "int8"),
}
UNFUSED = "int8 maths, kernels of their own"
JOBS = {"one": Gemm(1, 8192, 8192), "many": Gemm(4096, 8192, 8192), "small": Gemm(2048, 1024, 1024)}
NEARLY = 1.95  # times as fast, and more, is called half the time


@dataclass(frozen=True, eq=False)
class Regime:
    """One way to do a product: where its own kernel lies on the roofline, its whole time, what sets the pace."""

    name: str
    placed: Placed
    seconds: float
    speedup: float  # against bf16
    weight_bytes: float

    bound = property(lambda self: self.placed.bound)  # the limit of the product itself: "memory" or "compute"
    rate = property(lambda self: self.placed.work.flops / self.seconds)  # FLOP/s over its whole time


@checked
def unfused_seconds(gemm: Product, chip: AChip, launch_seconds: Launch = 0):
    """Time [s] of an int8 product whose inputs are quantised, and its results dequantised, by kernels of their own."""
    own = place(gemm, chip, "int8", output_dtype="fp32").seconds  # sums of 32 bits leave the kernel
    moved = gemm.m * (3 * gemm.k + 6 * gemm.n)
    return own + moved / chip.need("bytes_per_s") + 3 * launch_seconds


@checked
def regimes(gemm: Product, chip: AChip, launch_seconds: Launch = 0):
    """{name: Regime} of all CHOICES, each with its speed against bf16. Raises NotAvailable where a peak is missing."""
    made = {}
    for name, (maths, weights) in CHOICES.items():
        placed = place(gemm, chip, maths, weights, "fp32" if name == UNFUSED else None)
        whole = unfused_seconds(gemm, chip, launch_seconds) if name == UNFUSED else placed.seconds + launch_seconds
        base = made["bf16"].seconds if made else whole
        made[name] = Regime(name, placed, whole, base / whole, gemm.k * gemm.n * FORMAT_BYTES[weights])
    return made


@checked
def gains(chip: AChip):
    """{way: times as fast as bf16}: int8 stored with one row and with many, int8 maths fused, and in a small product
    with kernels of their own."""
    one, many, small = (regimes(job, chip) for job in JOBS.values())
    stored, maths = "8-bit weights, bf16 maths", "int8 maths, fused"
    found = {"a": one[stored], "b": many[stored], "c": many[maths], "d": small[UNFUSED]}
    return {way: regime.speedup for way, regime in found.items()}


@checked
def halved(chip: AChip):
    """In how many of the four int8 halves the time."""
    return sum(gain >= NEARLY for gain in gains(chip).values())
