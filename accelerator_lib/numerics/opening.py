"""Opening: four ways to use int8 in one layer, each against bf16. Bytes and peaks only, on the roofline of chapter 3.

a   one row of inputs, weights stored in int8 and unpacked to bf16 for the arithmetic
b   the same with 4,096 rows
c   4,096 rows, everything in int8, in one kernel
d   a smaller layer, everything in int8, but kernels of their own quantise before and dequantise after
"""

from accelerator_lib.checks.signature import checked
from accelerator_lib.hardware import AChip
from accelerator_lib.numerics.regimes import unfused_seconds
from accelerator_lib.roofline import place
from accelerator_lib.workload import Gemm

ONE, MANY, SMALL = Gemm(1, 8192, 8192), Gemm(4096, 8192, 8192), Gemm(2048, 1024, 1024)
NEARLY = 1.95  # times as fast, and more, is called half the time


@checked
def gains(chip: AChip):
    """{way: how many times as fast as bf16}."""
    return {
        "a": place(ONE, chip).seconds / place(ONE, chip, weight_dtype="int8").seconds,
        "b": place(MANY, chip).seconds / place(MANY, chip, weight_dtype="int8").seconds,
        "c": place(MANY, chip).seconds / place(MANY, chip, "int8").seconds,
        "d": place(SMALL, chip).seconds / unfused_seconds(SMALL, chip),
    }


@checked
def halved(chip: AChip):
    """In how many of the four int8 halves the time."""
    return sum(gain >= NEARLY for gain in gains(chip).values())
