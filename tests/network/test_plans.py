import numpy as np
import pytest

from accelerator_lib.network import plans
from accelerator_lib.network.links import ALGORITHMS, all_reduce_counts


def carried(ranks, algorithm):
    """Chunks that each rank sends in the whole plan, and what it gets."""
    sent, came = np.zeros(ranks, int), np.zeros(ranks, int)
    for step in plans.PLANS[algorithm](ranks):
        for message in step:
            if message.source != plans.SWITCH:
                sent[message.source] += message.stop - message.start
            if message.target != plans.SWITCH:
                came[message.target] += message.stop - message.start
    return sent, came


@pytest.mark.parametrize("ranks", [2, 4, 8, 32])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_rank_sends_what_the_formula_says_and_gets_as_much(ranks, algorithm):
    share, steps = all_reduce_counts(ranks, algorithm)
    sent, came = carried(ranks, algorithm)
    assert len([*plans.PLANS[algorithm](ranks)]) == steps
    assert (sent == sent[0]).all() and sent[0] / ranks == pytest.approx(share)
    assert (came == sent).all()


@pytest.mark.parametrize("ranks", [2, 4, 8, 32])
def test_partners_of_halving_send_each_other_different_halves(ranks):
    for step in plans.halving(ranks):
        pairs = {(m.source, m.target): (m.start, m.stop) for m in step}
        for (a, b), part in pairs.items():
            assert pairs[b, a] != part and part[1] - part[0] == abs(a - b)


def test_a_ring_sends_to_its_neighbour_alone():
    assert {(m.target - m.source) % 6 for step in plans.ring(6) for m in step} == {1}


def test_chunks_lie_within_the_array():
    for algorithm, plan in plans.PLANS.items():
        for step in plan(8):
            assert all(0 <= m.start < m.stop <= 8 for m in step), algorithm
