"""Links, experts behind them, and grids of them."""

from collections import deque
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import data, hardware, network
from accelerator_lib.network import experts, links, protocols, published

SIZE, RATE = st.floats(1, 1e12), st.floats(1e6, 1e13)
STEP = st.floats(0, 1e-3)


def simulated_ring(size, n, rate, step, rounds):
    """When the last of n ranks has what it waits for: every rank sends one n-th at a time, as soon as it has it."""
    ready = np.zeros(n)
    for _ in range(rounds):
        ready = np.roll(ready, 1) + step + size / n / rate
    return ready.max()


@given(SIZE, st.integers(1, 40), RATE, STEP)
def test_a_ring_step_by_step(size, n, rate, step):
    whole = simulated_ring(size, n, rate, step, 2 * (n - 1))
    assert network.ring_all_reduce_seconds(size, n, rate, step) == pytest.approx(whole)
    half = simulated_ring(size, n, rate, step, n - 1)
    assert network.ring_all_gather_seconds(size, n, rate, step) == pytest.approx(half)


@given(SIZE, st.integers(0, 6), RATE, STEP)
def test_halving_and_doubling_round_by_round(size, power, rate, step):
    n, whole = 2**power, 0.0
    for k in range(1, power + 1):
        whole += 2 * (step + size / 2**k / rate)
    assert network.all_reduce_seconds(size, n, rate, step, "halving") == pytest.approx(whole)


def test_known_values_of_messages_rings_and_tiers():
    ring = network.ring_all_reduce_seconds
    assert ring(1e9, 8, 450e9) == pytest.approx(3.888888888888889e-3)
    assert ring(1e9, 64, 450e9) / ring(1e9, 8, 450e9) == pytest.approx(1.125)
    found = [network.all_reduce_seconds(16384, 8, 450e9, 2e-6, way) * 1e6 for way in network.ALGORITHMS]
    assert np.round(found, 3).tolist() == [28.064, 12.064, 2.255, 4.041]
    ranks = [network.all_reduce_seconds(16384, 64, 450e9, 2e-6, way) * 1e6 for way in network.ALGORITHMS]
    assert ranks[0] / found[0] == pytest.approx(9, abs=0.05) and ranks[2] / found[2] == pytest.approx(1.9, abs=0.05)
    assert network.hierarchical_all_reduce_seconds(1e9, 8, 8, 450e9, 50e9) == pytest.approx(8.263888888888889e-3)
    assert network.message_seconds(450e3, 450e9, 2e-6) == pytest.approx(3e-6)
    assert network.message_seconds(np.array([1.0, 2.0]), 1.0).tolist() == [1, 2]


@pytest.mark.parametrize("way", network.ALGORITHMS)
def test_one_rank_alone_waits_for_nobody(way):
    assert network.all_reduce_seconds(1e9, 1, 1e9, 1e-6, way) == 0
    assert network.all_reduce_counts(1, way) == (0, 0)


@pytest.mark.parametrize("way", network.ALGORITHMS)
def test_arrays_are_as_many_numbers(way):
    n, size = np.array([2, 4, 64]), np.array([1e3, 1e6, 1e9])
    found = network.all_reduce_seconds(size, n, 1e9, 1e-6, way)
    one_by_one = [network.all_reduce_seconds(s, int(k), 1e9, 1e-6, way) for s, k in zip(size, n, strict=True)]
    assert found.tolist() == pytest.approx(one_by_one)


def test_of_two_times_one_is_the_longer():
    ring = links.ring_parts(1e9, 8, 450e9, 2e-6)
    assert ring.longer == "bytes"
    assert ring.seconds == pytest.approx(network.ring_all_reduce_seconds(1e9, 8, 450e9, 2e-6))
    assert links.ring_parts(1e4, 8, 450e9, 2e-6).longer_seconds == pytest.approx(28e-6)
    small, large = (links.halving_or_direct(size, 16, 450e9, 2e-6) for size in (1.6e4, 2e6))
    assert (small.shorter, large.shorter) == ("direct", "halving")
    assert small.shorter_seconds == network.all_reduce_seconds(1.6e4, 16, 450e9, 2e-6, "direct")
    tiers = links.two_tiers(1e9, 8, 8, 450e9, 50e9, 2e-6, 5e-6)
    assert tiers.longer == "across" and tiers.second_share == pytest.approx(0.5316, abs=1e-4)


