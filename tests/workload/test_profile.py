import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.workload import profile


def test_the_published_shares_are_whole_and_become_91_percent_after_a_16_fold_matmul():
    assert sum(profile.published("flop_share").values()) == pytest.approx(1)
    assert sum(profile.published("runtime_share").values()) == pytest.approx(1)
    assert profile.after().rest == pytest.approx(0.39) and profile.after().seconds == pytest.approx(1)
    assert profile.after(speedup=16).rest == pytest.approx(0.91, abs=0.001)
    assert profile.after(speedup=1e6, fused=1).seconds == pytest.approx(0.135, abs=1e-4)


def test_no_published_gain_is_what_fusing_everything_would_bring():
    most = 1 / profile.after().after["matrix products"]  # the matrix products alone
    assert 1 < profile.achieved()["all of BERT"] < profile.achieved()["encoder layer"] < most


@given(st.floats(1, 1e5), st.floats(0, 1))
def test_a_changed_step_is_what_is_left_of_its_three_parts(speedup, fused):
    found = profile.after(speedup, fused)
    left = 0.61 / speedup + 0.255 * (1 - fused) + 0.135
    assert found.seconds == pytest.approx(left) and found.rest == pytest.approx(1 - 0.61 / speedup / left)
