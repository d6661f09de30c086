import pytest

from accelerator_lib import network
from accelerator_lib.network import grids, hops


def test_a_cube_of_4096_against_a_switch():
    cube = grids.compare((16, 16, 16), 1e6, step_seconds=0)
    assert cube.all_reduce == pytest.approx(cube.switch_all_reduce) and cube.chip_bytes_per_s == 6 * 45e9
    assert cube.all_to_all == pytest.approx(44.4e-6, rel=2e-3)
    assert cube.switch_all_to_all == pytest.approx(3.7e-6, rel=2e-3)
    assert cube.all_to_all / cube.switch_all_to_all == pytest.approx(12, rel=1e-3)


def test_small_arrays_wait_for_the_steps_of_the_torus():
    small, large = grids.compare((16, 16, 16), 1e6), grids.compare((16, 16, 16), 1e9)
    assert small.all_reduce == pytest.approx(90 * 2e-6 + 7.41e-6, rel=1e-3)
    assert small.switch_all_reduce == pytest.approx(24 * 2e-6 + 7.41e-6, rel=1e-3)
    assert small.all_to_all == pytest.approx(24 * 2e-6 + 44.4e-6, rel=1e-3)
    assert large.all_reduce < 1.03 * large.switch_all_reduce < 1.03 * small.all_reduce * 40


@pytest.mark.parametrize("dims", [(4,), (8, 8), (4, 4, 4), (32, 2, 2), (5, 3)])
def test_a_mesh_is_never_faster_and_half_the_rate_at_most_is_lost(dims):
    torus, mesh = (grids.compare(dims, wrap=wrap) for wrap in (True, False))
    assert mesh.all_to_all >= torus.all_to_all
    assert torus.all_reduce <= mesh.all_reduce <= 2 * torus.all_reduce * 1.0000001  # the steps are the same


@pytest.mark.parametrize("dims", [(4,), (8,), (4, 4), (4, 4, 4), (4, 4, 1)])
def test_an_all_to_all_counted_link_by_link(dims):
    *_, last = hops.travel(dims)
    each = 1e6 / network.torus(dims).nodes
    chips = range(network.torus(dims).nodes)
    longest = max(len(hops.route(0, chip, dims)) - 1 for chip in chips)
    assert grids.compare(dims, 1e6).all_to_all == pytest.approx(last.worst * each / 45e9 + longest * 2e-6)


def test_one_chip_is_no_grid():
    with pytest.raises(ValueError, match="two chips"):
        grids.compare((1, 1))
