"""Wrong solutions of the exercises, and their keys found again on another road."""

import pytest

from accelerator_course.exercises import training as exercises
from accelerator_course.exercises.slips import training as slips
from accelerator_lib.network import pipeline


def backwards_first(stage, stages, microbatches):
    return "BF" * microbatches


def the_wrong_way_round(stage, stages, microbatches):
    return exercises.order(stages - 1 - stage, stages, microbatches)


WRONG = {
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
    "11.4": [
        (slips.across_nodes, "a score of 0.18"),
        (slips.memory_forgotten, "not possible: a chip would hold"),
        (slips.one_split_for_all, "256 sequences"),
        (slips.plain_pipelines, "0.97 passes"),
        (lambda sequences, outer, holds: (8, 1, 1, 1), "a score of 0.85"),
        (lambda sequences, outer, holds: (2, 16, 5), "return (tp, pp, micro, chunks)"),
        (lambda sequences, outer, holds: (2, 16, 1, 4), "do not divide"),
        (lambda sequences, outer, holds: (4, 4, 4, 1), "not possible"),
        (lambda sequences, outer, holds: "2, 16, 1, 5", "you returned"),
    ],
}

HARMLESS = {
    "11.4": [  # a chip, a token, a byte more or less
        "        dp = 513 // (tp * pp)",
        *(
            f"            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, {tokens}, micro, chunks, "
            "outer_bytes_per_s=outer)"
            for tokens in (4095, 4097)
        ),
        "        if one.bytes_per_chip < holds:",
    ]
}


@pytest.mark.parametrize("stages, microbatches", exercises.PIPELINES)
def test_the_order_of_the_solution_is_as_good_as_the_librarys(stages, microbatches):
    made = pipeline.schedule("1f1b", stages, microbatches)
    assert made.seconds == 3 * (microbatches + stages - 1)
    for stage in range(stages):
        turns = "".join(way for way, *_ in pipeline.order("1f1b", stage, stages, microbatches))
        assert turns == exercises.order(stage, stages, microbatches)
        assert made.peaks[stage] == min(stages - stage, microbatches)