@pytest.mark.parametrize("chips", [8, 32, 72, 128, 144, 320])
def test_experts_lie_on_as_many_chips_as_the_closed_form_says(chips):
    found, racks = network.routed(chips), network.routed(chips, node=72, inner=9e11)
    assert found.visited == pytest.approx(experts.visited(chips), abs=0.1) and found.visited == racks.visited
    assert found.loads.sum() == pytest.approx(found.visited * chips * 32) and found.uneven >= 1
    assert found.token_bytes == pytest.approx(found.visited * 7168 * 58 * 3) and len(found.way) <= experts.CHOSEN
    # A node is a chip with the experts of its chips; a token is at home in one of them.
    assert found.nodes == pytest.approx(experts.visited(chips // 8), abs=0.06)
    assert found.crossed == pytest.approx(found.nodes * (1 - 8 / chips), abs=0.06)
    across, inside = found.entered * 3 * 7168 / 50e9, found.loads.max() * 3 * 7168 / 450e9
    assert found.seconds == pytest.approx(max(across, inside)) and racks.seconds < found.seconds
    assert found.crossed * 32 <= found.entered < 1.3 * found.crossed * 32 + 1e-9


@pytest.mark.parametrize("row", data.load("network")["expert_copies"])
def test_copies_of_what_many_want(row):
    """The copies that DeepSeek's serving keeps: every chip holds as many, and expects as many tokens."""
    assert row["copies"] == experts.COPIES and row["of_a_chip"] * row["chips"] == experts.EXPERTS + experts.COPIES
    log, homes = experts._dealt(row["chips"], "copied")
    at, many = homes[homes >= 0], (homes >= 0).sum(1)
    assert (np.bincount(at) == row["of_a_chip"]).all() and many.min() == 1
    assert len(set(zip(at, np.repeat(range(256), many), strict=True))) == len(at)
    expected = np.bincount(at, np.repeat(np.exp(log) / many, many))
    assert expected.max() < 1.07 * expected.mean()
    even, uneven, copied = (network.routed(row["chips"], wanted=how).uneven for how in ("alike", "uneven", "copied"))
    assert copied < 1.2 < uneven and even < uneven < network.routed(320, wanted="uneven").uneven


def test_tokens_of_many_experts():
    near, free = (network.routed(144, 32, most) for most in (4, 320))
    assert near.nodes <= 4 < free.nodes and near.seconds < 0.6 * free.seconds
    assert len({chip // 8 for chip in near.way}) <= 4
    assert experts.token_bytes(7168, 8, 58) == pytest.approx(10e6, rel=0.01)


def test_direct_wins_below_150_kb():
    """Of 8 ranks, against the switch that adds: (n-1) S/B + a = (n+1)/n S/B + 2a."""
    same = 2e-6 * 450e9 / (7 - 9 / 8)
    assert same == pytest.approx(153e3, rel=0.01)
    for size, best in ((0.9 * same, "direct"), (1.1 * same, "switch")):
        assert best == min(network.ALGORITHMS, key=lambda w: network.all_reduce_seconds(size, 8, 450e9, 2e-6, w))


@given(SIZE, st.integers(1, 16), st.integers(1, 16), RATE, STEP)
def test_two_tiers_of_equal_links_move_what_one_ring_moves(size, inner, outer, rate, step):
    whole = network.ring_all_reduce_seconds(size, inner * outer, rate)
    assert links.two_tiers(size, inner, outer, rate, rate).seconds == pytest.approx(whole)
    late = links.two_tiers(size, inner, outer, rate, rate, step, 3 * step).seconds
    assert late - whole == pytest.approx((2 * (inner - 1) + 6 * (outer - 1)) * step, abs=1e-9 * (1 + whole))


def test_two_protocols_by_hand_and_arrays_of_messages():
    """8 ranks, 450 GB/s, 1 MiB: 14 steps and 1.75 MiB; with flags the bytes take twice as long."""
    sent = 1.75 * 2**20 / 450e9
    found = network.collective(2.0**20, 8, 450e9, 3e-6, 6e-6)
    assert found.flags == pytest.approx(42e-6 + 2 * sent) and found.bulk == pytest.approx(84e-6 + sent)
    assert found.seconds == found.flags and found.sent / found.seconds == pytest.approx(1.75 * 2**20 / found.flags)
    many = network.collective(np.array([1e3, 1e9]), 8, 450e9, 3e-6, 6e-6)
    assert (many.seconds == [many.flags[0], many.bulk[1]]).all()
    assert network.collective(1e9, 1, 1e9, 1e-6, 1e-6, start_seconds=1e-6).seconds == 0
    assert network.collective(1e9, 2, 1e9, 0.3, 0.5, "send").bulk == pytest.approx(1.5)  # one step, all of it


@given(SIZE, st.integers(2, 100), RATE, STEP)
def test_without_flags_it_is_the_ring(size, n, rate, step):
    bulk = network.collective(size, n, rate, 1.0, step).bulk
    assert bulk == pytest.approx(network.ring_all_reduce_seconds(size, n, rate, step))
    half = network.collective(size, n, rate, 1.0, step, "all-gather").bulk
    assert half == pytest.approx(network.ring_all_gather_seconds(size, n, rate, step))


@given(SIZE, st.integers(2, 100), RATE, STEP, STEP, st.sampled_from(sorted(protocols.KINDS)))
def test_more_of_a_link_is_never_slower_and_no_bus_carries_more_than_the_link(size, n, rate, flag, bulk, kind):
    slow, fast = (network.collective(size, n, each, flag, bulk, kind) for each in (rate, 2 * rate))
    assert fast.seconds <= slow.seconds
    assert slow.sent / slow.seconds <= rate * (1 + 1e-9)


@given(SIZE, st.integers(2, 100), RATE)
def test_the_switch_sends_less_from_four_ranks_on_and_never_more(size, n, rate):
    ring, switch = (network.collective(size, n, rate, switch=each).bulk for each in (False, True))
    assert switch <= ring and (switch < ring) == (n > 3)
    assert ring / switch == pytest.approx(max(2 * (n - 1) / (n + 1), 1))


def test_the_smallest_messages_over_nodes_and_who_sits_together():
    """2 to 8 ranks: with the library's own start, 2 µs a step are within an eighth of each."""
    for n, seconds in published.ranks().items():
        found = network.collective(8, n, 300e9, 2e-6, 9e-6, start_seconds=protocols.start_seconds())
        assert found.seconds == pytest.approx(seconds, rel=0.12)
    whole = protocols.over_nodes(2.0**30, 8, 8, 450e9, 50e9)
    assert whole.bulk == pytest.approx(2 * 63 / 64 * 2**30 / 400e9)
    one = protocols.over_nodes(2.0**30, 8, 1, 450e9, 60e9, 1e-6, 5e-6)
    assert one.bulk == pytest.approx(network.collective(2.0**30, 8, 450e9, 1e-6, 5e-6).bulk)
    small = [protocols.over_nodes(1e3, 8, nodes, 450e9, 50e9, 1e-6, 5e-6).seconds for nodes in (2, 4, 64)]
    each = (small[2] - small[1]) / 4  # a tree: one step for twice as many
    assert small[1] - small[0] == pytest.approx(each, rel=0.01)
    assert protocols.adds_in_the_switch("h100-sxm5") and not protocols.adds_in_the_switch("a100-80gb-sxm")
    assert [protocols.chips_of_a_node(each) for each in ("h100-sxm5", "h100-pcie", "gb200")] == [8, 2, 72]
    assert protocols.chips_of_a_node("tpu-v4") > 4096
    assert protocols.way_out("h100-sxm5") == 2 * protocols.way_out("a100-80gb-sxm") == 400e9 / 8
    known = {each.id for each in hardware.chips().values()} | {"h800"}
    assert set(network.protocols.data.load("network")["protocols"]["adding_switches"]) <= known


def test_links_to_the_host():
    coherent, pcie = network.host_link("nvlink-c2c"), network.host_link("pcie-5")
    assert coherent.printed == 2 * coherent.one_way and pcie.printed == pcie.one_way
    assert coherent.measured / coherent.one_way < 0.5 < pcie.measured / pcie.one_way
    assert all(network.host_link(id).printed < hardware.chip("a100-80gb-sxm").bytes_per_s for id in links.LINKS)


def test_the_cube_of_4096():
    torus, mesh = network.torus((16, 16, 16)), network.torus((16, 16, 16), wrap=False)
    assert (torus.nodes, torus.diameter, torus.mean_hops, torus.bisection_links) == (4096, 24, 12.0, 512)
    assert (mesh.diameter, mesh.mean_hops, mesh.bisection_links) == (45, 15.9375, 256)
    assert torus.links == 3 * 4096
    assert network.torus((1, 1)).bisection_links == 0 == network.torus((1,)).links


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
    lower = {i for i in near if np.unravel_index(i, dims)[side] < dims[side] // 2}
    assert torus.bisection_links == sum(len(near[i] - lower) for i in lower)
