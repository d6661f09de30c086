"""Designs, checked; real chips told as designs."""

import numpy as np
import pytest

from accelerator_lib import design, hardware
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import machine

GOOD = {"edge": 128, "arrays": 20, "sram_mb": 128, "stacks": 6, "clock_hz": 1.5e9, "link_bytes_per_s": 300e9}


@pytest.mark.parametrize("id", design.reals())
def test_a_real_chip_has_the_peak_that_is_published(id):
    one, chip = design.real(id), hardware.chip(id)
    assert one.peak == pytest.approx(chip.peak("bf16"), rel=0.003)
    assert (one.memory_bytes, one.memory_bytes_per_s) == (chip.capacity_bytes, chip.bytes_per_s)


def test_eight_bits_go_through_twice_as_fast():
    wide, narrow = design.Design(**GOOD), design.Design(**GOOD, dtype="fp8")
    assert narrow.peak == 2 * wide.peak == 4 * 20 * 128**2 * 1.5e9
    assert (wide.machine().element_bytes, narrow.machine().element_bytes) == (2, 1)
    assert [design.Design(**GOOD, dtype=t).machine().cache_bytes for t in machine.FORMATS] == [2, 1, 2]


def test_a_design_has_the_memory_of_its_stacks():
    one = design.Design(**GOOD).machine()
    assert (one.memory_bytes_per_s, one.memory_bytes) == (6 * 669.952e9, 96e9)
    assert one.memory_bytes_per_s / 6 * 5 == pytest.approx(hardware.chip("h100-sxm5").bytes_per_s, rel=1e-3)


def test_many_machines_broadcast():
    many = machine.machines(np.array([[64.0], [128.0]]), 4.0, 32.0, np.arange(3.0), 1e9, 1e11)
    assert many.memory_bytes.tolist() == [0, 16e9, 32e9] and many.process.logic == 1.84


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"edge": 0}, "edge = 0 is outside"),
        ({"edge": 12.5}, "edge must be whole"),
        ({"arrays": -1}, "arrays = -1"),
        ({"sram_mb": float("nan")}, "sram_mb is not a number"),
        ({"stacks": 65}, "stacks = 65"),
        ({"clock_hz": 0}, "clock_hz = 0 Hz"),
        ({"clock_hz": float("inf")}, "clock_hz = inf"),
        ({"link_bytes_per_s": -3e11}, "link_bytes_per_s"),
        ({"node": 3}, "node = 3 nm"),
        ({"dtype": "fp9"}, "dtype 'fp9' is unknown"),
        ({"edge": [64, 128]}, "edge must be one whole number"),
    ],
)
def test_bad_designs_are_refused_in_one_line(wrong, says):
    with pytest.raises((ValueError, TypeError, KeyError), match=says.replace("(", r"\(")) as caught:
        design.Design(**{**GOOD, **wrong})
    assert "\n" not in str(caught.value)


def test_a_typo_in_an_id_is_answered():
    with pytest.raises(UnknownName, match="did you mean .*'h100-sxm5'"):
        design.real("h100-sxm")
    with pytest.raises(TypeError, match="design must be a Design or the id of a real chip, not int 7"):
        design.area_mm2(7)
