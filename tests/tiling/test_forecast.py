import numpy as np
import pytest

from accelerator_lib import data, hardware, roofline, tiling
from accelerator_lib.workload import Gemm

A100 = hardware.chip("a100-80gb-sxm")


def test_a_forecast_counts_those_that_beat_their_tiles_and_averages_by_factors():
    forecast = tiling.Forecast(128, np.array([2.0, 4.0, 1.005]), np.array([1.0, 8.0, 1.005]), np.array([1.0, 5.0, 1.0]))
    assert forecast.faster == 1  # half a percent more is rounding
    assert forecast.factor == pytest.approx(4 ** (1 / 3))


def published():
    rows = [row for row in data.rows("gemm").values() if row["source"] == "azure_a100"]
    shapes = Gemm(*(np.array([row["conditions"][axis] for row in rows]) for axis in "MNK"))
    return shapes, np.array([row["value"] * 1e12 for row in rows])


def test_large_published_products_pass_what_tiles_of_128_allow():
    """With no cache behind them such tiles stay under 130 TFLOP/s; with every matrix once all is promised too much."""
    shapes, speeds = published()
    intensity = tiling.intensity(shapes, 128, 128, "fp16")
    tiled = roofline.attainable(intensity, A100.peak("fp16"), A100.bytes_per_s)
    forecast = tiling.Forecast(128, speeds, roofline.place(shapes, A100, "fp16").flops_per_s, tiled)
    assert tiled.max() < 131e12 and speeds.max() > 1.8 * tiled.max()
    assert (forecast.faster, len(speeds)) == (5, 6) and forecast.factor == pytest.approx(1.72, abs=0.005)


def test_all_products_at_once_are_each_alone():
    shapes, _ = published()
    alone = [tiling.intensity(Gemm(*map(int, s)), 128, 128) for s in zip(shapes.m, shapes.n, shapes.k, strict=True)]
    assert np.allclose(tiling.intensity(shapes, 128, 128), alone)


def test_typical_factors_of_both_forecasts():
    forecast = tiling.Forecast(128, np.array([2.0, 4.0, 3.0]), np.array([4.0, 4.0, 9.0]), np.array([1.0, 1.0, 3.0]))
    assert forecast.off == pytest.approx((2, 2))  # 2, 1, 3 and 2, 4, 1
    assert tiling.Forecast(128, *(np.ones(3),) * 3, seen=False).off == (1, 1)
