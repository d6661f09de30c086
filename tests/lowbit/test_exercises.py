"""Wrong solutions of the exercises of chapter 7b, and what the feedback must name."""

import pytest

from accelerator_course.exercises import lowbit as exercises
from accelerator_course.exercises.slips import lowbit as slips

WRONG = {
    "07.3": [
        (slips.counter_not_reset, "1,999 clean steps, an overflow, 1,999 clean, the scale"),
        (slips.doubles_ever_after, "6,000 clean steps, the scale"),
        (slips.one_step_late, "2,000 clean steps, an overflow, 2,000 clean, the scale"),
        (slips.skips_nothing, "2,000 clean steps, an overflow, 2,000 clean, the steps skipped"),
        (lambda overflows: (65536.0, sum(overflows)), "2,000 clean steps, an overflow, 2,000 clean, the scale"),
        (lambda overflows: 65536.0, "return (scale, skipped)"),
    ],
    "07b.1": [
        (slips.updates_on_overflow, "steps left the weights as they were, not"),
        (slips.not_divided, "hidden run 1"),
        (slips.master_in_fp16, "hidden run 1"),
        (slips.count_goes_on, "hidden run"),
        (slips.never_doubles, "steps left the weights as they were, not"),
        (slips.never_halves, "steps left the weights as they were, not"),
    ],
}


# a count that is off by one doubles the scale one step earlier or later: as right
HARMLESS = {"07b.1": [f"(master, scale {change}, {count})" for change in ("/ 2", "* 2") for count in (1, -1)]}


@pytest.mark.parametrize("seed", exercises.SEEDS)
def test_a_run_in_fp16_is_that_without_rounding(seed):
    toy = exercises.Toy(seed)
    loss, skipped, scale = exercises.reference(toy)
    found = exercises.played(exercises.train_step, toy)
    assert found[1:] == (skipped, scale) and skipped >= 3 and found[0] == pytest.approx(loss, rel=0.01)
