import numpy as np
import pytest

from accelerator_lib import hardware, systolic
from accelerator_lib.systolic import layers, tpu
from accelerator_lib.workload import Gemm


def test_a_depthwise_filter_uses_nine_rows_of_one_column():
    placed = layers.mapped(layers.jobs()["depthwise 3x3, 512 channels"], 128)
    assert (placed.rows, placed.cols, placed.folds) == (9, 1, 512)
    assert placed.utilization == pytest.approx(9 / 128**2, rel=0.02)


def test_one_too_many_wastes_three_folds_of_four():
    placed = layers.mapped(layers.Job("129", Gemm(100_000, 129, 129)), 128)
    assert placed.folds == 4 and (placed.last_rows, placed.last_cols) == (1, 1)
    assert placed.utilization == pytest.approx((129 / 256) ** 2, rel=0.01)


def test_padding_adds_zeros_not_use():
    assert layers.pad(Gemm(100, 129, 1)) == Gemm(104, 256, 128)
    assert layers.pad(Gemm(8, 128, 256)) == Gemm(8, 128, 256)
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


def test_the_first_tpus_tile_takes_1349_cycles_to_arrive():
    chip = hardware.chip("tpu-v1")
    tile = tpu.tile(200, 256, chip.bytes_per_s, chip.clock_hz)
    assert tile.memory_cycles == pytest.approx(65536 / 34e9 * 0.7e9) and tile.bound == "memory"
    assert tpu.tile(200, 256, 1e15, chip.clock_hz).bound == "shifting weights in"
    assert tpu.tile(2888, 256, chip.bytes_per_s, chip.clock_hz).active == 1


def test_tile_time_and_roofline_are_two_roads_where_memory_or_arithmetic_binds():
    for app in tpu.applications():
        assert app.tiled == pytest.approx(app.roofline, rel=0.01)
    fast = {app.name: app for app in tpu.applications(bandwidth=16)}
    assert fast["LSTM0"].tiled < 0.5 * fast["LSTM0"].roofline  # shifting weights in binds; a roofline cannot see it


def test_both_predictions_meet_what_the_first_tpu_delivered_except_for_cnn1():
    for app in tpu.applications():
        ratio = app.tiled / app.delivered
        assert (6 < ratio < 7) if app.name == "CNN1" else (1 < ratio < 1.25), app.name


def test_every_published_tpu_clock_rebuilds_its_peak():
    found = tpu.rebuilt()
    assert len(found) >= 5
    for chip, _, _, _, built, published in found:
        assert built == pytest.approx(published, rel=0.005), chip.id


def test_edges_of_arrays_follow_from_units_in_the_data():
    for chip, what, *_ in tpu.rebuilt():
        assert f"{tpu.EDGE[chip.id]} x {tpu.EDGE[chip.id]}" in what


def test_utilization_takes_many_edges_at_once():
    jobs = layers.sets()["ResNet-50"]
    both = layers.utilization(jobs, np.array([16, 128]))
    assert both[1] == pytest.approx(float(layers.utilization(jobs, 128)))
    assert both[0] > both[1] and isinstance(systolic.cycles(Gemm(1, 2, 3), 4, 4).total, int)
