from itertools import product, zip_longest

import numpy as np
import pytest

from accelerator_lib import network
from accelerator_lib.network import topology


def test_the_cube_of_4096():
    torus, mesh = network.torus((16, 16, 16)), network.torus((16, 16, 16), wrap=False)
    assert (torus.nodes, torus.diameter, torus.mean_hops, torus.bisection_links) == (4096, 24, 12.0, 512)
    assert (mesh.diameter, mesh.mean_hops, mesh.bisection_links) == (45, 15.9375, 256)
    assert torus.links_per_chip() == 6 and torus.links == 3 * 4096


@pytest.mark.parametrize(
    "dims, wrap, links, cut", [((8, 8), False, 112, 8), ((8, 8), True, 128, 16), ((4, 4, 4), True, 192, 32)]
)
def test_sixty_four_chips(dims, wrap, links, cut):
    torus = network.torus(dims, wrap)
    assert (torus.nodes, torus.links, torus.bisection_links) == (64, links, cut)


@pytest.mark.parametrize("wrap", [True, False])
def test_small_ones(wrap):
    pair = network.torus((2,), wrap)
    assert (pair.nodes, pair.links, pair.diameter, pair.mean_hops, pair.bisection_links) == (2, 1, 1, 0.5, 1)
    assert network.torus((1, 1), wrap).bisection_links == 0 == network.torus((1,), wrap).links


@pytest.mark.parametrize("side", [4, 8, 16])
def test_an_all_to_all_is_an_even_load_times_the_mean_of_hops(side):
    torus = network.torus((side,) * 3)
    even = 1e6 / (6 * 45e9)  # the same bytes, each over one link of its chip
    assert torus.all_to_all_seconds(1e6, 45e9) == pytest.approx(even * torus.mean_hops)
    across = torus.nodes * 1e6 / 4 / (torus.bisection_links * 45e9)  # half of the chips send half of it across
    assert torus.all_to_all_seconds(1e6, 45e9) == pytest.approx(across)
    assert topology.all_to_all_seconds((side,) * 3, 1e6, 45e9) == torus.all_to_all_seconds(1e6, 45e9)


@pytest.mark.parametrize("dims", [(4,), (4, 4), (16, 16, 16), (2,), (1, 1)])
def test_an_all_reduce_on_a_torus_takes_as_long_as_on_a_switch_with_the_same_links(dims):
    torus = network.torus(dims)
    if torus.nodes == 1:
        assert torus.all_reduce_seconds(1e9, 45e9) == 0
        return
    rate = torus.links_per_chip() * 45e9
    assert torus.all_reduce_seconds(1e9, 45e9) == pytest.approx(network.all_reduce_seconds(1e9, torus.nodes, rate))
    mesh = network.torus(dims, wrap=False)
    assert mesh.all_reduce_seconds(1e9, 45e9) >= torus.all_reduce_seconds(1e9, 45e9)


def _turns(values, dims, axes, way):
    """Yield the chunks sent by each chip [chips] over one link of `axis`, step by step; `values` become the sums."""
    chips = len(dims)
    at = np.indices(dims + dims)
    for gather in (False, True):
        for place, axis in enumerate(axes) if not gather else [*enumerate(axes)][::-1]:
            k = dims[axis]
            mine = [at[chips + b] == (at[b] + way) % dims[b] for b in axes[:place]]  # chunks that other axes left here
            for step in range(k - 1):
                chunk = (at[axis] + way * (gather - step)) % k
                sent = np.logical_and.reduce([at[chips + axis] == chunk, *mine])
                there = np.roll(np.where(sent, values, 0), way, axis)
                if gather:
                    arrived = np.roll(sent, way, axis)
                    values[arrived] = there[arrived]
                else:
                    values += there
                yield axis, way, sent.reshape(*dims, -1).sum(-1)


def _played(dims, bytes_moved, rate, step_seconds):
    """(time, whether all hold the sum) of an all-reduce: a part of the array for each order of axes and each way."""
    parts, chips = [*product(range(len(dims)), (1, -1))], len(dims)
    numbers = np.random.default_rng(1).integers(0, 9, (len(parts), *dims, *dims))
    whole = numbers.sum(axis=tuple(range(1, 1 + chips)), keepdims=True)
    orders = [tuple((first + i) % chips for i in range(chips)) for first, _ in parts]
    runs = (_turns(v, dims, order, way) for v, order, (_, way) in zip(numbers, orders, parts, strict=True))
    seconds = 0.0
    for moves in zip_longest(*runs):
        loads = np.zeros((chips, 3, *dims), int)  # [axis, way, chip]
        for axis, way, sent in filter(None, moves):
            loads[axis, way] += sent
        seconds += step_seconds + loads.max() * bytes_moved / (len(parts) * np.prod(dims)) / rate
    return seconds, np.array_equal(numbers, np.broadcast_to(whole, numbers.shape))


@pytest.mark.parametrize("dims", [(8,), (5,), (4, 4), (3, 3, 3), (4, 4, 4), (8, 4), (6, 3, 3)])
def test_an_all_reduce_played_along_the_axes_takes_the_time_of_the_formula(dims):
    formula = network.torus(dims).all_reduce_seconds(1e6, 45e9, 2e-6)
    played, right = _played(dims, 1e6, 45e9, 2e-6)
    assert right and played >= formula * (1 - 1e-12)
    if len(set(dims)) == 1:
        assert played == pytest.approx(formula)


@pytest.mark.parametrize(
    "dims, message", [((0, 4), "side = 0"), ((4, 4.5), "whole"), ((2000,), "outside the allowed range")]
)
def test_sides_that_are_none(dims, message):
    with pytest.raises(ValueError, match=message):
        network.torus(dims)


@pytest.mark.parametrize("dims", [4, (), (2, 2, 2, 2), "4x4"])
def test_no_sides(dims):
    with pytest.raises(TypeError, match="one to three sides"):
        network.torus(dims)
