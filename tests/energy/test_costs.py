import numpy as np
import pytest

from accelerator_lib import energy
from accelerator_lib.energy import chips
from accelerator_lib.hardware import chip
from accelerator_lib.workload import Gemm

A100, H100 = chip("a100-80gb-sxm"), chip("h100-sxm5")


def test_the_check_block_of_the_curriculum():
    memory, arithmetic = energy.memory_watts(A100.bytes_per_s, "hbm2_low"), energy.compute_watts(312e12, "fp16")
    assert memory == pytest.approx(63.71875) and arithmetic == pytest.approx(78.0)
    g = Gemm(1, 4096, 4096)
    maths, moves = energy.gemm_joules(g, "fp16"), energy.access_pj(4096 * 4096 * 2, "hbm2_low") * 1e-12
    assert maths == pytest.approx(8.388608e-06) and moves == pytest.approx(1.048576e-03)
    assert energy.layer(g).arithmetic_share == pytest.approx(maths / (maths + moves))
    point = energy.dvfs(1.0 / 1.41)
    assert point.power == pytest.approx(0.3567324873779128) and point.speed_per_watt == pytest.approx(1.9881)


def test_an_access_is_charged_by_the_byte_whatever_its_width_in_the_table():
    assert energy.access_pj(8, "sram_8kb") == 7.5 and energy.access_pj(1, "sram_8kb") == 7.5 / 8
    assert energy.access_pj(4, "register", 45) == 1.0
    assert energy.access_pj(1, "hbm3e_skhynix") == pytest.approx(8 * 3.44)
    assert np.allclose(energy.access_pj(np.array([8, 16]), "hbm2_low"), [250, 500])


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (
            lambda: energy.mac_pj("bf16", 45),
            "no mult in 'bf16' at 45 nm is published; there are fp16, fp32, int32, int8",
        ),
        (lambda: energy.mac_pj("fp16", 5), "node = 5 is not tabulated; allowed: 45 or 7 nm"),
        (lambda: energy.access_pj(1, "register"), "register at 7 nm is not published; it is at 45 nm"),
        (lambda: energy.access_pj(1, "hbm2"), "did you mean"),
        (lambda: energy.access_pj(-1, "ddr"), "bytes_moved = -1 B is outside"),
        (lambda: energy.gemm_joules(3, "fp16"), "gemm must be a product"),
        (lambda: energy.capped_clock(100, energy.Power(100, 300)), "no clock is slow enough"),
        (lambda: energy.battery_hours(10, 0), "device_watts = 0"),
        (lambda: chips.sanity("tpu-v4"), "tdp_w of Google TPU v4 is unknown"),
    ],
)
def test_what_cannot_be_answered_is_said_in_one_line(call, line):
    with pytest.raises((ValueError, KeyError, TypeError), match=line):
        call()


def test_a_layer_pays_for_its_weights_once_however_many_rows_pass():
    one, many = (
        energy.layer(Gemm(1, 512, 256), "int8", "sram_1mb"),
        energy.layer(Gemm(64, 512, 256), "int8", "sram_1mb"),
    )
    assert one.movement == many.movement == pytest.approx(512 * 256 * 14 / 8 * 1e-12)
    assert many.arithmetic == pytest.approx(64 * one.arithmetic) and one.total == one.arithmetic + one.movement


def test_a_wider_sum_costs_the_wider_addition():
    narrow, wide = energy.mac_pj("fp16"), energy.mac_pj("fp16", accumulator="fp32")
    assert wide - narrow == pytest.approx(energy.operation("add", "fp32").pj - energy.operation("add", "fp16").pj)
