import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accelerator_course.quiz import bank
from accelerator_course.views.charts import SHAPES
from accelerator_course.views.limits import LIMITS
from accelerator_course.views.stage import palette
from accelerator_lib import data, hardware, roofline
from accelerator_lib.design.evaluation import CAUSES
from accelerator_lib.hardware import Chip
from accelerator_lib.roofline import measured
from accelerator_lib.roofline.roof import binding
from accelerator_lib.workload import Elementwise, Gemm, networks

A100, H100, B200 = map(hardware.chip, ("a100-80gb-sxm", "h100-sxm5", "b200"))
rates = st.floats(1e9, 1e17)
sizes = st.integers(1, 20_000)


@given(st.floats(0, 1e6), rates, rates)
def test_nothing_is_above_either_roof(intensity, peak, bandwidth):
    reached = roofline.attainable(intensity, peak, bandwidth)
    assert reached <= peak and reached <= intensity * bandwidth
    assert reached in (peak, intensity * bandwidth)


@given(sizes, sizes, sizes, rates, rates)
def test_in_turns_is_where_a_kernel_stands_that_hides_nothing(m, n, k, peak, bandwidth):
    chip = Chip("any", "any chip", matrix={"bf16": peak}, bytes_per_s=bandwidth)
    alone = roofline.place(Gemm(m, n, k), chip, overlap=False)
    found = roofline.attainable(alone.intensity, peak, bandwidth, overlap=False)
    assert found == pytest.approx(alone.flops_per_s) and found <= alone.roof * (1 + 1e-12)
    if alone.intensity != pytest.approx(alone.ridge_point):
        assert roofline.limit(alone.intensity, peak, bandwidth) == alone.bound


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


def test_every_chip_can_be_placed_in_every_format_it_has():
    for chip in hardware.chips().values():
        for dtype in {*chip.matrix, *chip.vector}:
            if chip.bytes_per_s:
                assert 0 < roofline.place(Gemm(8, 512, 512), chip, dtype).utilization <= 1


@pytest.mark.parametrize("id", ["gemm_best_bf16_a100_sxm_80gb", "gemm_best_bf16_h100_sxm", "gemm_best_bf16_b200"])
def test_no_published_product_beats_the_roof(id):
    row = data.rows("gemm")[id]
    gemm = Gemm(*(row["conditions"][axis] for axis in "MNK"))
    roof = roofline.place(gemm, row["chip"]).flops_per_s
    assert 0.7 * roof < row["value"] * 1e12 < roof


def test_places_by_hand():
    assert roofline.ridge_point(H100.peak("bf16"), H100.bytes_per_s) == pytest.approx(295.34328358208955, rel=1e-12)
    assert roofline.ridge_point(A100.peak("bf16"), A100.bytes_per_s) == pytest.approx(153.01618440411966, rel=1e-12)
    assert roofline.ridge_point(B200.peak("bf16"), B200.bytes_per_s) == 281.25
    placed = roofline.place(Gemm(32, 8192, 8192), H100, "bf16")
    assert placed.bound == "memory" and placed.intensity == pytest.approx(31.751937984496124, rel=1e-12)
    assert placed.seconds == pytest.approx(4.037800119402985e-05, rel=1e-12)
    assert placed.compute_seconds == pytest.approx(4.340981702041641e-06, rel=1e-12)
    assert roofline.critical_batch(8192, 28672, H100, "bf16") == 310
    assert roofline.critical_batch(8192, 28672, H100, "bf16", weight_dtype="int8") == 155
    one, many = (roofline.place(Gemm(m, 28672, 8192), H100).seconds for m in (1, 128))
    assert (round(one * 1e6), round(many * 1e6)) == (140, 143)
    speedup = roofline.place(Gemm(1, 28672, 8192), A100).seconds / one
    assert speedup == pytest.approx(1.64, abs=0.005)
    assert H100.peak("bf16") / A100.peak("bf16") == pytest.approx(3.17, abs=0.005)
    assert roofline.attainable(200, 2e14, 1e12, overlap=False) == 1e14
    assert roofline.attainable(400, 2e14, 1e12, overlap=False) / 2e14 == pytest.approx(2 / 3)
    batches = np.array([1, 32, 310, 4096])
    curve = roofline.place(Gemm(batches, 28672, 8192), H100)
    points = [roofline.place(Gemm(int(m), 28672, 8192), H100) for m in batches]
    assert list(curve.seconds) == [p.seconds for p in points]
    assert list(curve.bound) == [p.bound for p in points]
    p = roofline.place(Gemm(32, 8192, 8192), H100, overlap=False, overhead_seconds=5e-6)
    # 2 x 32 x 8192^2 / 989.4e12 s = 4.341 µs, (2 x 32 x 8192 + 8192^2) x 2 / 3.35e12 s = 40.378 µs, and 5 µs
    assert p.seconds == pytest.approx(49.719e-6, abs=1e-9)
    assert p.flops_per_s == pytest.approx(4.294967e9 / 49.719e-6, rel=1e-4)  # 86.4 TFLOP/s of all that time
    assert p.utilization == pytest.approx(4.341 / 49.719, rel=1e-3)  # of the peak, only that share is arithmetic
    assert roofline.elementwise_seconds(10**9, 1, 1, "bf16", H100) == pytest.approx(4e9 / 3.35e12)
    hidden, open_ = (roofline.place(Gemm(256, 8192, 8192), H100, overlap=overlap) for overlap in (True, False))
    assert hidden.roof == pytest.approx(hidden.flops_per_s) and hidden.bandwidth == H100.bytes_per_s
    assert open_.roof == hidden.roof > open_.flops_per_s
    assert roofline.place(Gemm(16384, 8192, 8192), H100).roof == H100.peak("bf16")
    assert roofline.ridge_of("h200-sxm", "fp16") == pytest.approx(989e12 / 4.8e12, rel=0.001)
    for chip in hardware.chips("bf16").values():
        assert roofline.ridge_of(chip) == roofline.ridge_point(chip.peak("bf16"), chip.bytes_per_s)


