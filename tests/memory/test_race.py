from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accelerator_lib import hardware, memory

rates = st.lists(st.floats(1e9, 2e11), min_size=1, max_size=6)


def test_two_memories_by_hand():
    """12 bytes at 6 and 4 B/s: done after 2 and 3 seconds; a step is 1 second."""
    run = list(memory.race(12, [6, 4]))
    assert [moment.seconds for moment in run] == [0, 1, 2, 3]
    assert [moment.shares.tolist() for moment in run] == [
        pytest.approx(shares) for shares in ([0, 0], [1 / 2, 1 / 3], [1, 2 / 3], [1, 1])
    ]
    assert [moment.done.tolist() for moment in run] == [[False] * 2, [False] * 2, [True, False], [True, True]]
    assert run[-1].readings.tolist() == pytest.approx([1.5, 1]) and run[0].ranks.tolist() == [1, 2]


@given(st.floats(1, 1e12), rates, st.integers(1, 5))
@example(1.0, [1e9, 1e9 + 1], 1)  # one of them last, by a billionth
def test_everyone_finishes_when_bytes_over_bandwidth_says(data_bytes, bytes_per_s, steps):
    """Second road: what is read in a step, added up step by step."""
    run = list(memory.race(data_bytes, bytes_per_s, steps))
    times = [memory.transfer_seconds(data_bytes, rate) for rate in bytes_per_s]
    assert run[-1].seconds == pytest.approx(max(times)) and run[-1].done.all() and not run[0].done.any()
    assert run[steps].seconds == pytest.approx(min(times)) and run[steps].done.any()
    read = np.zeros(len(bytes_per_s))
    for before, after in pairwise(run):
        read += np.array(bytes_per_s) * (after.seconds - before.seconds)
        assert after.shares * data_bytes == pytest.approx(np.minimum(read, data_bytes), rel=1e-6)
        assert (after.done == (after.shares == 1)).all()


def test_the_first_tpu_is_done_when_a_b200_could_have_been_235_times():
    slow, fast = (hardware.chip(id).bytes_per_s for id in ("tpu-v1", "b200"))
    run = list(memory.race(80e9, [slow, fast]))
    assert len(run) == 472 and run[2].done.tolist() == [False, True]
    assert run[2].seconds == pytest.approx(0.01) and run[-1].seconds == pytest.approx(2.353, rel=1e-3)
    assert int(run[-1].readings[1]) == 235


def test_equals_share_a_place():
    assert next(iter(memory.race(1, [3, 5, 5, 2]))).ranks.tolist() == [3, 1, 1, 4]


@pytest.mark.parametrize("arguments, message", [
    ((0, [1, 2]), "data_bytes = 0 B"),
    ((1, [1, -2]), "bytes_per_s = -2"),
    ((1, "fast"), "bytes_per_s"),
    (([1, 2], [1, 2]), "data_bytes must be one number"),
    ((1, [1, 1e9]), "the slowest would need 2,000,000,000 steps; at most 5,000"),
])  # fmt: skip
def test_an_impossible_race_is_refused(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        list(memory.race(*arguments))
