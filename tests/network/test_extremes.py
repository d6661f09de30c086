import math

import numpy as np
import pytest

from accelerator_lib import network


def test_small_numbers_have_closed_forms():
    exact = [0, 1 / math.sqrt(math.pi), 1.5 / math.sqrt(math.pi)]
    assert [network.expected_maximum(n) for n in (1, 2, 3)] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("n", [8, 1024])
def test_many_draws(n):
    draws = np.random.default_rng(11).normal(size=(4000, n)).max(axis=1)
    assert network.expected_maximum(n) == pytest.approx(draws.mean(), abs=4 * draws.std() / math.sqrt(4000))


def test_it_grows_slowly_and_below_its_bound():
    found = network.expected_maximum(np.array([2, 8, 1024, 16384, 10**7]))
    assert (np.diff(found) > 0).all() and (found < np.sqrt(2 * np.log([2, 8, 1024, 16384, 10**7]))).all()
    assert found[2] == pytest.approx(3.24824, rel=1e-4)


@pytest.mark.parametrize("n", [0, 1.5, 10**8])
def test_no_number_of_draws(n):
    with pytest.raises(ValueError):
        network.expected_maximum(n)
