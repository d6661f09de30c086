"""The models beside published numbers: close where the plan says so, far where it says why."""

import pytest

from accelerator_lib.numerics import published


def test_noise_of_three_matrices_explains_the_mlp():
    weights, both, *_ = published.compared()
    assert weights.model == pytest.approx(weights.measured, abs=0.2)
    assert both.model == pytest.approx(both.measured, abs=0.2)


def test_measured_speed_stays_below_the_model():
    for one in published.compared()[2:]:
        assert 1 < one.measured < one.model


def test_the_decode_ratio_by_hand():
    assert published.compared()[2].model == pytest.approx((1397.31 / 104.9) / (862.69 / 196.8))
    assert published.compared()[2].measured == pytest.approx(196.8 / 104.9)


def test_amdahl_by_hand():
    each = 24 * 2048**2  # FLOP of a token in a layer's products with weights
    for seq in (512, 32768):
        rest = 4 * seq * 2048
        assert published.training_speedup(seq, 2048) == pytest.approx((each + rest) / (each / 2 + rest))


def test_a_kernel_of_its_own_makes_small_products_slower():
    found = {(one.n, one.m): one for one in published.fp8_gemms()}
    assert len(found) == 6 and all(1.8 < one.roofline_ratio <= 2.01 for one in found.values())
    assert [found[4096, m].measured_ratio < 1 for m in (16, 256, 512, 1024)] == [True, True, True, False]
    took = [found[4096, m].quantise_seconds for m in (16, 256, 512, 1024)]
    assert took == sorted(took) and took[0] > 2.6e-6 and took[-1] < 5.1e-6
    assert all(one.quantise_seconds > 3 * published.quantise_seconds_of(one.m) for one in found.values() if one.alone)
