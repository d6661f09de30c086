"""Edge devices on one charge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.design import battery, tops_per_watt
from accelerator_lib.workload import networks


def test_an_image_is_what_chapter_1_counts_for_resnet_50():
    """Two roads: the stages of chapter 1, and every convolution as a product."""
    flops = sum(conv.flops for _, conv in networks.convolutions("resnet-50"))
    assert flops == battery.image_operations() == battery.devices().image_operations


def test_a_phones_battery_and_the_edge_tpu():
    found = battery.devices(15, 15)
    edge = next(row for row in found.rows if row.record.id == "edge-tpu")
    assert (edge.hours, edge.tops, edge.watts) == (7.5, 4, 2) and edge.tops_per_watt == tops_per_watt(4, 2) == 2
    assert edge.images == pytest.approx(7.5 * 3600 * 4e12 / battery.image_operations())
    assert [row.record.id for row in found.rows if not row.within] == ["agx-orin-64gb", "orin-nano-super"]
    assert [row.id for row in found.silent] == ["ethos-u55"]


@given(st.floats(0.1, 1e4), st.floats(0.01, 100))
def test_the_thriftiest_does_the_most_and_rows_are_parts(watt_hours, watts):
    found = battery.devices(watt_hours, watts)
    assert len({row.record.part for row in found.rows}) == len(found.rows) == 6
    images = [row.images for row in found.rows]
    assert images == sorted(images, reverse=True)
    for row in found.rows:
        assert row.hours * row.watts == pytest.approx(watt_hours) and row.within == (row.watts <= watts)
        assert row.images * battery.image_operations() == pytest.approx(row.hours * 3600 * row.tops * 1e12)


def test_nothing_whose_power_is_published_works_on_50_milliwatts():
    assert not any(row.within for row in battery.devices(15, 0.05).rows)


@pytest.mark.parametrize("given", [{"watt_hours": 0}, {"watts": -1}, {"watts": float("nan")}, {"watt_hours": [1, 2]}])
def test_bad_input_is_one_clear_line(given):
    with pytest.raises((ValueError, TypeError), match=next(iter(given))):
        battery.devices(**given)
