"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import auditing
from accelerator_course.exercises import design as exercises
from accelerator_course.exercises.slips import design as slips
from accelerator_course.exercises.slips import exploring
from accelerator_lib import hardware, llm
from accelerator_lib.design import forensics


def all_fine(row):
    return set()


def everything(row):
    return set(forensics.TESTS)


def one_word(row):
    return next(iter(exercises.audit(row)), "fine")


def no_formats(row):
    return exercises.audit(row) - {"format"}


def four_bytes(cfg, context, batch, chip):
    return exercises.serving_plan({**cfg, "weights": 2 * cfg["weights"]}, context, batch, chip)


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "13.3": [
        (lambda value, draw: (4, 6, 2, 6, 8, 3), "lies outside"),
        (lambda value, draw: 3, "a place is a tuple of six whole numbers"),
        (lambda value, draw: [value((0, 0, 0, 0, 0))], "You asked for (0, 0, 0, 0, 0)"),
        (lambda value, draw: (0, 0, 0, 0, 0, 0), "not legal"),
        (exploring.by_chance, "1 come within 1 %"),
        (exploring.never_again, "9 are needed"),
        (exploring.knob_by_knob, "0 come within 1 %"),
        (lambda value, draw: [value((4, 6, 2, 6, 8, 1)) for _ in range(501)] and (4, 6, 2, 6, 8, 1), "500 are allowed"),
    ],
    "13.1": [
        (slips.counts_no_two, "8.2 TOPS from 4,096 units at 1 GHz you found: sparse. Expected: fine"),
        (slips.links_are_sparse, "you found: sparse. Expected: two-way"),
        (slips.stops_at_the_first, "Expected: format, mixed"),
        (slips.trusts_the_clock, "clock not told you found: fine. Expected: impossible"),
        (all_fine, "you found: fine. Expected: sparse"),
        (everything, "Expected: fine"),
        (one_word, "return a set of words out of"),
        (no_formats, "FP8 from INT8 units you found: fine. Expected: format"),
        (lambda row: {"sparsity"}, "you named 'sparsity'; the tests are"),
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

SEARCHES = ("13.3",)
HARMLESS = {  # an operation a second or a hertz more or less, and a link that shows one and a half times its rate
    "13.1": ["> 3000000001.0", "> 2999999999.0", "max(clocks, default=1)", "max(clocks, default=-1)", "min(clocks, default=1)",
             "min(clocks, default=-1)"],
}  # fmt: skip


def test_the_solution_agrees_with_the_librarys_audit_and_with_the_verdicts():
    for claim in forensics.claims().values():
        assert exercises.audit(auditing.row_of(claim)) == set(forensics.audit(claim)) == set(claim.verdict)


def test_the_drills_hold_every_verdict_and_fine_ones():
    verdicts = [set(verdict) for _, _, verdict in auditing.drills()]
    assert set().union(*verdicts) == set(forensics.TESTS) and set() in verdicts
    assert all(exercises.audit(row) == set(verdict) for _, row, verdict in auditing.drills())


def test_eleven_of_twelve_are_enough_and_ten_are_not(home):
    from accelerator_course import exercises as desk

    rows = [auditing.row_of(claim) for claim in forensics.claims().values()]

    def missing(count):
        return lambda row: {"sparse", "format"} if row in rows[:count] else exercises.audit(row)

    assert desk.check("13.1", missing(1)).right and "right for 11" in desk.check("13.1", missing(1)).text
    assert not desk.check("13.1", missing(2)).right


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
