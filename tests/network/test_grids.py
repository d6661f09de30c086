import pytest

from accelerator_lib import network
from accelerator_lib.network import grids, hops


def test_a_cube_of_4096_against_a_switch():
    cube = grids.compare((16, 16, 16))
    assert cube.all_reduce == pytest.approx(cube.switch_all_reduce) and cube.chip_bytes_per_s == 6 * 45e9
    assert cube.all_to_all == pytest.approx(44.4e-6, rel=2e-3)
    assert cube.switch_all_to_all == pytest.approx(3.7e-6, rel=2e-3)
    assert cube.all_to_all / cube.switch_all_to_all == pytest.approx(12, rel=1e-3)


@pytest.mark.parametrize("dims", [(4,), (8, 8), (4, 4, 4), (32, 2, 2), (5, 3)])
def test_a_mesh_is_never_faster_and_half_the_rate_at_most_is_lost(dims):
    torus, mesh = (grids.compare(dims, wrap=wrap) for wrap in (True, False))
    assert mesh.all_to_all >= torus.all_to_all
    assert torus.all_reduce <= mesh.all_reduce <= 2 * torus.all_reduce * 1.0000001


@pytest.mark.parametrize("dims", [(4,), (8,), (4, 4), (4, 4, 4), (4, 4, 1)])
def test_an_all_to_all_counted_link_by_link(dims):
    *_, last = hops.travel(dims)
    each = 1e6 / network.torus(dims).nodes
    assert grids.compare(dims).all_to_all == pytest.approx(last.worst * each / 45e9)


def test_one_chip_is_no_grid():
    with pytest.raises(ValueError, match="two chips"):
        grids.compare((1, 1))
