import numpy as np
import pytest

from accelerator_lib import systolic
from accelerator_lib.systolic import layers
from accelerator_lib.workload import Gemm


def test_a_depthwise_filter_uses_nine_rows_of_one_column():
    placed = layers.mapped(layers.jobs()["depthwise 3×3, 512 channels"], 128)
    assert (placed.rows, placed.cols, placed.folds) == (9, 1, 512)
    assert placed.utilization == pytest.approx(9 / 128**2, rel=0.02)


def test_one_too_many_wastes_three_folds_of_four():
    placed = layers.mapped(layers.Job("129", Gemm(100_000, 129, 129)), 128)
    assert placed.folds == 4 and placed.tiles == (((1, 128, 128), (1, 128, 1)), ((1, 1, 128), (1, 1, 1)))
    assert placed.utilization == pytest.approx((129 / 256) ** 2, rel=0.01)


@pytest.mark.parametrize("edge", [8, 64, 512])
def test_the_kinds_of_folds_hold_every_weight_once(edge):
    for job in layers.jobs().values():
        placed = layers.mapped(job, edge)
        kinds = [kind for row in placed.tiles for kind in row]
        assert sum(folds for folds, *_ in kinds) == placed.folds
        assert sum(folds * rows * cols for folds, rows, cols in kinds) == job.groups * job.gemm.k * job.gemm.n
        assert kinds[0][1:] == (placed.rows, placed.cols)


def test_padding_adds_zeros_not_use():
    assert layers.pad(Gemm(100, 129, 1)).full == Gemm(104, 256, 128)
    assert layers.pad(Gemm(8, 128, 256)).full == Gemm(8, 128, 256)
    job = layers.Job("129", Gemm(100_000, 129, 129))
    assert layers.mapped(job, 128, padded=True).utilization == pytest.approx(layers.mapped(job, 128).utilization)
    assert layers.mapped(job, 512, padded=True).utilization <= layers.mapped(job, 512).utilization


def test_a_whole_workload_is_the_sum_of_its_jobs():
    jobs = layers.sets()["MobileNet v1"]
    macs = sum(job.groups * job.gemm.flops / 2 for job in jobs)
    cycles = sum(layers.mapped(job, 64).cycles for job in jobs)
    assert float(layers.utilization(jobs, 64)) == pytest.approx(macs / (64**2 * cycles))
    assert 500e6 < macs < 600e6  # the network's published size: 569 million multiply-accumulates


def test_the_vector_unit_is_amdahls_serial_part():
    assert layers.vector_share(1024, 0, 64) == 1
    assert layers.vector_share(16, 8, 64) == pytest.approx(32 / (32 + 512))
    assert layers.vector_share(16, 8, 64, overlap=True) == pytest.approx(32 / 512)


def test_utilization_takes_many_edges_at_once():
    jobs = layers.sets()["ResNet-50"]
    both = layers.utilization(jobs, np.array([16, 128]))
    assert both[1] == pytest.approx(float(layers.utilization(jobs, 128)))
    assert both[0] > both[1] and isinstance(systolic.cycles(Gemm(1, 2, 3), 4, 4).total, int)


def test_a_batch_of_100_loses_4_percent_and_130_features_half():
    assert layers.pad(Gemm(100, 128, 128)).used == pytest.approx(100 / 104)
    assert layers.pad(Gemm(8, 128, 130)).used == pytest.approx(130 / 256)
    assert layers.pad(Gemm(8, 128, 256)).used == 1
    assert layers.pad(Gemm(100, 200, 300), sublanes=1, lanes=100).used == 1


def test_padding_is_told_as_zeros_and_as_work():
    """5 of 8 rows and 64 of 128 lanes hold numbers; 32 of 128 outputs more are computed for nothing."""
    padded = layers.pad(Gemm(5, 32, 64))
    assert padded.zeros == pytest.approx(1 - 5 * 64 / (8 * 128)) and padded.excess == pytest.approx(8 / 5 * 2 * 4)
    assert padded.excess == pytest.approx(1 / padded.used)
    exact = layers.pad(Gemm(8, 128, 256))
    assert (exact.zeros, exact.excess) == (0, 1)


def test_the_layers_of_a_language_model_are_those_of_llama():
    found = layers.jobs()
    assert found["LLM layer, one token"].gemm == Gemm(1, 4096, 4096)
    assert found["LLM layer, 512 tokens"].gemm == Gemm(512, 4096, 4096)


def test_more_of_a_product_is_used_where_vectors_are_shorter():
    gemm = Gemm(100, 200, 300)
    assert layers.pad(gemm, 8, 8).used > layers.pad(gemm).used == 100 * 200 * 300 / (104 * 256 * 384)


def test_four_arrays_of_half_the_edge_serve_a_narrow_layer_better():
    job = layers.jobs()["129 wide, batch 512"]
    one, four = layers.mapped(job, 128), layers.mapped(job, 64, arrays=4)
    assert (one.edge, four.edge) == (128, 64) and four.utilization > 1.4 * one.utilization


def test_what_is_no_job_is_refused_in_one_line():
    with pytest.raises(TypeError, match="job must be a Job such as those of layers.jobs"):
        layers.mapped(Gemm(1, 2, 3), 128)
    with pytest.raises(TypeError, match="gemm must be a product"):
        layers.Job("nothing", None)


def test_a_width_just_above_a_multiple_costs_on_both_sides_of_a_square_layer():
    padded = layers.pad(Gemm(104, 130, 130))
    assert padded.weight_zeros == pytest.approx(1 - (130 / 256) ** 2) and padded.excess == pytest.approx(
        (256 / 130) ** 2
    )


def test_depthwise_filters_packed_along_the_diagonal_use_little_more():
    """14 filters of 9 rows and 1 column side by side: 126 rows, 14 columns, each row of which is zero but for 1."""
    one = next(job for name, job in layers.jobs().items() if name.startswith("depthwise"))
    packed = layers.packed(one, 128)
    useful = 512 * 9 * 196 / (128 * 128 * (37 * 196 + 382))
    assert packed == pytest.approx(useful) and packed > 12 * layers.mapped(one, 128).utilization


@pytest.mark.parametrize("name, tokens", [("LLM, 512 tokens", 512), ("LLM, one token", 1)])
def test_the_blocks_of_a_language_model_have_as_many_rows_as_they_say(name, tokens):
    assert {one.gemm.m for one in layers.sets()[name]} == {tokens}
