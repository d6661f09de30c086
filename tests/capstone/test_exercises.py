"""The bounds of the capstone found again on another road."""

import numpy as np
import pytest

from accelerator_course.exercises import capstone as exercises
from accelerator_lib import design
from accelerator_lib.design import explore


@pytest.mark.parametrize("seed", exercises.SEEDS)
def test_the_best_worst_value_is_that_of_a_design_evaluated_by_itself(seed):
    given = exercises.brief(seed)
    edge, arrays, sram, stacks, clock, link = exercises.choose(given)
    chip = design.Design(edge, arrays, sram, stacks, clock, link)
    assert min(design.score(chip, mix).value for mix in given["mixes"]) == pytest.approx(exercises.best(seed))
    assert not design.violations(chip, given["watts"])


@pytest.mark.parametrize("seed", exercises.SEEDS)
def test_no_legal_design_at_random_beats_it(seed):
    given, draw = exercises.brief(seed), np.random.default_rng(seed)
    whole = explore.grid(given["watts"])
    for place in draw.choice(np.flatnonzero(whole.allowed), 20, replace=False):
        scores = [design.score(whole.design(int(place)), mix) for mix in given["mixes"]]
        worst = min(one.value for one in scores) if scores[0].usd_per_hour <= given["usd_per_hour"] else 0
        assert worst <= exercises.best(seed) * (1 + 1e-9)
