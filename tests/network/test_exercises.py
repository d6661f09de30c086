"""Wrong solutions of the exercise, and its key found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import network as exercises
from accelerator_course.exercises.slips import network as slips
from accelerator_lib.network import collectives


def scattered_twice(rank, n, array):
    """Right, with one more round that changes nothing."""
    done = yield from exercises.all_reduce(rank, n, array)
    for _ in range(n - 1):
        yield done[:0]
    return done


def sends_for_ever(rank, n, array):
    while True:
        yield array[:1]


def first_rank_leaves_early(rank, n, array):
    if rank:
        yield from exercises.all_reduce(rank, n, array)


WRONG = {
    "11.5": [
        (slips.whole_arrays, "4 ranks, 8 numbers each: the sum is right, but a rank sent 24 numbers; 12 are enough"),
        (slips.half_way, "4 ranks, 8 numbers each: rank 0 ends with"),
        (slips.adds_to_the_end, "4 ranks, 8 numbers each: rank 0 ends with"),
        (slips.own_part_again, "4 ranks, 8 numbers each: rank 0 ends with"),
        (slips.equal_parts_only, "3 ranks, 7 numbers each: rank 0 ends with"),
        (scattered_twice, "the sum is right, after 9 steps; expected are 6"),
        (sends_for_ever, "after 1,000 steps no rank was done"),
        (first_rank_leaves_early, "some ranks are done and others still send"),
        (lambda rank, n, array: array, "the function has no yield"),
    ]
}


@pytest.mark.parametrize("ranks, numbers", [(2, 4), (4, 8), (8, 64), (3, 12)])
def test_the_ring_of_the_solution_sends_what_the_librarys_ring_sends(ranks, numbers):
    arrays = np.random.default_rng(7).integers(0, 9, (ranks, numbers))
    got, steps, sent = exercises.carry(exercises.all_reduce, arrays)
    _, *rest = collectives.all_reduce(arrays, "ring")
    assert steps == len(rest) and sent == max(rest[-1].sent)
    assert np.array_equal(got, rest[-1].buffers)
