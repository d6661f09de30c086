import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import memory
from accelerator_lib.memory import Cache, programs
from accelerator_lib.memory.watching import Line

SMALL, LARGE = Cache(2, 1, 16), Cache(2, 2, 16)
traces = st.lists(st.integers(0, 300), min_size=1, max_size=80)


def test_a_short_run_by_hand():
    """Lines 0 and 2 share set 0: in the small cache the second drives out the first, in the large one both have room."""
    first, second, third = memory.watch([0, 40, 8], (SMALL, LARGE), (1, 10, 100))
    assert first.lines == (Line(0, 0, 2), Line(2), Line(2)) and first.costs == (1, 11, 111)
    assert second.lines == (Line(1, 1, None), Line(2), Line(0, 1, 2)) and second.split == ((1, 0, 8), (1, 0, 8))
    assert third.lines == (Line(0, 2, 1), Line(2), Line(1, 2, None)) and third.now.cost == 11
    assert third.history == ((0, 2), (2, 2), (0, 1)) and third.next is None and third.length == 3
    assert [step.line for step in (first, second, third)] == [0, 2, 0]
    assert second.next is third.now and third.now.average == pytest.approx((111 + 111 + 11) / 3)


@given(traces)
def test_what_is_watched_is_what_the_hierarchy_does(trace):
    steps = list(memory.watch(trace, (SMALL, LARGE), (1, 10, 100)))
    assert len(steps) == len(trace) == steps[-1].length
    for step, access in zip(steps, memory.chain(trace, (SMALL, LARGE), (1, 10, 100)), strict=True):
        assert (step.now.number, step.now.level, step.now.time) == (access.number, access.level, access.time)
        assert np.dot(step.now.found, step.costs) == pytest.approx(step.now.time)
        for number, line in enumerate(step.lines):
            held = [number in contents for contents in access.contents]
            assert line.level == (held.index(True) if any(held) else 2)
            assert (line.access is None) == (number not in [asked for asked, _ in step.history])
    assert [level for _, level in steps[-1].history].count(2) == steps[-1].now.found[2]


@given(st.integers(0, 2**20), st.sampled_from([1, 4, 64]), st.sampled_from([16, 64]))
def test_an_address_is_its_tag_its_set_and_its_byte(address, sets, line_bytes):
    tag, own_set, byte = Cache(sets, 2, line_bytes).split(address)
    assert (tag * sets + own_set) * line_bytes + byte == address
    assert own_set == address // line_bytes % sets and 0 <= byte < line_bytes


def test_the_bits_hold_every_address_and_some_tag():
    *_, last = memory.watch([0, 4095], (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert last.address_bits == 12 and memory.Cache(8, 4, 64).split(4095) == (7, 7, 63)
    (only,) = memory.watch([0], (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert only.address_bits == 12


def test_searches_in_a_tree_walk_from_parent_to_child():
    nodes = programs.searches(levels=5, count=40, seed=3).reshape(40, 5) // 64
    assert (nodes[:, 0] == 0).all() and nodes.max() < 2**5 - 1
    assert ((nodes[:, 1:] - 1) // 2 == nodes[:, :-1]).all()
    assert len({*nodes[:, -1]}) > 8


def test_the_chapters_orders_hit_as_its_text_says():
    """A tree: near the root in L1, halfway in L2, leaves in memory; by rows L1, by columns L2; the chain never."""

    def found(addresses, ways=2):
        *_, last = memory.watch(addresses, (Cache(8 // ways, ways, 64), Cache(8, 4, 64)))
        return last.now.found

    assert min(found(programs.searches())) >= 20
    assert found(memory.walk(16, 8, 8)) == (112, 0, 16) and found(memory.walk(16, 8, 8, order="col")) == (0, 112, 16)
    assert found(np.tile(np.random.default_rng(3).permutation(40) * 64, 2)) == (0, 0, 80)
    strided = np.tile(memory.sweep(2, 256), 8)
    assert [found(strided, ways) for ways in (1, 2, 4, 8)] == [(0, 56, 8)] * 3 + [(56, 0, 8)]


@pytest.mark.parametrize("addresses, caches, message", [
    ([0], (Cache(1, 1, 16), Cache(1, 1, 32)), r"lines of one size; got \[16, 32\]"),
    ([0], (), "lines of one size; got no cache"),
    ([0, 2**30], (SMALL, LARGE), "at most 4,096 can be watched"),
    ([0, -1], (SMALL, LARGE), "addresses are 0 or more"),
    ([0.5], (SMALL, LARGE), "addresses must be whole numbers"),
])  # fmt: skip
def test_what_cannot_be_watched_is_refused(addresses, caches, message):
    with pytest.raises((TypeError, ValueError), match=message):
        list(memory.watch(addresses, caches))


def test_the_contents_of_the_caches_count_among_what_is_told():
    with pytest.raises(ValueError, match="cells of its history"):
        memory.watch(range(2500), (memory.Cache(64, 64),), (1, 9))
    assert len(list(memory.watch(range(250), (memory.Cache(64, 64),), (1, 9)))) == 250
