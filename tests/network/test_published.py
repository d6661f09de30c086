"""The models beside published numbers: close where the chapter says so, far where it says why; and the facts."""

import numpy as np
import pytest

from accelerator_lib import data, hardware, network
from accelerator_lib.network import parallel, published


def test_a_ring_on_the_data_sheet_is_too_fast_and_two_fitted_numbers_miss_the_middle():
    misses = [row.miss for row in published.by_size()]
    assert len(misses) == 14 and min(misses) == pytest.approx(-0.53, abs=0.005)
    assert max(misses) == pytest.approx(-0.23, abs=0.005)
    rows = published.by_size(15e-6, 2e-6, 231.6e9)
    for row in rows:
        ends = row.bytes_moved <= 2**20 or row.bytes_moved >= 2**31
        assert abs(row.miss) <= 0.041 if ends else row.miss < -0.05, row
    middle = [row.miss for row in rows if 2**21 <= row.bytes_moved <= 2**27]
    assert min(middle) == pytest.approx(-0.35, abs=0.003) and max(middle) == pytest.approx(-0.14, abs=0.003)


def test_no_start_and_no_rate_hold_all_fourteen():
    """The least largest miss of any straight line, found by linear programming on a grid of slopes."""
    size, took = (np.array(list(side)) for side in zip(*published.sizes().items(), strict=True))
    best = 1.0
    for slope in np.geomspace(0.3, 3, 400) * took[-1] / size[-1]:
        starts = np.linspace(0, 1.5 * took[0], 400)[:, None]
        best = min(best, np.abs((starts + slope * size) / took - 1).max(axis=1).min())
    assert best > 0.15


def test_the_latency_of_a_ring_is_a_straight_line_in_its_steps():
    steps, took = zip(*((2 * (n - 1), seconds) for n, seconds in published.ranks().items()), strict=True)
    step, start = np.polyfit(steps, took, 1)
    assert (step, start) == (pytest.approx(1.98e-6, abs=5e-9), pytest.approx(5.56e-6, abs=5e-8))
    assert np.allclose(start + step * np.array(steps), took, atol=0.65e-6)


def test_an_exchange_of_experts_is_a_start_and_the_bytes_that_leave_a_node():
    sheet = [row.miss for row in published.by_chips()]
    assert max(sheet) < -0.24 and min(sheet) == pytest.approx(-0.48, abs=0.005)
    for given, most in (((38e-6, 47e9), 0.017), ((35e-6, 45e9, True), 0.03)):
        assert max(abs(row.miss) for row in published.by_chips(*given)) < most


def test_bus_bandwidth_is_no_rate_of_a_link():
    rows = [row for row in data.rows("collective").values() if row["conditions"].get("in_switch_reduction")]
    for row in rows:
        n, bus, link = row["n_devices"], row["value"] * 1e9, hardware.chip(row["chip"]).link_bytes_per_s
        wire = bus * (n + 1) / (2 * (n - 1))  # what a rank really sends
        seconds = network.all_reduce_seconds(1.0, n, wire, 0.0, "switch")
        assert bus * n / (2 * (n - 1)) == pytest.approx(1 / seconds)  # the same time by the formula of the switch
        assert wire < link
        if (row["device"], row["conditions"]["message"]) == ("H100 SXM", "large"):
            assert bus > link and wire == pytest.approx(308.6e9, rel=1e-3)
            assert link * 2 * (n - 1) / (n + 1) == pytest.approx(700e9)


def test_a_ring_is_its_steps_and_none_passes_its_link():
    """Two roads: the time of an all-reduce from its bus bandwidth, and its steps one after the other."""
    steps = network.published.ring_steps()
    assert len(steps.rows) == len(steps.links) > 14
    for row, size, rate in zip(steps.rows, steps.bytes_moved, steps.bytes_per_s, strict=True):
        n = row["n_devices"]
        assert 2 * (n - 1) * size / rate == pytest.approx(network.published.seconds_of(row))
        assert not row["conditions"].get("in_switch_reduction")
    steps = network.published.ring_steps()
    assert {size / 8 for size in network.published.sizes()} <= set(steps.bytes_moved.tolist())
    assert all(steps.bytes_per_s < steps.links)
    assert published.off(3e-6) == pytest.approx(1.24, abs=0.01)
    assert published.off(3e-6) < min(published.off(1e-6), published.off(10e-6))
    row = data.rows("collective")["ar_a100_azure_8gb"]
    assert published.seconds_of(row) == pytest.approx(2 * 7 / 8 * 2**33 / 231.58e9)


FACTS = data.load("network")


def test_published_formulas_are_those_of_the_models():
    assert FACTS["in_switch_bytes"]["share"] == "(n + 1) / n"
    for n in (2, 4, 8, 72):
        sent, _ = network.all_reduce_counts(n, "switch")
        assert sent == pytest.approx((n + 1) / n)
    assert FACTS["activations"]["bytes_per_number"] == parallel.ACTIVATION
    own, took = FACTS["ring_model"], published.ranks()
    for n, seconds in took.items():
        assert own["start_us"] + 2 * (n - 1) * own["nvlink_step_us"] < seconds * 1e6


def test_links_of_tpus():
    for row in FACTS["ici"]:
        assert row["chip"] in hardware.chips() and row["axes"] in (2, 3)
        total = hardware.chip(row["chip"]).link_bytes_per_s  # of all links of a chip, one way
        assert total is None or total == pytest.approx(2 * row["axes"] * row["link_bytes_per_s"], rel=0.12)
    assert {row["chip"] for row in FACTS["ici"] if row["wraps_at"] == 16} == {"tpu-v5e", "tpu-v6e"}


def test_measured_rows_state_what_a_model_needs():
    for row in data.rows("collective").values():
        assert row["conditions"]["message"] and row["n_devices"] == 8
    rows = (row for row in data.rows("collective").values() if row["chip"] == "a100-80gb-sxm")
    sizes = [row["conditions"]["message_bytes"] for row in rows]
    assert len(sizes) == 14 and all(size & (size - 1) == 0 for size in sizes)
    steps = [row["conditions"]["steps"] for row in data.rows("ring_latency").values()]
    assert steps == [2 * (n - 1) for n in range(2, 9)]
    for row in data.rows("split_decode").values():
        assert row["n_devices"] == row["conditions"]["tensor_parallel"]
    for row in data.rows("training_scale").values():
        given = row["conditions"]
        ways = given["tensor_parallel"] * given["pipeline_parallel"] * given["data_parallel"]
        assert ways == row["n_devices"] and given["data_parallel"] * given["batch_per_dp"] == 2048
