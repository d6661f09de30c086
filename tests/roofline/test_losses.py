import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, roofline
from accelerator_lib.roofline import losses

H100 = hardware.chip("h100-sxm5")


def test_launches_that_are_queued_ahead_hide_behind_kernels_until_the_queue_runs_dry():
    """300 kernels of 6.87 ms / 300 = 22.9 us hide launches of 5 us, all but the first; 2,000 of 3.4 us do not."""
    step = losses.launched_step(300, 5e-6, 6.87e-3)
    assert step.idle_seconds == pytest.approx(5e-6) and step.seconds == pytest.approx(6.875e-3)
    dry = losses.launched_step(2000, 5e-6, 6.87e-3)
    assert dry.seconds == pytest.approx(2000 * 5e-6 + 6.87e-3 / 2000)
    assert losses.launched_step(0, 5e-6, 1e-3).seconds == 1e-3
    assert step.one_by_one_seconds == pytest.approx(8.37e-3)


@given(st.integers(0, 300), st.floats(0, 1e-4), st.floats(1e-6, 1))
def test_a_step_ends_when_its_last_kernel_has_ended(kernels, launch, work):
    """Played on two clocks: the host launches without a pause, a kernel starts when it is launched and the chip free."""
    host = chip = 0.0
    for _ in range(kernels):
        host += launch
        chip = max(host, chip) + work / kernels
    step = losses.launched_step(kernels, launch, work)
    assert step.seconds == pytest.approx(chip if kernels else work)
    assert work <= step.seconds <= step.one_by_one_seconds * (1 + 1e-9)


def test_arrays_are_taken_wherever_numbers_are():
    work = np.array([1e-3, 1e-2])
    assert list(losses.launched_step(300, 5e-6, work).seconds) == [
        losses.launched_step(300, 5e-6, w).seconds for w in work
    ]


@given(st.integers(1, 300), st.floats(0, 1e-4), st.floats(1e-7, 1e-2))
def test_steps_in_a_row_pay_for_the_first_launch_only_once(kernels, launch, work):
    steady = losses.launched_step(kernels, launch, work).steady_seconds
    many = losses.launched_step(1000 * kernels, launch, 1000 * work).seconds
    assert steady == pytest.approx(max(kernels * launch, work))
    assert abs(many - 1000 * steady) <= (launch + work / kernels) * (1 + 1e-6)


A100 = hardware.chip("a100-80gb-sxm")


def test_published_utilizations():
    row = data.rows("training")["llama3_405b_8192_8192_mfu"]
    tokens_per_s = 430e12 * row["n_devices"] / (6 * 405e9)  # 430 TFLOP/s a GPU in the same table
    assert roofline.mfu(405e9, tokens_per_s, row["n_devices"], H100.peak("bf16")) * 100 == pytest.approx(
        row["value"], abs=0.6
    )
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


@given(st.floats(1e9, 1e12), st.integers(1, 4096), st.floats(1e-3, 1))
def test_gauges_are_mfu_and_mbu_and_the_busier_one_is_honest(params, tokens, seconds):
    found = roofline.gauges(params, tokens, seconds, A100)
    assert found.mfu == pytest.approx(2 * params * tokens / seconds / 312e12)
    assert found.mbu == pytest.approx(2 * params / seconds / A100.bytes_per_s)
    assert {found.honest, found.other} == {found.mfu, found.mbu} and found.honest >= found.other
    assert found.busier == ("memory" if found.mbu > found.mfu else "compute")


def test_gauges_of_a_step():
    params, seconds = data.load("models")["models"]["llama-2-7b"]["params"], 9.5e-3
    mfu = roofline.mfu(params, 1 / seconds, 1, A100.peak("bf16"), flops_per_param=2)
    assert mfu == pytest.approx(0.0045, rel=0.02)
    assert roofline.mbu(2 * params, seconds, A100.bytes_per_s) == pytest.approx(0.70, abs=0.01)
    dry, hidden = losses.launched_step(800, 4e-6, 2e-3), losses.launched_step(400, 4e-6, 2e-3)
    assert dry.kernel_seconds < 4e-6 < hidden.kernel_seconds
    assert dry.steady_seconds == pytest.approx(800 * 4e-6) and hidden.steady_seconds == 2e-3
