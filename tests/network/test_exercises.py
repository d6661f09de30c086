"""Wrong solutions of the exercises, and their keys found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import network as exercises
from accelerator_course.exercises.slips import network as slips
from accelerator_lib.network import collectives, pipeline, stragglers


def sums_without_a_word(arrays, exchange):
    return [sum(arrays)] * len(arrays)


def one_array_for_all(arrays, exchange):
    return slips.whole_arrays(arrays, exchange)[0]


def scattered_twice(arrays, exchange):
    """Right, with one more round that changes nothing."""
    done = exercises.ring_all_reduce(arrays, exchange)
    for _ in range(len(arrays) - 1):
        exchange([one[:0] for one in done])
    return done


def backwards_first(stage, stages, microbatches):
    return "BF" * microbatches


def the_wrong_way_round(stage, stages, microbatches):
    return exercises.order(stages - 1 - stage, stages, microbatches)


def five_percent(gpus, sigma, every, fixed, rounds, draw):
    return 1.05


def the_formula_of_large_n(gpus, sigma, every, fixed, rounds, draw):
    return 1 + sigma * np.sqrt(2 * np.log(gpus)) / (1 if fixed else np.sqrt(every))


# exercise -> [(wrong solution, what the feedback must name)]
WRONG = {
    "11.1": [
        (
            slips.whole_arrays,
            "2 ranks, 4 numbers each: the sum is right, after 1 step and 4 numbers sent; expected are 2 and 4",
        ),
        (slips.half_way, "2 ranks, 4 numbers each: rank 0 ends with"),
        (slips.adds_to_the_end, "2 ranks, 4 numbers each: rank 0 ends with"),
        (slips.own_part_again, "2 ranks, 4 numbers each: rank 0 ends with"),
        (sums_without_a_word, "after 0 steps and 0 numbers sent; expected are 2 and 4"),
        (one_array_for_all, "return a list with one array for each rank"),
        (scattered_twice, "after 3 steps and 4 numbers sent; expected are 2 and 4"),
        (lambda arrays, exchange: arrays, "2 ranks, 4 numbers each: rank 0 ends with"),
        (lambda arrays, exchange: "done", "return a list with one array for each rank"),
    ],
    "11.2": [
        (slips.gpipe, "4 stages, 8 micro-batches: stage 0 keeps 8 micro-batches; 4 are enough"),
        (slips.no_filling, "4 stages, 8 micro-batches: all is done after 96; 33 is possible"),
        (slips.all_fill_alike, "4 stages, 8 micro-batches: stage 1 keeps 4 micro-batches; 3 are enough"),
        (slips.one_too_few, "4 stages, 8 micro-batches: all is done after"),
        (slips.more_than_there_are, "8 stages, 4 micro-batches: stage 0 has 7 F, not 4"),
        (backwards_first, "4 stages, 8 micro-batches: deadlock: stages 0, 1, 2, 3 wait for one another"),
        (the_wrong_way_round, "4 stages, 8 micro-batches:"),
        (lambda stage, stages, microbatches: list("FB" * microbatches), "return a text of F and B for stage 0"),
    ],
    "11.3": [
        (slips.nobody_waits, "8 GPUs, spread 0.03"),
        (slips.waits_at_every_step, "1024 GPUs, spread 0.03, all wait after 16 steps, new at every step"),
        (slips.time_of_a_round, "1024 GPUs, spread 0.03, all wait after 16 steps, new at every step"),
        (slips.always_slow, "1024 GPUs, spread 0.03, all wait after 16 steps, new at every step"),
        (slips.always_new, "1024 GPUs, spread 0.03, all wait after 16 steps, slow chips stay slow"),
        (five_percent, "8 GPUs, spread 0.03"),
        (the_formula_of_large_n, "8 GPUs, spread 0.03"),
        (lambda *given: float("nan"), "the mean time of a step was expected"),
    ],
}

WRONG["11.4"] = [
    (slips.as_wide_as_the_node, "a score of 0.85"),
    (slips.memory_forgotten, "not possible: a chip would hold"),
    (slips.one_split_for_all, "256 sequences"),
    (slips.plain_pipelines, "0.97 passes"),
    (lambda sequences, outer: (16, 1, 1, 1), "30.66 s"),
    (lambda sequences, outer: (2, 16, 5), "return (tp, pp, micro, chunks)"),
    (lambda sequences, outer: (2, 16, 1, 4), "do not divide"),
    (lambda sequences, outer: (4, 4, 4, 1), "not possible"),
    (lambda sequences, outer: "2, 16, 1, 5", "you returned"),
]

HARMLESS = {
    "11.4": [  # a chip, a token, a byte more or less
        "        dp = 513 // (tp * pp)",
        *(
            f"            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, {tokens}, micro, chunks, "
            "outer_bytes_per_s=outer)"
            for tokens in (4095, 4097)
        ),
        *(
            f"        if one.bytes_per_chip {most}:"
            for most in ("<= 72000000001.0", "<= 71999999999.0", "< 72000000000.0")
        ),
    ]
}


@pytest.mark.parametrize("ranks, numbers", exercises.RINGS[:5])
def test_the_ring_of_the_solution_sends_what_the_librarys_ring_sends(ranks, numbers):
    arrays = np.random.default_rng(7).integers(0, 9, (ranks, numbers))
    wire = exercises._Ring(ranks)
    got = exercises.ring_all_reduce(list(arrays), wire)
    _, *rest = collectives.all_reduce(arrays, "ring")
    assert wire.steps == len(rest) and set(wire.sent) == set(np.asarray(rest[-1].sent))
    assert np.array_equal(got, rest[-1].buffers)


@pytest.mark.parametrize("stages, microbatches", exercises.PIPELINES)
def test_the_order_of_the_solution_is_as_good_as_the_librarys(stages, microbatches):
    made = pipeline.schedule("1f1b", stages, microbatches)
    assert made.seconds == 3 * (microbatches + stages - 1)
    for stage in range(stages):
        turns = "".join(way for way, *_ in pipeline.order("1f1b", stage, stages, microbatches))
        assert turns == exercises.order(stage, stages, microbatches)
        assert made.peaks[stage] == min(stages - stage, microbatches)


@pytest.mark.parametrize("crew", exercises.CREWS)
def test_the_dice_of_the_solution_are_near_the_formula(crew):
    gpus, sigma, every, fixed, _ = crew
    want = stragglers.waited(gpus, sigma, every, "fixed" if fixed else "jitter")
    for seed in range(3):
        assert exercises.straggling(*crew, np.random.default_rng(seed)) == pytest.approx(want, abs=exercises.CLOSE)
