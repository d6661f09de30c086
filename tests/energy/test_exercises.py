"""Wrong solutions of the exercises, and their keys found again on another road."""

from dataclasses import replace

import pytest

from accelerator_lib import energy, hardware
from accelerator_lib.exercises import energy as exercises


def layer_report(m, n, k, dtype, level, pj=energy.mac_pj, elements=lambda m, n, k: k * n, size=None):
    arithmetic = m * n * k * pj(dtype) * 1e-12
    movement = energy.access_pj(elements(m, n, k) * (size or hardware.format_bytes(dtype)), level) * 1e-12
    return arithmetic, movement, arithmetic + movement


def clock(static, dynamic, ratio, power_of_work=1):
    f = ratio(static, dynamic) ** (1 / 3)
    return f, f**power_of_work * (static + dynamic) / (static + dynamic * f**3)


WATTS = exercises.sanity


def arithmetic_changed(chip, change):
    """The right watts, with `change(peak, dtype, wide format)` in place of those of the arithmetic."""
    dtype = next(name for name in ("fp16", "bf16", "int8") if name in chip.matrix)
    wide = "int32" if dtype == "int8" else "fp32"
    right = energy.compute_watts(chip.peak(dtype), dtype, accumulator=wide)
    return WATTS(chip) - right + change(chip.peak(dtype), dtype, wide)


def every_memory_is_hbm2(chip):
    return WATTS(replace(chip, memory="HBM2"))


def sums_no_wider_than_products(chip):
    return arithmetic_changed(chip, lambda peak, dtype, wide: energy.compute_watts(peak, dtype))


def a_mac_for_each_flop(chip):
    return arithmetic_changed(chip, lambda peak, dtype, wide: energy.compute_watts(2 * peak, dtype, accumulator=wide))


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "08.1": [
        (lambda *layer: layer_report(*layer, pj=lambda dtype: 2 * energy.mac_pj(dtype)), "1 x 4096 x 4096, fp16"),
        (lambda *layer: layer_report(*layer, elements=lambda m, n, k: m * k + k * n + m * n), "hbm2_low, movement"),
        (lambda *layer: layer_report(*layer, size=2), "int8, sram_1mb, movement"),
        (lambda *layer: layer_report(*layer, elements=lambda m, n, k: m * n), "1 x 4096 x 4096, fp16, hbm2_low"),
    ],
    "08.2": [
        (lambda s, d: clock(s, d, lambda s, d: s / d), "100 W static and 300 W dynamic, the clock"),
        (lambda s, d: clock(s, d, lambda s, d: s / (3 * d)), "100 W static and 300 W dynamic, the clock"),
        (lambda s, d: clock(s, d, lambda s, d: s / (2 * d), 0), "100 W static and 300 W dynamic, the gain"),
        (lambda s, d: (1.0, 1.0), "100 W static and 300 W dynamic, the clock"),
    ],
    "08.3": [
        (every_memory_is_hbm2, "For t4"),
        (sums_no_wider_than_products, "For v100-sxm2-32gb"),
        (a_mac_for_each_flop, "For v100-sxm2-32gb"),
    ],
}


def test_the_clock_that_is_searched_is_where_the_slope_is_zero():
    for static, dynamic in ((100, 300), (20, 300), (200, 200)):
        f, gain = exercises.searched(static, dynamic)
        assert 2 * dynamic * f**3 == pytest.approx(static, rel=2e-3)  # d/df (static / f + dynamic f^2) = 0
        assert gain == pytest.approx(
            f * (static + dynamic) / (1.5 * static), rel=2e-3
        )  # there dynamic f^3 is static / 2
