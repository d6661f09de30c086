"""The keys of the exercises found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import design as exercises
from accelerator_lib import design, hardware, llm, roofline
from accelerator_lib.design.forensics import Claim, Part


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
    ridge = roofline.ridge_point(peak, given["bytes_per_s"])
    assert [whole["peak"], whole["ridge"]] == pytest.approx([peak, ridge], rel=0.005)  # printed with three digits
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
