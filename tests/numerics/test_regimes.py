"""What fewer bits buy: the plan's four questions, a second road through bytes and FLOP, and properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, numerics
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.numerics.regimes import CHOICES, UNFUSED
from accelerator_lib.workload import Gemm

H100 = hardware.chip("h100-sxm5")
MAKE = (hardware.chip("h100-sxm5"), hardware.chip("a100-80gb-sxm"), hardware.chip("tpu-v4"), hardware.chip("mi300x"))


def test_four_ways_to_use_int8():
    alone, many = numerics.regimes(Gemm(1, 8192, 8192), H100), numerics.regimes(Gemm(4096, 8192, 8192), H100)
    small = numerics.regimes(Gemm(2048, 1024, 1024), H100)
    found = [
        alone["8-bit weights, bf16 maths"].speedup,
        many["8-bit weights, bf16 maths"].speedup,
        many["int8 maths, fused"].speedup,
        small[UNFUSED].speedup,
    ]
    assert found == pytest.approx([1.9995, 1.0, 2.0001, 0.4782], abs=1e-4)


def test_on_a_chip_whose_rates_do_not_differ_int8_buys_nothing_at_a_large_batch():
    v4 = numerics.regimes(Gemm(4096, 8192, 8192), "tpu-v4")
    assert v4["int8 maths, fused"].speedup == 1.0 and v4[UNFUSED].speedup < 1


def test_kernels_of_their_own_pay_from_a_shape_on():
    speedups = [numerics.regimes(Gemm(4096, n, n), H100)[UNFUSED].speedup for n in (1024, 2048, 2700, 4096, 8192)]
    assert speedups == sorted(speedups) and speedups[1] < 1 < speedups[3]
    assert speedups[2] == pytest.approx(1, abs=0.02) and speedups[4] == pytest.approx(1.5, abs=0.02)


@settings(max_examples=60)
@given(st.integers(1, 4096), st.integers(64, 16384), st.sampled_from(MAKE), st.floats(0, 1e-5))
def test_all_choices_from_bytes_and_flop(m, size, chip, launch):
    """The second road: bytes and FLOP added up here."""
    rate = {name: chip.peak(name) for name in ("bf16", "int8")}
    inputs, weights = {"bf16": 2 * m * size, "int8": m * size}, {"bf16": 2.0, "int8": 1.0, "int4": 0.5}
    for name, regime in numerics.regimes(Gemm(m, size, size), chip, launch).items():
        maths, stored = CHOICES[name]
        leaving = 4 * m * size if name == UNFUSED else inputs[maths]
        moved = inputs[maths] + weights[stored] * size * size + leaving
        seconds = max(2 * m * size * size / rate[maths], moved / chip.bytes_per_s) + launch
        if name == UNFUSED:
            seconds += 2 * launch + 9 * m * size / chip.bytes_per_s
        assert regime.seconds == pytest.approx(seconds, rel=1e-9)
        assert regime.weight_bytes == weights[stored] * size * size


@settings(max_examples=60)
@given(st.integers(1, 4096), st.integers(64, 16384), st.sampled_from(MAKE))
def test_fewer_stored_bits_never_cost_time_and_never_buy_more_than_their_ratio(m, size, chip):
    found = numerics.regimes(Gemm(m, size, size), chip)
    eight, four = found["8-bit weights, bf16 maths"].speedup, found["4-bit weights, bf16 maths"].speedup
    assert 1 <= eight <= 2 and eight <= four <= 4 and found["int8 maths, fused"].speedup <= 2.001
    assert found[UNFUSED].speedup < found["int8 maths, fused"].speedup


def test_arrays_and_what_is_missing():
    seconds = numerics.unfused_seconds(Gemm(np.array([16, 2048]), 1024, 1024), H100, 1e-6)
    assert seconds[1] == numerics.unfused_seconds(Gemm(2048, 1024, 1024), H100, 1e-6)
    with pytest.raises(NotAvailable, match="int8"):
        numerics.unfused_seconds(Gemm(1, 1, 1), "v100-sxm2-32gb")
    with pytest.raises(ValueError, match="launch_seconds"):
        numerics.unfused_seconds(Gemm(1, 1, 1), H100, -1e-6)
