"""One job on one design: published numbers, step by step, and beside what was measured."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import law

from accelerator_course.frames.design import best_plans
from accelerator_lib import data, design, hardware, systolic
from accelerator_lib.design import evaluation, validation
from accelerator_lib.workload import Gemm

RATES = {"decode": 2677.96604, "prefill": 44789.03734, "training": 1755.36916, "vision": 19365.22345}
RATES |= {"recommender": 12371354.536}


@pytest.mark.parametrize("job, rate", RATES.items())
def test_rates_of_an_h100(job, rate):
    assert design.evaluate("h100-sxm5", job).per_chip_s == pytest.approx(rate, rel=1e-8)


@pytest.mark.parametrize("job, cause, share", [("decode", "memory", 0.95), ("prefill", "compute", 0.92)])
def test_one_chip_is_two_machines(job, cause, share):
    found = design.evaluate("h100-sxm5", job)
    assert found.bound == cause and getattr(found, cause) / found.seconds == pytest.approx(share, abs=0.005)


def test_so_many_chips_as_asked():
    alone, four = design.evaluate("a100-80gb-sxm", "decode"), design.evaluate("a100-80gb-sxm", "decode", 4)
    assert (alone.chips, four.chips, alone.link) == (1, 4, 0)
    assert four.seconds < alone.seconds < 4 * four.seconds and four.per_chip_s < alone.per_chip_s
    assert four.causes.link == four.link > 0


BARE = design.Design(64, 64, 256, 0, 1.5e9, 300e9)
GIVEN = [(id, job) for id in (*design.reals(), BARE) for job in ("decode", "vision", "recommender")]
GIVEN += [(id, job) for id in design.reals() for job in ("prefill", "training")]


@pytest.mark.parametrize("one, job", GIVEN)
def test_the_last_frame_is_the_evaluation_and_tiles_and_rounds_keep_pes_busy(one, job):
    frames, whole = list(design.steps(one, job)), design.evaluate(one, job)
    assert [frame.place for frame in frames] == list(range(1, frames[0].steps + 1))
    assert frames[-1].causes == pytest.approx(whole.causes) and frames[-1].seconds == pytest.approx(whole.seconds)
    assert not any(frames[0].before)
    assert all(later.before == earlier.causes for earlier, later in itertools.pairwise(frames))
    assert all(earlier.seconds <= later.seconds * (1 + 1e-12) for earlier, later in itertools.pairwise(frames))
    for frame in design.steps(one, job):
        part, arrays, edge = frame.product, frame.design.arrays, frame.design.edge
        if not part.m:
            continue
        assert (frame.rounds - 1) * arrays < frame.tiles[0] * frame.tiles[1] * frame.groups <= frame.rounds * arrays
        assert 0 < frame.last <= arrays and 0 < frame.busy <= 1 and 0 <= frame.stays <= 1
        if frame.groups == 1:
            gemm = Gemm(*map(int, (part.m, part.n, part.k)))
            counted = systolic.cycles(gemm, edge, edge, "ws", True, arrays=arrays)
            assert counted.folds == frame.tiles[0] * frame.tiles[1]
            assert frame.busy == pytest.approx(counted.utilization)


def test_training_repeats_every_product_and_chips_share_the_columns():
    frames = [next(design.steps("h100-sxm5", job)) for job in ("prefill", "training")]
    assert [frame.repeats for frame in frames] == [32, 240]
    first = next(design.steps(BARE, "decode"))
    assert first.product.n == -(-6144 // first.whole.chips)


def test_the_law_in_the_cell_plays_a_step():
    inside = law("design", "inside-function", "inside")
    frames = list(inside("SRAM alone", "decode"))
    assert frames[-1].whole.resident and frames[-1].whole.bound == "link"
    assert [f.seconds for f in inside()] == [f.seconds for f in design.steps("h100-sxm5", "decode")]


RATIOS = {id: predicted / measured for id, predicted, measured in design.validate()}


def test_ratios_are_as_stated():
    assert len(RATIOS) == 32 and sum(0.5 <= ratio <= 2 for ratio in RATIOS.values()) == 28
    assert 3.3 < max(RATIOS.values()) < 3.4 and min(RATIOS.values()) > 0.89
    assert math.exp(sum(map(math.log, RATIOS.values())) / 32) == pytest.approx(1.49, abs=0.005)
    alone = [ratio for id, ratio in RATIOS.items() if id.startswith("gptfast")]
    assert len(alone) == 7 and all(0.89 < ratio < 1.28 for ratio in alone)
    ratios = [predicted / measured for _, predicted, measured in design.validate()]
    assert (
        design.validation.typical() == pytest.approx(np.exp(np.mean(np.log(ratios)))) == pytest.approx(1.49, abs=0.01)
    )
    assert design.validation.rows_of("Google") == 0 and design.validation.rows_of("NVIDIA") == 32


def test_rows_are_the_published_ones_and_misses_long_sequences_and_one_server():
    missed = {id for id, ratio in RATIOS.items() if not 0.5 <= ratio <= 2}
    assert "serve_h100_llama_70b_2048_2048" in missed
    rows = data.published("training")
    long = [rows[id]["conditions"] for id in missed if id.startswith("mpt_")]
    assert len(long) == 3 and all(row["seq"] >= 8192 and row["d_model"] <= 2560 for row in long)
    kinds = {id: row for kind in ("decode", "training", "serving") for id, row in data.published(kind).items()}
    for id, _, measured in design.validate():
        row = kinds[id]
        assert measured in (row["value"], row["conditions"].get("tokens_per_s_per_gpu"))
        assert row["conditions"].get("recomputation", "none") == "none"
    # Llama 2 7B, one A100: all weights but the table, and a short cache, at 85 % of the bandwidth; 129 starts.
    read = 2 * (6_738_415_616 - 32_000 * 4096 - (2 * 32 + 1) * 4096) + 105 * 2 * 32 * 2 * 4096
    seconds = read / (0.85 * hardware.chip("a100-80gb-sxm").bytes_per_s) + 129 * 5e-6
    predicted = next(row.predicted for row in validation.group("one user") if row.id == "gptfast_7b_bf16")
    assert predicted == pytest.approx(1 / seconds, rel=0.002)


def test_chips_beside_their_sheets_and_groups_are_sorted():
    chips = {row.id: row for row in validation.group("chips")}
    areas = [chips[f"area_{id}"].ratio for id in ("a100-80gb-sxm", "h100-sxm5", "b200", "tpu-v4")]
    watts = [chips[f"watts_{id}"].ratio for id in ("a100-80gb-sxm", "h100-sxm5", "b200")]
    assert areas == pytest.approx([0.89, 1.00, 1.04, 1.13], abs=0.005)
    assert watts == pytest.approx([0.52, 0.61, 0.96], abs=0.005)
    assert (chips["watts_tpu-v4"].measured, round(chips["watts_tpu-v4"].predicted)) == (170, 155)
    for name in validation.GROUPS:
        rows = validation.group(name)
        off = [abs(math.log(row.ratio)) for row in rows]
        assert off == sorted(off) and all(row.near == (abs(math.log2(row.ratio)) <= 1) for row in rows)


@given(st.floats(0.1, 100), st.floats(0.1, 100), st.floats(0.1, 10), st.floats(1, 10))
def test_the_longer_of_two_counts_and_the_rest_comes_on_top(compute, memory, rest, faster):
    found = evaluation.timed(compute, memory, rest, faster)
    assert found.seconds == max(compute / faster, memory) + rest >= found.shorter
    assert (found.bound == "memory") == (memory > compute / faster)


def test_the_best_plan_has_fewer_stacks_as_rows_grow():
    stacks = [served.plan.stacks for served, _ in best_plans()]
    assert stacks == sorted(stacks, reverse=True) and (stacks[0], stacks[-1]) == (6, 1)
