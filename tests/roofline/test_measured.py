import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.quiz import bank
from accelerator_lib import data, hardware, roofline
from accelerator_lib.roofline import measured
from accelerator_lib.workload import Gemm

FACTORS = st.lists(st.floats(0.01, 100), min_size=1, max_size=9)


def test_a_typical_factor_by_hand():
    assert roofline.typical([2.0, 3.0, 1.0], [1.0, 1.0, 4.0]) == pytest.approx(3)  # factors 2, 3 and 4
    assert roofline.typical([2.0, 8.0], [1.0, 1.0]) == pytest.approx(4)  # between two, their geometric mean
    assert roofline.products("tpu-v4").typical is None


@given(FACTORS, st.floats(0.01, 100))
def test_a_factor_is_the_same_for_times_and_for_rates_and_never_below_one(factors, unit):
    model, measured = np.array(factors), np.full(len(factors), unit)
    found = roofline.typical(model, measured)
    assert found >= 1 and found == pytest.approx(roofline.typical(1 / model, 1 / measured))
    sorted_ = sorted(max(m / unit, unit / m) for m in factors)
    assert sorted_[(len(sorted_) - 1) // 2] <= found * (1 + 1e-9) and found <= sorted_[len(sorted_) // 2] * (1 + 1e-9)


def test_measurements_without_their_models_are_refused():
    with pytest.raises(ValueError, match="must go together: there are 2 and 1"):
        roofline.typical([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="model is empty; give one number at least"):
        roofline.typical([], [])
    with pytest.raises(TypeError, match="placed must be a Placed, not int 5"):
        roofline.with_products(5)


@pytest.mark.parametrize("chip", ["a100-80gb-sxm", "h100-sxm5", "h200-sxm", "gb200", "mi300x"])
def test_products_stand_under_their_own_roof(chip):
    """A second road: each row's FLOP, bytes and peak by hand."""
    found, here = roofline.products(chip), hardware.chip(chip)
    assert len(found.rows) == len(found.flops_per_s) > 0
    for row, dtype, intensity, roof in zip(found.rows, found.dtypes, found.intensity, found.roofs, strict=True):
        m, n, k = (row["conditions"][axis] for axis in "MNK")
        width = 1 if dtype == "fp8" else 2
        moved = width * (m * k + n * k) + 2 * m * n
        assert intensity == pytest.approx(2 * m * n * k / moved)
        assert roof == pytest.approx(min(here.peak(dtype), here.bytes_per_s * 2 * m * n * k / moved))
        assert row["value"] * 1e12 < roof  # nothing passes the roof
    assert found.typical == pytest.approx(np.exp(np.median(np.log(found.roofs / found.flops_per_s))))


def test_what_states_no_shape_or_is_recalled_is_left_out():
    ids = {row["id"] for row in roofline.products("h100-sxm5").rows}
    assert "gemm_best_fp8_h100_sxm" in ids and "gemm_node_spread_h100_gpu0" not in ids
    assert not roofline.products("tpu-v4").rows


def test_what_the_chapter_asks_for_is_not_drawn():
    assert bank.decide("roofline")["row"] == measured.ASKED and measured.ASKED in data.published("gemm")
    assert measured.ASKED not in {row["id"] for row in roofline.products("h100-sxm5").rows}


def test_the_twin_has_the_same_arithmetic_and_memory():
    twin, chip = data.load("validation")["chips"]["h800"], hardware.chip("h100-sxm5")
    assert twin["bandwidth_gb_s"] * 1e9 == pytest.approx(chip.bytes_per_s)
    assert all(twin["matrix"][d] * 1e12 == pytest.approx(chip.peak(d), rel=1e-3) for d in ("bf16", "fp8"))
    assert any(row["device"] == "H800 SXM5" for row in roofline.products(chip).rows)


def test_a_kernel_keeps_its_place_among_the_measured():
    alone = roofline.place(Gemm(64, 8192, 8192), "h100-sxm5")
    beside = roofline.with_products(alone)
    assert beside.seconds == alone.seconds and alone.measured is None
    assert beside.measured is roofline.products("h100-sxm5")
