"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import design as exercises
from accelerator_course.exercises.slips import design as slips
from accelerator_lib import design, hardware, llm, roofline
from accelerator_lib.design.forensics import Claim, Part


def four_bytes(cfg, context, batch, chip):
    return exercises.serving_plan({**cfg, "weights": 2 * cfg["weights"]}, context, batch, chip)


WRONG = {
    "13.4": [
        (slips.links_both_ways, "you let link pass, 4e+11. The parts give 2e+11"),
        (slips.counts_no_two, "peak, you say"),
        (slips.lowest_setting, "you let per_watt pass"),
        (slips.believes_the_peak, "per_watt, you say"),
        (slips.chips_not_whole, "chips, you say 155.556"),
        (lambda sheet: {}, "you let peak pass"),
        (lambda sheet: dict(sheet["printed"]), "peak, you say"),
        (lambda sheet: ["peak"], "return a dict"),
        (lambda sheet: {"watts": 1}, "you named 'watts'; the lines are"),
        (lambda sheet: {**exercises.audit(sheet), "link": 1.0}, "link, you say 1"),
    ],
    "13.2": [
        (slips.weights_alone, "Llama 3 8B, 64 users with 8,192 tokens, A100 80GB SXM4, by memory"),
        (slips.keys_alone, "Llama 3 8B, 64 users with 8,192 tokens, A100 80GB SXM4, by memory"),
        (slips.all_of_the_memory, "Llama 3 70B, 64 users"),
        (slips.rounds_down, "Llama 3 8B"),
        (four_bytes, "by memory, you say 7; expected are 5 chips"),
        (lambda *given: exercises.serving_plan(*given)[::-1], "by memory"),
        (lambda *given: exercises.serving_plan(*given)[0], "return (chips by memory, chips by time)"),
    ],
}


HARMLESS = {"13.4": ["139999999999.0", "140000000001.0"]}  # a byte of a model more or less


def test_every_line_is_true_and_false_in_some_sheet_and_one_sheet_has_no_fault():
    found = [exercises.sheet(seed) for seed in exercises.SEEDS]
    assert set(found[0][1]) == set(exercises.LINES) and not found[1][1]
    for line in exercises.LINES:
        assert 2 <= sum(line in faults for _, faults in found) <= len(found) - 2


@pytest.mark.parametrize("seed", exercises.SEEDS)
def test_a_line_that_is_not_planted_is_the_true_one(seed):
    """Another road: the catalogue's own peak, and the forensics of chapter 13."""
    given, faults = exercises.sheet(seed)
    said, whole = given["printed"], {**given["printed"], **faults}
    peak = hardware.peak_from_units(given["arrays"], 2 * given["edge"] ** 2, given["clock_hz"])
    assert whole["peak"] == peak and whole["ridge"] == roofline.ridge_point(peak, given["bytes_per_s"])
    assert whole["chips"] == design.chips_for_weights(70e9, 2, given["memory_bytes"])
    link = Part("links", given["links"], each=given["link_bytes_per_s"])
    claim = Claim("x", "x", "x", "link", said["link"], None, (link,))
    assert ("two-way" in claim.fails) == ("link" in faults) and claim.rebuilt == whole["link"]


@pytest.mark.parametrize("model, context, batch, chip", exercises.PLANS)
def test_the_plan_is_what_the_models_of_chapter_10_give(model, context, batch, chip):
    shape, one = llm.model(model), hardware.chip(chip)
    cfg = {"weights": shape.params, "layers": shape.layers, "kv_heads": shape.kv_heads, "head_dim": shape.head_dim}
    given = {"capacity_bytes": one.capacity_bytes, "bytes_per_s": one.bytes_per_s}
    memory, time = exercises.serving_plan(cfg, context, batch, given)
    held = 2 * shape.params + batch * context * llm.kv_bytes_per_token(shape)
    assert (memory - 1) * 0.9 * one.capacity_bytes < held <= memory * 0.9 * one.capacity_bytes
    assert held / (time * one.bytes_per_s) <= exercises.TPOT
    assert time == 1 or held / ((time - 1) * one.bytes_per_s) > exercises.TPOT


def test_the_plans_are_decided_by_either():
    found = []
    for model, context, batch, chip in exercises.PLANS:
        shape, one = llm.model(model), hardware.chip(chip)
        held = 2 * shape.params + batch * context * llm.kv_bytes_per_token(shape)
        found.append(np.sign(held / (0.9 * one.capacity_bytes) - held / (exercises.TPOT * one.bytes_per_s)))
    assert {-1, 1} <= set(found)
