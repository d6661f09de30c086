"""The race: every strategy gets the same number of designs, and its front is that of what it tried."""

from itertools import pairwise

import numpy as np
import pytest

from accelerator_lib import design
from accelerator_lib.design import explore
from accelerator_lib.design.race import BATCH, BUDGET, STRATEGIES, undominated

SEEDS = range(1, 11)


@pytest.mark.parametrize("over", ["dollars", "watts"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_states_add_up_and_the_front_is_that_of_what_was_tried(strategy, over):
    states = list(explore.race(strategy, over, seed=3))
    assert [len(state.tried) for state in states] == list(range(BATCH, BUDGET + 1, BATCH))
    for state in states:
        legal = np.flatnonzero(state.legal)
        again = legal[undominated(state.cost[legal], state.score[legal])]
        assert np.array_equal(state.front, again) and state.legal[state.front].all()
    assert all(a.grown <= b.grown + 1e-12 and a.share <= b.share for a, b in pairwise(states))
    assert 0 < states[-1].grown <= 1 + 1e-12 and 0 < states[-1].share <= 1
    one = int(states[-1].tried[states[-1].front[-1]])
    alone = design.score(states[-1].found.design(one))
    assert states[-1].score[states[-1].front[-1]] == pytest.approx(alone.score)
    cost = alone.usd_per_hour if over == "dollars" else alone.watts
    assert states[-1].cost[states[-1].front[-1]] == pytest.approx(cost)


def test_the_same_seed_runs_the_same_race():
    a, b, c = (list(explore.race("evolution", seed=seed))[-1].tried for seed in (1, 1, 2))
    assert np.array_equal(a, b) and not np.array_equal(a, c)


def test_children_of_the_front_grow_it_further_than_chance_in_the_mean():
    mean = {name: np.mean([list(explore.race(name, seed=s))[-1].grown for s in SEEDS]) for name in STRATEGIES[:2]}
    assert mean["evolution"] > mean["random"] + 0.02


def test_a_grid_knows_no_chance_and_takes_every_budget():
    a, b = (list(explore.race("grid", seed=seed))[-1].tried for seed in (1, 2))
    assert np.array_equal(a, b) and len(set(a.tolist())) == BUDGET
    assert len(list(explore.race("grid", budget=1000))[-1].tried) == 1000


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(KeyError, match="did you mean 'evolution'"):
        next(explore.race("evolutoin"))
    with pytest.raises(ValueError, match="budget = 3"):
        next(explore.race(budget=3))
