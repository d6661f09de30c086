import numpy as np
import pytest

from accelerator_lib.memory import Cache, Traced, replay


def test_a_traced_loop_notes_what_it_reads():
    x = Traced(np.arange(12.0).reshape(3, 4))
    assert x[1, 2] == 6 and x[-1, 0] == 8
    x[0, 1] = 5
    assert x.trace == [48, 64, 8] and x.array[0, 1] == 5
    y = Traced(np.zeros(4, dtype=np.float32), start=x.end, trace=x.trace)
    assert y[3] == 0 and x.trace[-1] == 96 + 12
    for place, error in (
        (slice(None), TypeError),
        ((0, 1), TypeError),
        (4, IndexError),
        (True, TypeError),
        (1.0, TypeError),
    ):
        with pytest.raises(error):
            y[place]


def test_an_array_starts_at_a_whole_address():
    with pytest.raises(ValueError, match="start"):
        Traced(np.zeros(4), start=-8)
    assert Traced(np.zeros(4), start=64).end == 64 + 32 and len(Traced(np.zeros((4, 2)))) == 4


def test_swapping_two_loops_takes_the_hit_rate_from_nothing_to_seven_eighths():
    for outer_rows, want in ((False, 0), (True, 64 * 64 * 7 / 8)):
        x = Traced(np.ones((64, 64)))
        for i in range(64):
            for j in range(64):
                _ = x[i, j] if outer_rows else x[j, i]
        assert sum(replay(x.trace, Cache(sets=1, ways=16, line_bytes=64))) == want
