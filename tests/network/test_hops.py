from collections import deque
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import network
from accelerator_lib.network import hops

SIDES = st.lists(st.integers(1, 6), min_size=1, max_size=3).filter(lambda dims: 2 <= np.prod(dims) <= 64).map(tuple)


def neighbours(dims, wrap):
    """{chip: its neighbours}, built without any formula of the models."""
    places = list(product(*map(range, dims)))
    number = {place: i for i, place in enumerate(places)}
    near = {i: set() for i in range(len(places))}
    for place in places:
        for axis, k in enumerate(dims):
            for step in (-1, 1):
                there = place[axis] + step
                if wrap:
                    there %= k
                if 0 <= there < k and there != place[axis]:
                    near[number[place]].add(number[(*place[:axis], there, *place[axis + 1 :])])
    return near


def distances(near, start):
    """Breadth first."""
    far, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for other in near[here] - far.keys():
            far[other] = far[here] + 1
            queue.append(other)
    return [far[i] for i in range(len(near))]


@settings(max_examples=60, deadline=None)
@given(SIDES, st.booleans())
def test_the_formulas_against_breadth_first_search(dims, wrap):
    near, torus = neighbours(dims, wrap), network.torus(dims, wrap)
    table = np.array([distances(near, start) for start in near])
    assert torus.nodes == len(near) and torus.diameter == table.max()
    assert torus.mean_hops == pytest.approx(table.mean())
    assert torus.links == sum(map(len, near.values())) / 2
    side = dims.index(max(dims))
    lower = {i for i in near if hops.place(i, dims)[side] < dims[side] // 2}
    assert torus.bisection_links == sum(len(near[i] - lower) for i in lower)


@settings(max_examples=40, deadline=None)
@given(SIDES, st.booleans(), st.integers(0, 63), st.integers(0, 63))
def test_a_route_is_a_shortest_way_over_links_that_exist(dims, wrap, source, target):
    near = neighbours(dims, wrap)
    source, target = source % len(near), target % len(near)
    way = hops.route(source, target, dims, wrap)
    assert way[0] == source and way[-1] == target
    assert all(b in near[a] for a, b in pairwise(way))
    assert len(way) - 1 == distances(near, source)[target]


@settings(max_examples=25, deadline=None)
@given(SIDES, st.booleans())
def test_every_hop_of_every_message_is_on_a_link(dims, wrap):
    *_, last = hops.travel(dims, wrap)
    torus = network.torus(dims, wrap)
    assert last.sources == torus.nodes and last.loads.sum() == pytest.approx(torus.mean_hops * torus.nodes**2)
    assert (last.loads[last.loads > 0] >= 1).all() and (last.loads > 0).sum() == 2 * torus.links
    assert last.mean <= last.worst


@pytest.mark.parametrize("dims", [(4,), (8,), (2, 2), (4, 4), (8, 8), (4, 4, 4), (4, 2), (8, 4)])
@pytest.mark.parametrize("wrap", [True, False])
def test_the_busiest_link_sets_the_time_of_an_all_to_all(dims, wrap):
    """Even sides: what the model says from the sides, the simulation counts."""
    *_, last = hops.travel(dims, wrap)
    torus = network.torus(dims, wrap)
    seconds = torus.all_to_all_seconds(torus.nodes * 1e6, 1e9)  # one megabyte to each
    assert seconds == pytest.approx(last.worst * 1e6 / 1e9)


def test_a_cube_of_64():
    *_, torus = hops.travel((4, 4, 4))
    assert torus.worst == torus.mean == 32 and (torus.loads == 32).all()
    *_, mesh = hops.travel((4, 4, 4), wrap=False)
    assert mesh.worst == 64 and mesh.mean == pytest.approx(64 * 64 * 3.75 / 288)


def test_the_far_corner_is_one_hop_away_on_every_axis_that_closes():
    states = list(hops.travel((4, 4, 4)))
    assert [s.hops for s in states[:4]] == [0, 1, 2, 3] and states[3].arrived and not states[2].arrived
    assert len(states) == 4 + 64
    mesh = list(hops.travel((4, 4, 4), wrap=False))
    assert mesh[9].arrived and mesh[9].hops == 9 and len(mesh) == 10 + 64


def test_what_cannot_be_followed():
    with pytest.raises(ValueError, match="chips = 512"):
        hops.travel((8, 8, 8))
    with pytest.raises(ValueError, match="chips = 1"):
        hops.travel((1, 1))
    with pytest.raises(ValueError, match="target = 16"):
        hops.route(0, 16, (4, 4))
    with pytest.raises(ValueError, match="chip = -1"):
        hops.place(-1, (4, 4))
