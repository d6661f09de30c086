from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import llm, network
from accelerator_lib.network import gradients

WEIGHTS = llm.param_count("llama-2-7b") * 2


def last(**how):
    *_, state = gradients.reduce(**how)
    return state


def test_seven_billion_weights_on_eight_gpus():
    one, ring = (last(way=way, gpus=8, bytes_moved=WEIGHTS) for way in gradients.WAYS)
    assert one.busiest_bytes == 7 * WEIGHTS == pytest.approx(94.3e9, rel=1e-3)
    assert one.received[0] == one.sent[0] == one.busiest_bytes and one.sent[1] == one.received[1] == WEIGHTS
    assert ring.busiest_bytes == pytest.approx(23.6e9, rel=2e-3) and np.ptp(ring.sent) == 0
    assert one.busiest_bytes / ring.busiest_bytes == pytest.approx(8 / 2)


@given(st.integers(2, 64), st.floats(1e6, 1e11), st.floats(1e-3, 10), st.integers(1, 64))
def test_sums_of_both_ways(gpus, size, backward, buckets):
    for way in gradients.WAYS:
        state = last(way=way, gpus=gpus, bytes_moved=size, backward_seconds=backward, buckets=buckets)
        assert state.received.sum() == pytest.approx(state.sent.sum()) == pytest.approx(2 * (gpus - 1) * size)
        assert state.seconds >= backward + 1e-12 and state.now == state.seconds
        links = [span for span in state.spans if span.lane == "link"]
        assert all(a.end <= b.start + 1e-9 for a, b in pairwise(links))


@given(st.integers(2, 16), st.floats(1e-3, 10), st.integers(1, 32))
def test_buckets_wait_for_their_gradients_and_for_the_link(gpus, backward, buckets):
    """The finish of a queue: the latest of (gradients made) + (all buckets from that one on)."""
    state = last(gpus=gpus, bytes_moved=1e9, backward_seconds=backward, buckets=buckets)
    each = network.ring_all_reduce_seconds(1e9 / buckets, gpus, 450e9)
    made = [backward * (i + 1) / buckets + (buckets - i) * each for i in range(buckets)]
    assert state.seconds == pytest.approx(max(made))


def test_one_bucket_hides_nothing():
    state = last(buckets=1, bytes_moved=1e9)
    assert state.exposed_seconds == pytest.approx(network.ring_all_reduce_seconds(1e9, 8, 450e9))
    assert last(buckets=8, bytes_moved=1e9).exposed_seconds == pytest.approx(state.exposed_seconds / 8)


def test_states_follow_time():
    for way in gradients.WAYS:
        states = list(gradients.reduce(way))
        assert states[0].now == 0 and not states[0].received.any() and not states[0].active
        assert all(a.now < b.now and b.active for a, b in pairwise(states))
    assert len(list(gradients.reduce("DataParallel"))) == 1 + 1 + 7 + 7


@pytest.mark.parametrize(
    "how, message",
    [
        ({"way": "DPP"}, "did you mean 'DDP'"),
        ({"gpus": 1}, "gpus = 1"),
        ({"buckets": 0}, "buckets = 0"),
        ({"bytes_moved": float("inf")}, "bytes_moved"),
    ],
)
def test_no_such_step(how, message):
    with pytest.raises((ValueError, KeyError), match=message):
        gradients.reduce(**how)


def test_both_ways_share_their_scales():
    one, ring = (last(way=way, bytes_moved=1e9) for way in gradients.WAYS)
    assert one.most_bytes == ring.most_bytes == one.busiest_bytes >= ring.busiest_bytes
    assert one.most_seconds == ring.most_seconds == max(one.seconds, ring.seconds)
