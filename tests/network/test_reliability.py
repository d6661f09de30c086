import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.network import reliability

MTBF = 54 * 86400 / 419


def test_the_plans_numbers():
    assert reliability.young_seconds(60, MTBF) == pytest.approx(1155.94551, rel=1e-8)
    assert reliability.useful_share(1156, 60, MTBF, 300) == pytest.approx(0.875778625, rel=1e-8)
    assert np.round(reliability.useful_share(np.array([60, 4 * 3600.0]), 60, MTBF, 300), 2) == pytest.approx(
        [0.48, 0.47]
    )
    assert reliability.mtbf_seconds(16_384) == pytest.approx(MTBF)
    assert reliability.mtbf_seconds(100_000) == pytest.approx(MTBF * 0.16384)


@given(st.floats(1, 600), st.floats(600, 1e6), st.floats(0, 600), st.floats(10, 1e5))
def test_the_share_written_out(cost, mtbf, restart, interval):
    share = reliability.useful_share(interval, cost, mtbf, restart)
    if (interval + cost) / mtbf < 300:
        whole = mtbf * np.exp(restart / mtbf) * (np.exp((interval + cost) / mtbf) - 1)
        assert share == pytest.approx(interval / whole, rel=1e-6)
    assert 0 <= share <= 1


@given(st.floats(1, 60), st.floats(3600, 1e6))
def test_youngs_interval_is_close_to_the_best(cost, mtbf):
    tried = reliability.young_seconds(cost, mtbf) * np.geomspace(0.2, 5, 401)
    shares = reliability.useful_share(tried, cost, mtbf, 300)
    assert reliability.useful_share(reliability.young_seconds(cost, mtbf), cost, mtbf, 300) > shares.max() - 0.002


def test_when_nothing_fails_only_checkpoints_cost():
    assert reliability.useful_share(540, 60, 1e12, 300) == pytest.approx(0.9, rel=1e-6)


def test_when_it_fails_all_the_time_nothing_is_done():
    assert reliability.useful_share(1e9, 60, 1.0, 300) == 0


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf")])
def test_bad_times(wrong):
    with pytest.raises(ValueError, match="cost"):
        reliability.young_seconds(wrong, 3600)
    with pytest.raises(ValueError, match="interval"):
        reliability.useful_share(wrong, 60, 3600, 300)
