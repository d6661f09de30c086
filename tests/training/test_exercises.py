"""The keys of the exercises found again on another road."""

import pytest

from accelerator_course.exercises import training as exercises
from accelerator_lib.network import pipeline


@pytest.mark.parametrize("stages, microbatches", exercises.PIPELINES)
def test_the_order_of_the_solution_is_as_good_as_the_librarys(stages, microbatches):
    made = pipeline.schedule("1f1b", stages, microbatches)
    assert made.seconds == 3 * (microbatches + stages - 1)
    for stage in range(stages):
        turns = "".join(way for way, *_ in pipeline.order("1f1b", stage, stages, microbatches))
        assert turns == exercises.order(stage, stages, microbatches)
        assert made.peaks[stage] == min(stages - stage, microbatches)
