"""Experts: many draws have the mean of the formula."""

from math import comb

import numpy as np
import pytest

from accelerator_lib import llm
from accelerator_lib.llm import experts


@pytest.mark.parametrize("count, active, batch", [(8, 2, 1), (8, 2, 8), (64, 6, 16), (1, 1, 5), (16, 16, 3)])
def test_the_mean_over_many_draws_is_the_formula(count, active, batch):
    drawn = [experts.route(count, active, batch, seed) for seed in range(400)]
    read = [one.read for one in drawn]
    assert np.mean(read) == pytest.approx(llm.experts_read(count, active, batch), abs=4 * np.std(read) / 20 + 1e-9)
    assert all(one.tokens.sum() == batch * active and one.tokens.max() <= batch for one in drawn)
    assert drawn[0].tokens_each == pytest.approx(batch * active / drawn[0].mean_read)


@pytest.mark.parametrize("count, active, batch", [(256, 8, 512), (256, 8, 64), (64, 6, 256)])
def test_the_busiest_is_the_largest_of_as_many_binomials(count, active, batch):
    """An expert's tokens are binomial; that they sum to all picks makes them nearly, not quite, independent."""
    p = active / count
    at_most = np.cumsum([comb(batch, n) * p**n * (1 - p) ** (batch - n) for n in range(batch + 1)])
    mean, spread = experts.busiest(count, active, batch)
    assert mean == pytest.approx((1 - at_most**count).sum(), rel=0.03) and 0 < spread < 0.2 * mean
    above = [(experts.route(count, active, batch, seed).tokens > batch * p).mean() for seed in range(50)]
    assert np.mean(above) == pytest.approx(1 - at_most[int(batch * p)], abs=0.02)


def test_more_picks_than_experts_are_refused():
    for ask in (llm.experts_read, experts.route):
        with pytest.raises(ValueError, match="cannot pick 3 of 2 experts"):
            ask(2, 3, 1)


def test_what_would_not_fit_a_notebook_is_not_drawn():
    with pytest.raises(ValueError, match="409,600,000 random numbers drawn .* lower batch or experts"):
        experts.route(4096, 4096, 100_000)
