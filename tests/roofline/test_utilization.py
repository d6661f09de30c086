import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, roofline

A100, H100 = hardware.chip("a100-80gb-sxm"), hardware.chip("h100-sxm5")


def test_mfu_reproduces_published_training_runs():
    row = data.rows("training")["llama3_405b_8192_8192_mfu"]
    tokens_per_s = 430e12 * row["n_devices"] / (6 * 405e9)  # 430 TFLOP/s a GPU in the same table
    assert roofline.mfu(405e9, tokens_per_s, row["n_devices"], H100.peak("bf16")) * 100 == pytest.approx(
        row["value"], abs=0.6
    )


def test_mbu_reproduces_a_published_decode_speed():
    row = data.rows("decode")["gptfast_7b_bf16"]
    share = roofline.mbu(2 * 6_738_415_616, 1 / row["value"], A100.bytes_per_s)
    assert share == pytest.approx(row["conditions"]["reported_gb_s"] * 1e9 / A100.bytes_per_s, rel=0.02)


def test_amdahl_by_hand_and_by_simulation():
    assert roofline.amdahl(0.8, 16) == pytest.approx(4.0)
    assert roofline.amdahl(0.98, 10) == pytest.approx(8.47457627118644)
    old, new = 100.0, 20.0 + 80.0 / 16
    assert roofline.amdahl(0.8, 16) == pytest.approx(old / new)
    assert list(roofline.amdahl(np.array([0.5, 1.0]), 4)) == [roofline.amdahl(0.5, 4), 4]


@given(st.floats(0, 0.99), st.floats(1, 1e6))
def test_no_speed_up_of_a_part_beats_the_part_that_stays(fraction, speedup):
    gain = roofline.amdahl(fraction, speedup)
    assert gain * (1 + 1e-12) >= 1 and gain <= 1 / (1 - fraction) * (1 + 1e-12)


def test_a_sixteenfold_unit_gains_more_from_more_work_than_from_more_speed():
    assert roofline.amdahl(0.8, 64) == pytest.approx(4.71, abs=0.01)
    assert roofline.amdahl(0.9, 16) == pytest.approx(6.4)


def test_the_same_step_is_idle_by_one_gauge_and_busy_by_the_other():
    params, seconds = data.load("models")["models"]["llama-2-7b"]["params"], 9.5e-3
    mfu = roofline.mfu(params, 1 / seconds, 1, A100.peak("bf16"), flops_per_param=2)
    assert mfu == pytest.approx(0.0045, rel=0.02)
    assert roofline.mbu(2 * params, seconds, A100.bytes_per_s) == pytest.approx(0.70, abs=0.01)


def test_a_speed_above_the_machine_is_more_than_one():
    assert roofline.mfu(7e9, 30_000, 1, H100.peak("bf16")) > 1


def test_arrays_are_taken_wherever_numbers_are():
    assert list(roofline.mfu(7e9, np.array([1e3, 2e3]), 1, 1e15)) == [roofline.mfu(7e9, t, 1, 1e15) for t in (1e3, 2e3)]
