"""The model beside what was measured: how many rows, how near, and which are missed."""

import math

import pytest

from accelerator_lib import data, design, hardware
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.design import validation

RATIOS = {id: predicted / measured for id, predicted, measured in design.validate()}


def test_as_many_as_stated_are_within_the_factor():
    assert len(RATIOS) == 32 and sum(0.5 <= ratio <= 2 for ratio in RATIOS.values()) == 28
    assert 3.3 < max(RATIOS.values()) < 3.4 and min(RATIOS.values()) > 0.89
    assert math.exp(sum(map(math.log, RATIOS.values())) / 32) == pytest.approx(1.49, abs=0.005)


def test_one_user_is_near():
    alone = [ratio for id, ratio in RATIOS.items() if id.startswith("gptfast")]
    assert len(alone) == 7 and all(0.89 < ratio < 1.28 for ratio in alone)


def test_misses_are_long_sequences_and_one_server():
    missed = {id for id, ratio in RATIOS.items() if not 0.5 <= ratio <= 2}
    assert "serve_h100_llama_70b_2048_2048" in missed
    rows = data.published("training")
    long = [rows[id]["conditions"] for id in missed if id.startswith("mpt_")]
    assert len(long) == 3 and all(row["seq"] >= 8192 and row["d_model"] <= 2560 for row in long)


def test_rows_are_the_published_ones():
    kinds = {id: row for kind in ("decode", "training", "serving") for id, row in data.published(kind).items()}
    for id, _, measured in design.validate():
        row = kinds[id]
        assert measured in (row["value"], row["conditions"].get("tokens_per_s_per_gpu"))
        assert row["conditions"].get("recomputation", "none") == "none"


def test_one_row_by_hand():
    """Llama 2 7B, one A100: all weights but the table, and a short cache, at 85 % of the bandwidth; 129 starts."""
    read = 2 * (6_738_415_616 - 32_000 * 4096 - (2 * 32 + 1) * 4096) + 105 * 2 * 32 * 2 * 4096
    seconds = read / (0.85 * hardware.chip("a100-80gb-sxm").bytes_per_s) + 129 * 5e-6
    predicted = next(row.predicted for row in validation.group("one user") if row.id == "gptfast_7b_bf16")
    assert predicted == pytest.approx(1 / seconds, rel=0.002)


def test_chips_beside_their_sheets():
    chips = {row.id: row for row in validation.group("chips")}
    areas = [chips[f"area_{id}"].ratio for id in ("a100-80gb-sxm", "h100-sxm5", "b200", "tpu-v4")]
    watts = [chips[f"watts_{id}"].ratio for id in ("a100-80gb-sxm", "h100-sxm5", "b200")]
    assert areas == pytest.approx([0.89, 1.00, 1.04, 1.13], abs=0.005)
    assert watts == pytest.approx([0.52, 0.61, 0.96], abs=0.005)
    assert (chips["watts_tpu-v4"].measured, round(chips["watts_tpu-v4"].predicted)) == (170, 155)


def test_groups_are_sorted_and_near_says_so():
    for name in validation.GROUPS:
        rows = validation.group(name)
        off = [abs(math.log(row.ratio)) for row in rows]
        assert off == sorted(off) and all(row.near == (abs(math.log2(row.ratio)) <= 1) for row in rows)
    with pytest.raises(UnknownName, match="did you mean 'training'"):
        validation.group("trainin")
