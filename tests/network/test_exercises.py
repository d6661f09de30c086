"""The key of the exercise found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import network as exercises
from accelerator_lib.network import collectives


@pytest.mark.parametrize("ranks, numbers", [(2, 4), (4, 8), (8, 64), (3, 12)])
def test_the_ring_of_the_solution_sends_what_the_librarys_ring_sends(ranks, numbers):
    arrays = np.random.default_rng(7).integers(0, 9, (ranks, numbers))
    got, steps, sent = exercises.carry(exercises.all_reduce, arrays)
    _, *rest = collectives.all_reduce(arrays, "ring")
    assert steps == len(rest) and sent == max(rest[-1].sent)
    assert np.array_equal(got, rest[-1].buffers)