@given(
    st.integers(16, 9000), st.integers(16, 9000), st.sampled_from(["h100-sxm5", "a100-80gb-sxm", "tpu-v5e", "tpu-v4"])
)
def test_the_critical_batch_is_where_the_time_changes_sides(d_in, d_out, chip):
    rows = roofline.critical_batch(d_in, d_out, chip)
    side = lambda m: roofline.place(Gemm(m, d_out, d_in), chip).bound  # noqa: E731
    if rows is None:
        assert side(10**9) == "memory"
    else:
        assume(rows < 10**8)
        assert side(rows + 1) == "compute"
        assert rows == 1 or side(rows - 1) == "memory"


def test_critical_batches_by_hand():
    assert roofline.critical_batch(64, 64, H100) is None
    spare = 2 * 4096 * 4096 / roofline.ridge_of(H100) - 2 * (4096 + 4096)  # bytes that a row leaves for the weights
    assert roofline.critical_batch(4096, 4096, H100) == np.ceil(2 * 4096 * 4096 / spare)
    wide = np.array([64, 8192])
    assert list(roofline.critical_batch(wide, 8192, H100)) == [
        roofline.critical_batch(int(w), 8192, H100) for w in wide
    ]


def test_groups_by_hand():
    works = {"one row": Gemm(1, 8192, 8192), "many rows": Gemm(1023, 8192, 8192)}
    group = roofline.place_all(works, H100)
    assert group.waiting == ["one row"] and group.waiting_share == pytest.approx(1 / 1024)
    works = {"ReLU": Elementwise(10**6), "product": Gemm(64, 512, 512)}
    for name, placed in roofline.place_all(works, "h100-sxm5", "fp32").kernels:
        alone = roofline.place(works[name], H100, "fp32")
        assert (placed.seconds, placed.bound, placed.intensity) == (alone.seconds, alone.bound, alone.intensity)
    # The claim of the chapter: it depends on the network and the batch.
    counts = {}
    for network, batch in (("resnet-50", 1), ("resnet-50", 32), ("mobilenet-v1", 32)):
        group = roofline.place_all(networks.convolutions(network, batch), "a100-80gb-sxm")
        counts[network, batch] = len(group.waiting), len(group.kernels)
    assert counts == {("resnet-50", 1): (40, 53), ("resnet-50", 32): (19, 53), ("mobilenet-v1", 32): (19, 27)}
    copies = [("copy", Elementwise(10**6, flops_per_element=0))]
    group = roofline.place_all(copies, H100)
    assert group.waiting == ["copy"] and group.waiting_share == 0


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


def test_measured_products():
    ids = {row["id"] for row in roofline.products("h100-sxm5").rows}
    assert "gemm_best_fp8_h100_sxm" in ids and "gemm_node_spread_h100_gpu0" not in ids
    assert not roofline.products("tpu-v4").rows
    assert bank.decide("roofline")["row"] == measured.ASKED and measured.ASKED in data.published("gemm")
    assert measured.ASKED not in {row["id"] for row in roofline.products("h100-sxm5").rows}
    twin, chip = data.load("validation")["chips"]["h800"], hardware.chip("h100-sxm5")
    assert twin["bandwidth_gb_s"] * 1e9 == pytest.approx(chip.bytes_per_s)
    assert all(twin["matrix"][d] * 1e12 == pytest.approx(chip.peak(d), rel=1e-3) for d in ("bf16", "fp8"))
    assert any(row["device"] == "H800 SXM5" for row in roofline.products(chip).rows)


def test_what_binds_is_the_largest_and_of_equals_the_first():
    for sizes, name in (((2, 1, 0), "compute"), ((1, 2, 0), "memory"), ((2, 2, 3), "overhead"), ((2, 2, 2), "compute")):
        assert binding(**dict(zip(("compute", "memory", "overhead"), sizes, strict=True))) == name
    assert binding(compute=np.array([1, 2, 3]), memory=2).tolist() == ["memory", "compute", "compute"]


def test_every_limit_has_a_colour_a_sign_and_words():
    assert {*CAUSES, "memory", "compute"} == set(LIMITS)
    for limit in LIMITS.values():
        assert palette.check(limit.role) and limit.sign in SHAPES and all(limit)
    assert (
        len({limit.sign for limit in LIMITS.values()}) == len({limit.role for limit in LIMITS.values()}) == len(LIMITS)
    )
