"""The key of the exercise found again without rounding."""

import pytest

from accelerator_course.exercises import lowbit as exercises


@pytest.mark.parametrize("seed", exercises.SEEDS)
def test_a_run_in_fp16_is_that_without_rounding(seed):
    toy = exercises.Toy(seed)
    loss, skipped, scale = exercises.reference(toy)
    found = exercises.played(exercises.train_step, toy)
    assert found[1:] == (skipped, scale) and skipped >= 3 and found[0] == pytest.approx(loss, rel=0.01)
