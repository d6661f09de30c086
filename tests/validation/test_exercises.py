"""The keys of the exercises found again on another road."""

from statistics import mean

import numpy as np
import pytest

from accelerator_course.exercises import validation as exercises
from accelerator_course.exercises.slips import validation as slips


@pytest.mark.parametrize("given", exercises.SETS)
def test_no_share_on_a_fine_lattice_is_less_wrong_than_the_median(given):
    least = exercises.loss(exercises.fitted_share(*given), *given)
    assert all(exercises.loss(share, *given) >= least - 1e-9 for share in np.geomspace(0.05, 2, 4001))


def test_a_population_that_is_seen_by_file_hides_how_publishers_differ():
    """What the exercise is built to show: with files left out less than half of what is meant is held."""
    shares = {}
    for seed in exercises.SEEDS:
        given, hidden = exercises.population(seed)
        assert not {row["publisher"] for row in given} & {row["publisher"] for row in hidden}
        for by in ("publisher", "file"):
            ends = slips.middle(slips.apart(given, exercises.fit, by))
            shares.setdefault(by, []).append(exercises.held(hidden, exercises.fit(given), *ends))
    assert 0.75 < mean(shares["publisher"]) < 0.85 and mean(shares["file"]) < 0.45
    assert max(shares["file"]) < exercises.LEAST < min(shares["publisher"])
    assert max(shares["publisher"]) < exercises.MOST
