import numpy as np
import pytest

from accelerator_lib.memory import Traced, programs, replay
from accelerator_lib.memory.cache import Cache


@pytest.mark.parametrize("tile", [None, 4])
def test_the_pattern_of_a_product_is_the_trace_of_its_loops(tile):
    n, edge = 8, tile or 8
    a = Traced(np.ones((n, n), dtype=np.float32))
    b = Traced(np.ones((n, n), dtype=np.float32), a.end, a.trace)
    c = Traced(np.zeros((n, n), dtype=np.float32), b.end, a.trace)
    blocks = range(0, n, edge)
    for io in blocks:
        for jo in blocks:
            for ko in blocks:
                for i in range(io, io + edge):
                    for j in range(jo, jo + edge):
                        for k in range(ko, ko + edge):
                            product = a[i, k] * b[k, j]
                            c[i, j] = c[i, j] + product
    assert a.trace == programs.product(n, tile).tolist() and np.array_equal(c.array, a.array @ b.array)


def test_every_pattern_has_a_name_and_a_trace():
    for name in programs.PROGRAMS:
        trace = programs.addresses(name)
        assert 1000 < len(trace) < 200_000 and trace.min() >= 0
    with pytest.raises(ValueError, match="must divide"):
        programs.product(8, tile=3)
    with pytest.raises(ValueError, match="must divide"):
        programs.product(8, tile=16)
    with pytest.raises(KeyError, match="pattern 'matrix by row' is unknown; did you mean 'matrix by rows'"):
        programs.addresses("matrix by row")


def test_a_cycle_passes_as_often_as_it_says():
    trace = programs.cyclic(kib=1, stride_bytes=512, passes=3)
    assert trace.tolist() == [0, 512] * 3


def test_hot_spots_are_the_same_each_time_and_a_few_lines_get_most():
    trace = programs.hot_spots(count=10_000, lines=1024)
    assert np.array_equal(trace, programs.hot_spots(count=10_000, lines=1024))
    counts = np.sort(np.bincount(trace // 64, minlength=1024))[::-1]
    expected = 1 / np.arange(1, 1025) / np.sum(1 / np.arange(1, 1025))
    assert counts[:64].sum() / 10_000 == pytest.approx(expected[:64].sum(), abs=0.02)


def test_tiling_brings_the_hits_of_a_product_into_a_smaller_cache():
    small = Cache(1, 8, 64)
    plain, tiled = (sum(replay(programs.product(16, tile).tolist(), small)) for tile in (None, 4))
    assert tiled > plain


def test_passes_that_no_cache_would_replay_are_refused_before_they_are_written_down():
    with pytest.raises(
        ValueError, match="1,048,576,000 addresses of all passes .*at most 16,777,216.*lower passes or kib"
    ):
        programs.cyclic(65_536, 64, 1000)
    assert len(programs.cyclic(1024, 64, 1000)) == 16_384_000
