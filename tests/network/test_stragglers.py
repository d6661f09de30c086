import numpy as np
import pytest

from accelerator_lib import network
from accelerator_lib.network import stragglers


def test_the_plans_numbers():
    assert stragglers.waited(8, 0.03) == pytest.approx(1.043, abs=5e-4)
    assert stragglers.waited(1024, 0.03) == pytest.approx(1.097, abs=5e-4)
    assert stragglers.waited(1024, 0.03, 16) == pytest.approx(1.024, abs=5e-4)
    assert stragglers.waited(1024, 0.03, 16, "fixed") == pytest.approx(1.097, abs=5e-4)


@pytest.mark.parametrize("kind", stragglers.KINDS)
@pytest.mark.parametrize(("gpus", "every"), [(1, 1), (2, 4), (8, 1), (64, 16), (1024, 2)])
def test_three_roads(gpus, every, kind):
    """Closed form, every GPU drawn, one number drawn for each synchronisation."""
    want = stragglers.waited(gpus, 0.03, every, kind)
    assert stragglers.drawn_mean(gpus, 0.03, every, kind, steps=600) == pytest.approx(want, abs=0.004)
    short = [stragglers.slowest(gpus, 0.03, every, kind, run).mean for run in range(4)]
    assert np.mean(short) == pytest.approx(want, abs=0.003)


def test_the_short_cut_has_the_right_spread():
    drawn = np.random.default_rng(1).standard_normal((4000, 64)).max(axis=1)
    short = np.concatenate([(stragglers.slowest(64, 0.01, run=run).drawn - 1) / 0.01 for run in range(10)])
    assert np.quantile(short, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(drawn, [0.1, 0.5, 0.9]), abs=0.06)


def test_whoever_is_alone_waits_for_nobody():
    assert stragglers.waited(1, 0.1) == 1
    assert stragglers.waited(10**6, 0) == 1


def test_more_wait_longer_and_arrays_work():
    many = stragglers.waited(np.array([1, 8, 1024, 16384]), 0.013)
    assert (np.diff(many) > 0).all()
    assert many[1] == pytest.approx(1 + 0.013 * network.expected_maximum(8))


def test_equal_gpus_of_one_node_differ_by_a_percent():
    assert 0.010 < stragglers.node_spread() < 0.012


def test_bad_input():
    with pytest.raises(ValueError, match="sigma"):
        stragglers.waited(8, -0.1)
    with pytest.raises(KeyError, match="jitter"):
        stragglers.waited(8, 0.1, 1, "jiter")
    with pytest.raises(ValueError, match="too many"):
        stragglers.drawn_mean(100_000, 0.1, 100, steps=1000)


@pytest.mark.parametrize("kind", stragglers.KINDS)
def test_draws_in_slices_are_those_drawn_at_once(kind, monkeypatch):
    want = stragglers.drawn_mean(37, 0.1, 50, kind, 9)
    for size in (1, 37 * 7, 37 * 25):
        monkeypatch.setattr(stragglers, "AT_ONCE", size)
        assert stragglers.drawn_mean(37, 0.1, 50, kind, 9) == want
