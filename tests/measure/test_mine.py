from pathlib import Path

import numpy as np
import pytest

from accelerator_course import measure
from accelerator_course.measure import file, judging
from accelerator_course.measure.overlay import GROUPS
from accelerator_lib import data, hardware, roofline
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation.devices import named as named_device

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


@pytest.fixture
def mine(simulated):
    session, _ = simulated(300)
    list(session.steps())
    return file.read(session.content())


def named(name, platform="gpu", measurements=()):
    return measure.Mine(platform, name, 1, None, None, None, None, "2026-01-01", True, {}, measurements)


@pytest.mark.parametrize("name, chip", TABLE["a_device_as_jax_names_it_is_its_published_chip"])
def test_a_device_as_jax_names_it_is_its_published_chip(name, chip):
    assert named(name).known is hardware.chip(chip) and named(name).chip is hardware.chip(chip)


@pytest.mark.parametrize("name", TABLE["a_device_that_only_sounds_like_one_is_none"])
def test_a_device_that_only_sounds_like_one_is_none(name):
    assert named(name).known is None
    with pytest.raises(NotAvailable, match="no product or no stream"):
        named(name).chip  # noqa: B018


def test_every_pattern_names_a_chip_of_the_table():
    for id in measure.mine.syllabus.load("measure")["chips"].values():
        chip = hardware.chip(id)
        assert chip.bytes_per_s and named_device(chip.name)[0] is chip  # validation knows it by the name in its rows


def test_a_roof_that_is_estimated_stands_over_its_own_dots_and_streams_of_caches_are_none_of_them(mine):
    dots = measure.overlay(mine)
    assert dots.estimated and dots.chip == mine.name
    for place, each in enumerate(dots.dots):
        picked = dots.at(place)
        assert picked.reached <= 1 + 1e-9
        assert picked.attainable == pytest.approx(roofline.attainable(each.intensity, dots.peak, dots.bytes_per_s))
        assert each.conditions.get("array_bytes", 2**30) >= 2 * mine.cache_bytes
    assert max(dots.at(place).reached for place in range(len(dots.dots))) == pytest.approx(1)
    assert list(dots.groups) == [group for group in GROUPS if mine.of(group)]
    assert sum(len(x) for x, _ in dots.groups.values()) == len(dots.dots)


def test_curves_rise_in_size_and_their_spread_holds_the_median(mine):
    dots = measure.overlay(mine)
    for curve in (dots.products, *dots.streams.values()):
        assert list(curve.sizes) == sorted(set(curve.sizes))
        assert np.all(np.array(curve.low) <= curve.rates) and np.all(np.array(curve.rates) <= curve.high)
    assert list(dots.streams) == ["read", "scale", "triad"] or set(dots.streams) == {"read", "scale", "triad"}


def test_rows_are_like_published_ones(mine):
    rows = mine.rows()
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["kind"] for row in rows} == {"gemm", "memory_bandwidth", "attention"}
    for row in rows:
        assert row["basis"] == "measured here" and row["device"] == mine.name and row["value"] > 0
        assert set(row) == {
            *("id", "kind", "chip", "device", "n_devices", "workload", "conditions", "metric", "value", "unit"),
            *("source", "basis"),
        }
    large = max((row for row in rows if row["kind"] == "gemm"), key=lambda row: row["value"])
    assert large["unit"] == "TFLOP/s" and large["value"] == pytest.approx(mine.best_product.flops_per_s / 1e12)


def test_a_published_chip_is_named_in_its_rows(simulated):
    session, _ = simulated(60, "gpu", name="Tesla T4", flops_per_s=4e13, bytes_per_s=2.5e11)
    list(session.steps())
    mine = file.read(session.content())
    assert {(row["chip"], row["device"]) for row in mine.rows()} == {("t4", hardware.chip("t4").name)}
    assert mine.dtype == "fp16" and measure.overlay(mine).peak == hardware.chip("t4").peak("fp16")


def test_the_course_s_error_leaves_out_what_set_the_peaks(mine):
    found = measure.judged(mine)
    own = {judging.identity(each.group, each.name) for each in (mine.best_product, mine.best_stream)}
    assert {row["id"] for row in mine.rows()} - {each.row["id"] for each in found} == own
    for each in found:
        assert (each.prediction is None) == bool(each.why)
        assert each.prediction is None or each.ratio == each.prediction.value / each.row["value"]


def test_the_error_is_that_of_the_door_where_the_chip_is_published(simulated):
    """Two roads: each row through validation.predict, and the summary."""
    session, _ = simulated(60, "gpu", name="NVIDIA H100 80GB HBM3", flops_per_s=7e14, bytes_per_s=2.9e12)
    list(session.steps())
    mine = file.read(session.content())
    errors = measure.errors(mine)
    rows = [row for row in mine.rows() if row["kind"] == "memory_bandwidth"]
    ratios = [judging.validation.predict(row).value / row["value"] for row in rows]
    assert errors["memory_bandwidth"].predicted == errors["memory_bandwidth"].rows == len(rows) > 0
    assert errors["memory_bandwidth"].median == pytest.approx(np.exp(np.median(np.abs(np.log(ratios)))) - 1)


def test_a_wrong_argument_is_one_line(mine):
    with pytest.raises(TypeError, match="what measure.load"):
        measure.overlay("mine.json")
    for wrong in (-1, 10**6):
        with pytest.raises(ValueError, match="place"):
            measure.overlay(mine).at(wrong)
    with pytest.raises(NotAvailable, match="no measurement that could lie on a roof"):
        measure.overlay(named("Tesla T4"))
