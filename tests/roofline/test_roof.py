import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.hardware import Chip
from accelerator_lib.workload import Gemm

V100, A100, H100, H200, B200 = map(hardware.chip, ("v100-sxm2-32gb", "a100-80gb-sxm", "h100-sxm5", "h200-sxm", "b200"))
rates = st.floats(1e9, 1e17)
sizes = st.integers(1, 20_000)


def test_the_check_block_of_the_curriculum():
    assert roofline.ridge_point(H100.peak("bf16"), H100.bytes_per_s) == pytest.approx(295.34328358208955, rel=1e-12)
    assert roofline.ridge_point(A100.peak("bf16"), A100.bytes_per_s) == pytest.approx(153.01618440411966, rel=1e-12)
    assert roofline.ridge_point(B200.peak("bf16"), B200.bytes_per_s) == 281.25
    placed = roofline.place(Gemm(32, 8192, 8192), H100, "bf16")
    assert placed.bound == "memory" and placed.intensity == pytest.approx(31.751937984496124, rel=1e-12)
    assert placed.seconds == pytest.approx(4.037800119402985e-05, rel=1e-12)
    assert placed.compute_seconds == pytest.approx(4.340981702041641e-06, rel=1e-12)
    assert roofline.critical_batch(8192, 28672, H100, "bf16") == 310
    assert roofline.critical_batch(8192, 28672, H100, "bf16", weight_dtype="int8") == 155


def test_the_surprise_of_the_chapter():
    one, many = (roofline.place(Gemm(m, 28672, 8192), H100).seconds for m in (1, 128))
    assert (round(one * 1e6), round(many * 1e6)) == (140, 143)
    speedup = roofline.place(Gemm(1, 28672, 8192), A100).seconds / one
    assert speedup == pytest.approx(1.64, abs=0.005)
    assert H100.peak("bf16") / A100.peak("bf16") == pytest.approx(3.17, abs=0.005)


def test_the_ridge_rises_and_falls():
    ridges = [round(roofline.ridge_point(c.peak("fp16"), c.bytes_per_s)) for c in (V100, A100, H100, H200, B200)]
    assert ridges == [139, 153, 295, 206, 281]


@given(st.floats(0, 1e6), rates, rates)
def test_nothing_is_above_either_roof(intensity, peak, bandwidth):
    reached = roofline.attainable(intensity, peak, bandwidth)
    assert reached <= peak and reached <= intensity * bandwidth
    assert reached in (peak, intensity * bandwidth)


@given(st.floats(0, 1e6), rates, rates, st.floats(1, 100))
def test_more_peak_or_bandwidth_never_hurts(intensity, peak, bandwidth, factor):
    before = roofline.attainable(intensity, peak, bandwidth)
    assert roofline.attainable(intensity, peak * factor, bandwidth) >= before
    assert roofline.attainable(intensity, peak, bandwidth * factor) >= before


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8), rates, rates)
def test_an_array_holds_what_its_elements_give_alone(intensities, peak, bandwidth):
    together = roofline.attainable(np.array(intensities), peak, bandwidth)
    assert list(together) == [roofline.attainable(i, peak, bandwidth) for i in intensities]


@given(sizes, sizes, sizes, rates, rates, st.booleans(), st.floats(0, 1e-3))
def test_time_covers_each_of_its_parts(m, n, k, peak, bandwidth, overlap, overhead):
    chip = Chip("any", "any chip", matrix={"bf16": peak}, bytes_per_s=bandwidth)
    p = roofline.place(Gemm(m, n, k), chip, overlap=overlap, overhead_seconds=overhead)
    assert p.seconds >= p.compute_seconds and p.seconds >= p.memory_seconds and p.seconds >= overhead
    assert p.seconds <= p.compute_seconds + p.memory_seconds + overhead
    assert p.bound == ("compute" if p.intensity >= p.ridge_point else "memory") or p.intensity == pytest.approx(
        p.ridge_point
    )


@given(sizes, sizes, sizes)
def test_a_placed_kernel_stands_on_the_roof(m, n, k):
    p = roofline.place(Gemm(m, n, k), H100)
    assert p.flops_per_s == pytest.approx(roofline.attainable(p.intensity, p.peak, H100.bytes_per_s), rel=1e-12)
    assert p.flops_per_s == pytest.approx(p.work.flops / p.seconds, rel=1e-12)


