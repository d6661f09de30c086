import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import network

SIZE, RATE = st.floats(1, 1e12), st.floats(1e6, 1e13)
STEP = st.floats(0, 1e-3)


def simulated_ring(size, n, rate, step, rounds):
    """When the last of n ranks has what it waits for: every rank sends one n-th at a time, as soon as it has it."""
    ready = np.zeros(n)
    for _ in range(rounds):
        ready = np.roll(ready, 1) + step + size / n / rate
    return ready.max()


@given(SIZE, st.integers(1, 40), RATE, STEP)
def test_a_ring_step_by_step(size, n, rate, step):
    whole = simulated_ring(size, n, rate, step, 2 * (n - 1))
    assert network.ring_all_reduce_seconds(size, n, rate, step) == pytest.approx(whole)
    half = simulated_ring(size, n, rate, step, n - 1)
    assert network.ring_all_gather_seconds(size, n, rate, step) == pytest.approx(half)


@given(SIZE, st.integers(0, 6), RATE, STEP)
def test_halving_and_doubling_round_by_round(size, power, rate, step):
    n, whole = 2**power, 0.0
    for k in range(1, power + 1):
        whole += 2 * (step + size / 2**k / rate)
    assert network.all_reduce_seconds(size, n, rate, step, "halving") == pytest.approx(whole)


def test_known_values():
    ring = network.ring_all_reduce_seconds
    assert ring(1e9, 8, 450e9) == pytest.approx(3.888888888888889e-3)
    assert ring(1e9, 64, 450e9) / ring(1e9, 8, 450e9) == pytest.approx(1.125)
    found = [network.all_reduce_seconds(16384, 8, 450e9, 2e-6, way) * 1e6 for way in network.ALGORITHMS]
    assert np.round(found, 3).tolist() == [28.064, 12.064, 2.255, 4.041]
    ranks = [network.all_reduce_seconds(16384, 64, 450e9, 2e-6, way) * 1e6 for way in network.ALGORITHMS]
    assert ranks[0] / found[0] == pytest.approx(9, abs=0.05) and ranks[2] / found[2] == pytest.approx(1.9, abs=0.05)


@pytest.mark.parametrize("way", network.ALGORITHMS)
def test_one_rank_alone_waits_for_nobody(way):
    assert network.all_reduce_seconds(1e9, 1, 1e9, 1e-6, way) == 0
    assert network.all_reduce_counts(1, way) == (0, 0)


@pytest.mark.parametrize("way", network.ALGORITHMS)
def test_arrays_are_as_many_numbers(way):
    n, size = np.array([2, 4, 64]), np.array([1e3, 1e6, 1e9])
    found = network.all_reduce_seconds(size, n, 1e9, 1e-6, way)
    one_by_one = [network.all_reduce_seconds(s, int(k), 1e9, 1e-6, way) for s, k in zip(size, n, strict=True)]
    assert found.tolist() == pytest.approx(one_by_one)


def test_direct_wins_below_150_kb():
    """Of 8 ranks, against the switch that adds: (n-1) S/B + a = (n+1)/n S/B + 2a."""
    same = 2e-6 * 450e9 / (7 - 9 / 8)
    assert same == pytest.approx(153e3, rel=0.01)
    for size, best in ((0.9 * same, "direct"), (1.1 * same, "switch")):
        assert best == min(network.ALGORITHMS, key=lambda w: network.all_reduce_seconds(size, 8, 450e9, 2e-6, w))


@given(SIZE, st.integers(1, 16), st.integers(1, 16), RATE, STEP)
def test_two_tiers_of_equal_links_move_what_one_ring_moves(size, inner, outer, rate, step):
    whole = network.ring_all_reduce_seconds(size, inner * outer, rate)
    assert network.hierarchical_all_reduce_seconds(size, inner, outer, rate, rate) == pytest.approx(whole)
    late = network.hierarchical_all_reduce_seconds(size, inner, outer, rate, rate, step, 3 * step)
    assert late - whole == pytest.approx((2 * (inner - 1) + 6 * (outer - 1)) * step, abs=1e-9 * (1 + whole))


def test_two_tiers_of_eight_by_eight():
    assert network.hierarchical_all_reduce_seconds(1e9, 8, 8, 450e9, 50e9) == pytest.approx(8.263888888888889e-3)


def test_a_message():
    assert network.message_seconds(450e3, 450e9, 2e-6) == pytest.approx(3e-6)
    assert network.message_seconds(np.array([1.0, 2.0]), 1.0).tolist() == [1, 2]


@pytest.mark.parametrize(
    "how, message",
    [
        ({"bytes_moved": -1}, "bytes_moved"),
        ({"bytes_moved": float("nan")}, "NaN"),
        ({"n": 0}, "n = 0"),
        ({"n": 2.5}, "whole"),
        ({"bytes_per_s": 0}, "bytes_per_s = 0"),
        ({"step_seconds": -1e-6}, "step_seconds"),
        ({"algorithm": "rings"}, "did you mean 'ring'"),
        ({"n": 6, "algorithm": "halving"}, "power of two"),
        ({"n": np.array([4, 6, 12]), "algorithm": "halving"}, "not 6"),
    ],
)
def test_what_is_no_collective(how, message):
    given = {"bytes_moved": 1e6, "n": 8, "bytes_per_s": 1e9, "step_seconds": 0.0, **how}
    with pytest.raises((ValueError, KeyError), match=message):
        network.all_reduce_seconds(**given)
