"""The facts of the chapter: each with its source, and where two of them meet, they agree."""

import pytest

from accelerator_lib import data, hardware, network
from accelerator_lib.network import parallel, published

FACTS = data.load("network")


def test_what_a_rank_sends_in_the_switch_is_the_published_formula():
    assert FACTS["in_switch_bytes"]["share"] == "(n + 1) / n"
    for n in (2, 4, 8, 72):
        sent, _ = network.all_reduce_counts(n, "switch")
        assert sent == pytest.approx((n + 1) / n)


def test_states_of_a_model_dealt_out_are_those_of_the_figure():
    figure = FACTS["zero_figure"]
    for stage, printed in enumerate(figure["gigabytes"]):
        mine = parallel.zero_bytes(figure["params"], figure["gpus"], stage) / 1e9
        assert mine == pytest.approx(printed, abs=0.06)


def test_links_of_tpus():
    for row in FACTS["ici"]:
        assert row["chip"] in hardware.chips() and row["axes"] in (2, 3)
        total = hardware.chip(row["chip"]).link_bytes_per_s  # of all links of a chip, one way
        assert total is None or total == pytest.approx(2 * row["axes"] * row["link_bytes_per_s"], rel=0.12)
    assert {row["chip"] for row in FACTS["ici"] if row["wraps_at"] == 16} == {"tpu-v5e", "tpu-v6e"}


def test_activations_are_counted_with_the_published_bytes():
    assert FACTS["activations"]["bytes_per_number"] == parallel.ACTIVATION


def test_the_library_asks_for_less_than_it_takes():
    own, took = FACTS["ring_model"], published.ranks()
    for n, seconds in took.items():
        assert own["start_us"] + 2 * (n - 1) * own["nvlink_step_us"] < seconds * 1e6


def test_measured_rows_state_what_a_model_needs():
    for row in data.rows("collective").values():
        assert row["conditions"]["message"] and row["n_devices"] == 8
    sizes = [
        row["conditions"]["message_bytes"] for row in data.rows("collective").values() if row["chip"] == "a100-80gb-sxm"
    ]
    assert len(sizes) == 14 and all(size & (size - 1) == 0 for size in sizes)
    assert [row["conditions"]["steps"] for row in data.rows("ring_latency").values()] == [
        2 * (n - 1) for n in range(2, 9)
    ]
    for row in data.rows("split_decode").values():
        assert row["n_devices"] == row["conditions"]["tensor_parallel"]
    for row in data.rows("training_scale").values():
        given = row["conditions"]
        ways = given["tensor_parallel"] * given["pipeline_parallel"] * given["data_parallel"]
        assert ways == row["n_devices"] and given["data_parallel"] * given["batch_per_dp"] == 2048