def test_placing_an_array_is_placing_each():
    batches = np.array([1, 32, 310, 4096])
    curve = roofline.place(Gemm(batches, 28672, 8192), H100)
    points = [roofline.place(Gemm(int(m), 28672, 8192), H100) for m in batches]
    assert list(curve.seconds) == [p.seconds for p in points]
    assert list(curve.bound) == [p.bound for p in points]


def test_overlap_and_overhead_by_hand():
    p = roofline.place(Gemm(32, 8192, 8192), H100, overlap=False, overhead_seconds=5e-6)
    # 2 x 32 x 8192^2 / 989.4e12 s = 4.341 µs, (2 x 32 x 8192 + 8192^2) x 2 / 3.35e12 s = 40.378 µs, and 5 µs
    assert p.seconds == pytest.approx(49.719e-6, abs=1e-9)
    assert p.flops_per_s == pytest.approx(4.294967e9 / 49.719e-6, rel=1e-4)  # 86.4 TFLOP/s of all that time
    assert p.utilization == pytest.approx(4.341 / 49.719, rel=1e-3)  # of the peak, only that share is arithmetic


def test_a_format_or_bandwidth_that_is_missing_is_said_not_guessed():
    with pytest.raises(NotAvailable, match="no fp4 peak"):
        roofline.place(Gemm(1, 2, 3), H100, "fp4")
    with pytest.raises(NotAvailable, match="bytes_per_s of Google Coral Edge TPU is unknown"):
        roofline.place(Gemm(1, 2, 3), "edge-tpu", "int8")


def test_every_chip_can_be_placed_in_every_format_it_has():
    for chip in hardware.chips().values():
        for dtype in {*chip.matrix, *chip.vector}:
            if chip.bytes_per_s:
                assert 0 < roofline.place(Gemm(8, 512, 512), chip, dtype).utilization <= 1


def test_element_wise_time_by_hand():
    assert roofline.elementwise_seconds(10**9, 1, 1, "bf16", H100) == pytest.approx(4e9 / 3.35e12)


@pytest.mark.parametrize("id", ["gemm_best_bf16_a100_sxm_80gb", "gemm_best_bf16_h100_sxm", "gemm_best_bf16_b200"])
def test_no_published_product_beats_the_roof(id):
    row = data.rows("gemm")[id]
    gemm = Gemm(*(row["conditions"][axis] for axis in "MNK"))
    roof = roofline.place(gemm, row["chip"]).flops_per_s
    assert 0.7 * roof < row["value"] * 1e12 < roof


def test_only_work_can_be_placed():
    with pytest.raises(TypeError, match="gemm must be a Gemm, Conv or Elementwise, not int 5"):
        roofline.place(5, H100)


def test_the_roof_over_a_kernel_is_what_it_would_reach_if_it_hid_everything():
    hidden, open_ = (roofline.place(Gemm(256, 8192, 8192), H100, overlap=overlap) for overlap in (True, False))
    assert hidden.roof == pytest.approx(hidden.flops_per_s) and hidden.bandwidth == H100.bytes_per_s
    assert open_.roof == hidden.roof > open_.flops_per_s
    assert roofline.place(Gemm(16384, 8192, 8192), H100).roof == H100.peak("bf16")


def test_the_ridge_of_a_chip_is_its_two_numbers():
    assert roofline.ridge_of("h200-sxm", "fp16") == pytest.approx(989e12 / 4.8e12, rel=0.001)
    for chip in hardware.chips("bf16").values():
        assert roofline.ridge_of(chip) == roofline.ridge_point(chip.peak("bf16"), chip.bytes_per_s)


def test_what_cannot_be_is_refused_by_name():
    with pytest.raises(ValueError, match="peak = 0 FLOP/s is outside the allowed range"):
        roofline.ridge_point(0, 2e12)
    with pytest.raises(TypeError, match="overlap must be True or False"):
        roofline.place(Gemm(1, 2, 3), H100, overlap=1)
    with pytest.raises(ValueError, match="overhead_seconds = -1 s is outside"):
        roofline.place(Gemm(1, 2, 3), H100, overhead_seconds=-1)
