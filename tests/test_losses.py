import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, losses, roofline
from accelerator_lib.workload import Gemm, transformer_layer

H100 = hardware.chip("h100-sxm5")


def test_three_hundred_launches_cost_a_decode_step_a_fifth():
    step = losses.launched_step(300, 5e-6, 6.87e-3)
    assert step.overhead_seconds == pytest.approx(1.5e-3) and step.added == pytest.approx(0.218, abs=0.001)
    assert losses.launched_step(2000, 5e-6, 6.87e-3).overhead_seconds == pytest.approx(10e-3)


def test_the_losses_multiply():
    assert losses.from_peak().achieved == pytest.approx(0.82 * 0.90 * 0.80 / 1.3)
    assert losses.from_peak(1, 1, 1, 1).achieved == 1
    assert losses.from_peak(1, 0.7, 0.7, 1).achieved == pytest.approx(0.49)  # two mediocre factors are enough


@given(st.integers(1, 10_000), st.floats(0, 1), st.floats(0, 1e-4))
def test_a_layer_takes_as_long_as_its_parts_one_after_the_other(tokens, fused, launch):
    layer = losses.layer_time(tokens, H100, fused, launch)
    placed = [roofline.place(work, H100) for work in transformer_layer(tokens).values()]
    products = [p.seconds for p in placed if isinstance(p.work, Gemm)]
    others = [p.memory_seconds for p in placed if not isinstance(p.work, Gemm)]
    launches = launch * (len(products) + (1 - fused) * len(others))
    assert layer.seconds == pytest.approx(sum(products) + (1 - fused) * sum(others) + launches)
    assert 0 < layer.utilization <= 1


def test_a_layer_shows_five_and_forty_five_percent_on_one_chip():
    assert losses.layer_time(24, H100, 0, 5e-6).utilization == pytest.approx(0.05, abs=0.01)
    assert any(abs(losses.layer_time(m, H100, 0, 5e-6).utilization - 0.45) < 0.02 for m in range(100, 400, 10))


def test_arrays_are_taken_wherever_numbers_are():
    clocks = np.array([0.6, 0.9])
    assert list(losses.from_peak(clock=clocks).achieved) == [losses.from_peak(clock=c).achieved for c in clocks]
    work = np.array([1e-3, 1e-2])
    assert list(losses.launched_step(300, 5e-6, work).added) == [losses.launched_step(300, 5e-6, w).added for w in work]
    tokens = np.array([1, 512])
    one_by_one = [losses.layer_time(int(m), H100).utilization for m in tokens]
    # the last digit may differ: from Python 3.12 on, sum() corrects its rounding for numbers, but not for arrays
    assert losses.layer_time(tokens, H100).utilization == pytest.approx(one_by_one, rel=1e-14)
