from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.copies import FREE, directions, estimate

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(workload="host to device, PCIe 4.0 x16", device="A100 SXM 80GB", devices=1, unit="GB/s", **conditions):
    return stated("link_bandwidth", device, workload, "bandwidth", unit, devices, **conditions)


@pytest.mark.parametrize(("workload", "rate"), TABLE["a_host_link_is_lanes_of_a_generation"])
def test_a_host_link_is_lanes_of_a_generation(workload, rate):
    found = estimate(row(workload), START)
    assert found.bound == pytest.approx(rate) and found.value == pytest.approx(0.83 * rate)


def test_two_devices_share_the_link_to_their_processor_and_a_mesh_gives_a_pair_one_link():
    assert estimate(row("host to device, NVLink-C2C", "GB200 (one GPU)"), START).bound == pytest.approx(225)
    mesh = estimate(row("device to device read, one way", "MI300X", 2), START)
    assert mesh.bound == pytest.approx(64)
    switched = estimate(row("device to device read, NVLink 4", "H100 SXM", 2), START)
    assert switched.bound == pytest.approx(900) and "both ways" in switched.why


@pytest.mark.parametrize(("said", "ways"), TABLE["ways_are_counted_as_a_row_says"])
def test_ways_are_counted_as_a_row_says(said, ways):
    assert directions(row(said)) == ways


@given(st.integers(1, 10**10))
def test_small_copies_wait_for_their_start(size):
    found, large = (estimate(row(**stated), START) for stated in ({"transfer_bytes": size}, {"transfer": "large"}))
    assert found.value == pytest.approx(size / (1e-5 + size / 26.145e9) / 1e9, rel=1e-4)
    assert found.value < large.value <= large.bound
    assert estimate(row(transfer="4 MiB"), START) == estimate(row(transfer_bytes=4 * 2**20), START)
