"""One step as one looks at it: frames add up, tiles and rounds are those of chapter 6."""

import itertools

import pytest
from laws import law

from accelerator_lib import design, systolic
from accelerator_lib.design import watching
from accelerator_lib.workload import Gemm

BARE = design.Design(64, 64, 256, 0, 1.5e9, 300e9)
GIVEN = [(id, job) for id in (*design.reals(), BARE) for job in ("decode", "vision", "recommender")]
GIVEN += [(id, job) for id in design.reals() for job in ("prefill", "training")]


@pytest.mark.parametrize("one, job", GIVEN)
def test_the_last_frame_is_the_evaluation(one, job):
    frames, whole = list(watching.watch(one, job)), design.evaluate(one, job)
    assert [frame.place for frame in frames] == list(range(1, frames[0].frames + 1))
    assert frames[-1].causes == pytest.approx(whole.causes) and frames[-1].seconds == pytest.approx(whole.seconds)
    assert not any(frames[0].before)
    assert all(later.before == earlier.causes for earlier, later in itertools.pairwise(frames))
    assert all(earlier.seconds <= later.seconds * (1 + 1e-12) for earlier, later in itertools.pairwise(frames))


@pytest.mark.parametrize("one, job", GIVEN)
def test_tiles_rounds_and_busy_pes(one, job):
    for frame in watching.watch(one, job):
        part, arrays, edge = frame.product, frame.design.arrays, frame.design.edge
        if not part.m:
            continue
        assert (frame.rounds - 1) * arrays < frame.tiles[0] * frame.tiles[1] * frame.groups <= frame.rounds * arrays
        assert 0 < frame.last <= arrays and 0 < frame.busy <= 1 and 0 <= frame.stays <= 1
        if frame.groups == 1:
            counted = systolic.cycles(
                Gemm(int(part.m), int(part.n), int(part.k)), edge, edge, "ws", True, arrays=arrays
            )
            assert counted.folds == frame.tiles[0] * frame.tiles[1]
            assert frame.busy == pytest.approx(counted.utilization)


def test_training_repeats_every_product_three_times():
    frames = [next(watching.watch("h100-sxm5", job)) for job in ("prefill", "training")]
    assert [frame.repeats for frame in frames] == [32, 240]


def test_chips_share_the_columns():
    first = next(watching.watch(BARE, "decode"))
    assert first.product.n == -(-6144 // first.whole.chips)


@pytest.mark.parametrize("wrong", ["h200", None, 3])
def test_bad_designs(wrong):
    with pytest.raises((TypeError, KeyError)):
        list(watching.watch(wrong, "decode"))


def test_the_law_in_the_cell_plays_a_step():
    inside = law("design", "inside-function", "inside")
    frames = list(inside("SRAM alone", "decode"))
    assert frames[-1].whole.resident and frames[-1].whole.bound == "link"
    assert [f.seconds for f in inside()] == [f.seconds for f in watching.watch("h100-sxm5", "decode")]
