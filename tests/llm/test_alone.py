import numpy as np
import pytest

from accelerator_lib import data, hardware, llm, roofline, validation
from accelerator_lib.checks.inputs import NotAvailable


def test_a_run_by_hand():
    found = {row["id"]: (read, took) for row, read, took in zip(*vars(llm.alone.runs()).values(), strict=True)}
    read, took = found["llamacpp_h100_pcie_80gb_70b_q4_0"]
    assert read == pytest.approx(
        36.37 * 2**30 * 68_714_504_192 / 68_976_648_192 / hardware.chip("h100-pcie").bytes_per_s
    )
    assert took == pytest.approx(1 / 25.88)
    assert found["gptfast_7b_bf16"][0] == pytest.approx(2 * llm.counts.weights_read("llama-2-7b") / 2.039e12)


def test_nobody_reads_faster_than_the_datasheet_and_none_stands_twice():
    runs = llm.alone.runs()
    assert all(runs.shares < 1) and all(runs.shares > 0)
    ids = [row["id"] for row in runs.rows]
    assert len(set(ids)) == len(ids) > 10


def test_who_is_left_out():
    kept = {row["id"] for row in llm.alone.runs().rows}
    for row in data.published("decode").values():
        longest = row["conditions"].get("generated_tokens", 0)
        alone = (
            row["n_devices"] == 1 and row["chip"] and row["basis"] == "seen" and longest in (0, 512, 1024, "up to 1024")
        )
        swaps = "swapping" in row.get("note", "")  # as who wrote the row down saw it
        assert (row["id"] in kept) == bool(alone and "claim" not in row["conditions"] and not swaps), row["id"]


def test_weights_that_are_swapped_say_nothing_of_the_memory():
    """A second road: the door of chapter 14 refuses them as well."""
    swapped = data.published("decode")["llamacpp_m3_max_40_core_gpu_48gb_70b_q4_0"]
    assert swapped["conditions"]["weights_gib"] > 0.75 * 48 and swapped not in llm.alone.runs().rows
    with pytest.raises(NotAvailable, match="swaps"):
        validation.predict(swapped)
    assert any(row["device"].startswith("M3 Max") for row in llm.alone.runs().rows)


def test_the_bounds_of_the_drawn_runs_are_the_same():
    """A second road: the panel of chapter 10 that draws some of them."""
    runs = llm.alone.runs()
    ratios = {row["id"]: 1 / share for row, share in zip(runs.rows, runs.shares, strict=True)}
    for one in llm.published.one_user():
        assert one.ratio == pytest.approx(ratios[one.id])


def test_one_loss_for_all_machines_brings_the_model_nearer():
    runs = llm.alone.runs()
    off = [roofline.typical(runs.read_seconds + lost, runs.seconds) for lost in np.arange(51) / 1000]
    assert 1 < min(off) < 1.25 < 1.5 < off[0] and off[-1] > off[0]
