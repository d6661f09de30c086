import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import gpu


def test_one_lane_on_a_long_way_leaves_12_percent_of_the_slots():
    assert gpu.simt_cycles([(31, 10), (1, 100)]) == 110
    assert gpu.simt_efficiency([(31, 10), (1, 100)]) == pytest.approx(410 / 3520)


@pytest.mark.parametrize(("lanes", "share"), [(0, 1), (16, 0.5), (31, 0.884), (32, 1)])
def test_only_lanes_that_disagree_cost(lanes, share):
    assert gpu.branch_efficiency(lanes, 100, 10) == pytest.approx(share, abs=1e-3)


def test_a_way_that_no_lane_takes_costs_nothing():
    assert gpu.simt_cycles([(32, 1), (0, 1000)]) == 1


@given(st.integers(0, 32), st.integers(1, 1000), st.integers(1, 1000))
def test_slots_that_work_are_counted_one_by_one(lanes, long, short):
    ways = [([lane < lanes for lane in range(32)], long), ([lane >= lanes for lane in range(32)], short)]
    masks = [mask for mask, length in ways if any(mask) for _ in range(length)]
    assert gpu.simt_cycles([(lanes, long), (32 - lanes, short)]) == len(masks)
    assert gpu.branch_efficiency(lanes, long, short) == pytest.approx(sum(map(sum, masks)) / (32 * len(masks)))


def test_paths_that_no_warp_has_are_refused():
    with pytest.raises(ValueError, match="have 40 lanes; a warp has 32"):
        gpu.simt_cycles([(20, 1), (20, 1)])
    with pytest.raises(ValueError, match="no lane takes any"):
        gpu.simt_efficiency([(0, 100)])
    with pytest.raises(TypeError, match="paths must be pairs"):
        gpu.simt_efficiency(3)
