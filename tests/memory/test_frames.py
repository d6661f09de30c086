from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accelerator_course.frames.memory import Line, hierarchy, reading, travel
from accelerator_lib import hardware, memory
from accelerator_lib.memory import Cache, programs

rates = st.lists(st.floats(1e9, 2e11), min_size=1, max_size=6)
SMALL, LARGE = Cache(2, 1, 16), Cache(2, 2, 16)
traces = st.lists(st.integers(0, 300), min_size=1, max_size=80)


@given(st.floats(1, 1e12), rates, st.integers(1, 5))
@example(1.0, [1e9, 1e9 + 1], 1)  # one of them last, by a billionth
def test_everyone_finishes_when_bytes_over_bandwidth_says(data_bytes, bytes_per_s, steps):
    """Second road: what is read in a step, added up step by step."""
    run = list(reading(data_bytes, bytes_per_s, steps))
    times = [memory.transfer_seconds(data_bytes, rate) for rate in bytes_per_s]
    assert run[-1].seconds == pytest.approx(max(times)) and run[-1].done.all() and not run[0].done.any()
    assert run[steps].seconds == pytest.approx(min(times)) and run[steps].done.any()
    read = np.zeros(len(bytes_per_s))
    for before, after in pairwise(run):
        read += np.array(bytes_per_s) * (after.seconds - before.seconds)
        assert after.shares * data_bytes == pytest.approx(np.minimum(read, data_bytes), rel=1e-6)
        assert (after.done == (after.shares == 1)).all()


def test_readings_by_hand():
    # 12 bytes at 6 and 4 B/s: done after 2 and 3 seconds; a step is 1 second.
    run = list(reading(12, [6, 4]))
    assert [moment.seconds for moment in run] == [0, 1, 2, 3]
    assert [moment.shares.tolist() for moment in run] == [
        pytest.approx(shares) for shares in ([0, 0], [1 / 2, 1 / 3], [1, 2 / 3], [1, 1])
    ]
    assert [moment.done.tolist() for moment in run] == [[False] * 2, [False] * 2, [True, False], [True, True]]
    assert run[-1].readings.tolist() == pytest.approx([1.5, 1]) and run[0].ranks.tolist() == [1, 2]
    assert run[1].slowest == 1 and run[1].slowdown == pytest.approx(0.4)
    assert run[1].tenths.tolist() == [5, 3] and run[-1].whole_readings.tolist() == [1, 1]
    slow, fast = (hardware.chip(id).bytes_per_s for id in ("tpu-v1", "b200"))
    run = list(reading(80e9, [slow, fast]))
    assert len(run) == 472 and run[2].done.tolist() == [False, True]
    assert run[2].seconds == pytest.approx(0.01) and run[-1].seconds == pytest.approx(2.353, rel=1e-3)
    assert int(run[-1].readings[1]) == 235
    assert next(iter(reading(1, [3, 5, 5, 2]))).ranks.tolist() == [3, 1, 1, 4]


def test_a_short_run_by_hand():
    """Lines 0 and 2 share set 0: in the small cache the second drives out the first, in the large one both have room."""
    first, second, third = hierarchy([0, 40, 8], (SMALL, LARGE), (1, 10, 100))
    assert first.lines == (Line(0, 0, 2), Line(2), Line(2)) and first.costs == (1, 11, 111)
    assert second.lines == (Line(1, 1, None), Line(2), Line(0, 1, 2)) and second.split == ((1, 0, 8), (1, 0, 8))
    assert third.lines == (Line(0, 2, 1), Line(2), Line(1, 2, None)) and third.now.cost == 11
    assert third.history == ((0, 2), (2, 2), (0, 1)) and third.next is None and third.length == 3
    assert [step.line for step in (first, second, third)] == [0, 2, 0]
    assert second.next is third.now and third.now.average == pytest.approx((111 + 111 + 11) / 3)


@given(traces)
def test_what_is_shown_is_what_the_hierarchy_does(trace):
    steps = list(hierarchy(trace, (SMALL, LARGE), (1, 10, 100)))
    assert len(steps) == len(trace) == steps[-1].length
    for step, access in zip(steps, memory.chain(trace, (SMALL, LARGE), (1, 10, 100)), strict=True):
        assert (step.now.number, step.now.level, step.now.time) == (access.number, access.level, access.time)
        assert np.dot(step.now.found, step.costs) == pytest.approx(step.now.time)
        assert sum(step.spent_shares) == pytest.approx(1) and {sum(one) for one in step.bits} == {step.address_bits}
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


def test_the_chapters_orders_hit_as_its_text_says():
    """A tree: near the root in L1, halfway in L2, leaves in memory; by rows L1, by columns L2; the chain never."""

    def found(addresses, ways=2):
        *_, last = hierarchy(addresses, (Cache(8 // ways, ways, 64), Cache(8, 4, 64)))
        return last.now.found

    assert min(found(programs.searches())) >= 20
    assert found(memory.walk(16, 8, 8)) == (112, 0, 16) and found(memory.walk(16, 8, 8, order="col")) == (0, 112, 16)
    assert found(np.tile(np.random.default_rng(3).permutation(40) * 64, 2)) == (0, 0, 80)
    strided = np.tile(memory.sweep(2, 256), 8)
    assert [found(strided, ways) for ways in (1, 2, 4, 8)] == [(0, 56, 8)] * 3 + [(56, 0, 8)]


def test_runs_of_addresses():
    *_, last = hierarchy([0, 4095], (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert last.address_bits == 12 and memory.Cache(8, 4, 64).split(4095) == (7, 7, 63)
    (only,) = hierarchy([0], (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert only.address_bits == 12
    nodes = programs.searches(levels=5, count=40, seed=3).reshape(40, 5) // 64
    assert (nodes[:, 0] == 0).all() and nodes.max() < 2**5 - 1
    assert ((nodes[:, 1:] - 1) // 2 == nodes[:, :-1]).all()
    assert len({*nodes[:, -1]}) > 8
    assert len(list(hierarchy(range(250), (memory.Cache(64, 64),), (1, 9)))) == 250


def test_travels_by_hand():
    # Out and back at one speed: the nearer turns back first, and in between the memory could have filled 4-byte
    # numbers.
    run = list(travel((4, 12), 2e9, 8e9, step=2))
    assert [moment.now for moment in run] == [0, 2, 4, 6, 8, 10, 12]
    assert [moment.places.tolist() for moment in run[:4]] == [
        pytest.approx(places) for places in ([0, 0], [2 / 6, 2 / 6], [0, 4 / 6], [0, 1])
    ]
    assert run[2].back.tolist() == [True, False] and run[-1].back.all() and run[-1].places.tolist() == [0, 0]
    assert run[-1].seconds == pytest.approx(6e-9) and run[-1].numbers == run[0].needed == pytest.approx(12)
    assert run[0].slowdown == pytest.approx(0.4 / 1e-9)
    assert [moment.now for moment in travel((33, 50), 1e9, 1e9)] == [0, 12, 24, 36, 48, 50]
