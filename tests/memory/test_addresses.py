import numpy as np
import pytest

from accelerator_lib.memory.addresses import sweep, trace, walk


def test_a_small_matrix_by_hand():
    assert walk(2, 3).tolist() == [0, 4, 8, 12, 16, 20]
    assert walk(2, 3, order="col").tolist() == [0, 12, 4, 16, 8, 20]
    assert walk(2, 3, element_bytes=1, leading=8, order="col").tolist() == [0, 8, 1, 9, 2, 10]


def test_a_sweep_is_one_pass_over_a_range():
    addresses = sweep(40, stride_bytes=64)
    assert len(addresses) == 640 and addresses[0] == 0 and addresses[-1] == 40 * 1024 - 64
    assert sweep(1, stride_bytes=4096).tolist() == [0]


def test_rows_and_columns_visit_the_same_elements():
    assert sorted(walk(5, 7, leading=9, order="col")) == list(walk(5, 7, leading=9))


def test_bad_walks_and_traces_are_refused_in_one_line():
    with pytest.raises(ValueError, match="leading"):
        walk(4, 8, leading=7)
    with pytest.raises(KeyError, match="did you mean 'col'"):
        walk(4, 8, order="cols")
    with pytest.raises(ValueError, match="at most"):
        walk(2**16, 2**16)
    with pytest.raises(TypeError, match="rows must be one whole number"):
        walk([4, 8], 8)


@pytest.mark.parametrize("wrong, message", [
    ([-4], "addresses are 0 or more; got -4"),
    ([0, -1], "addresses are 0 or more; got -1"),
    (np.array([4, -4]), "addresses are 0 or more; got -4"),
    ([0.5], "addresses must be whole numbers of bytes, not 0.5"),
    ([2**63], "end at"),
])  # fmt: skip
def test_a_trace_holds_whole_addresses_from_zero_on(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        trace(wrong)


def test_a_trace_of_integers_is_taken_as_it_is():
    own = np.arange(5, dtype=np.int64)
    assert trace(own) is own or np.shares_memory(trace(own), own)
    assert trace(range(3)).tolist() == [0, 1, 2] and trace([]).size == 0


def test_a_pass_that_no_cache_would_replay_is_refused():
    with pytest.raises(ValueError, match="67,108,864 addresses of a pass .*lower kib, or take a larger stride"):
        sweep(2**16, 1)
