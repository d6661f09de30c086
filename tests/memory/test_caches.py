"""Caches: against a naive reference, against cases worked by hand, against their definitions."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from played import NOTEBOOKS

from accelerator_lib import memory
from accelerator_lib.memory import cache
from accelerator_lib.memory.addresses import sweep, trace, walk
from accelerator_lib.memory.cache import Cache, Census, census, cyclic_hit_rates, replay, settled
from accelerator_lib.memory.hierarchy import chain


def test_walks_by_hand():
    assert walk(2, 3).tolist() == [0, 4, 8, 12, 16, 20]
    assert walk(2, 3, order="col").tolist() == [0, 12, 4, 16, 8, 20]
    assert walk(2, 3, element_bytes=1, leading=8, order="col").tolist() == [0, 8, 1, 9, 2, 10]
    addresses = sweep(40, stride_bytes=64)
    assert len(addresses) == 640 and addresses[0] == 0 and addresses[-1] == 40 * 1024 - 64
    assert sweep(1, stride_bytes=4096).tolist() == [0]
    assert sorted(walk(5, 7, leading=9, order="col")) == list(walk(5, 7, leading=9))
    own = np.arange(5, dtype=np.int64)
    assert trace(own) is own or np.shares_memory(trace(own), own)
    assert trace(range(3)).tolist() == [0, 1, 2] and trace([]).size == 0


traces = st.lists(st.integers(0, 2000), min_size=1, max_size=300)
geometries = st.builds(lambda s, w, b: Cache(2**s, 2**w, 2**b), st.integers(0, 4), st.integers(0, 4), st.integers(2, 6))


def naive(trace, geometry):
    """Search, remove, append: nothing clever."""
    sets, found = [[] for _ in range(geometry.sets)], []
    for address in trace:
        line = address // geometry.line_bytes
        own = sets[line % geometry.sets]
        found.append(line in own)
        if line in own:
            own.remove(line)
        own.append(line)
        if len(own) > geometry.ways:
            own.pop(0)
    return found


@given(traces, geometries)
def test_every_road_gives_the_same_hits(trace, geometry):
    want = naive(trace, geometry)
    assert list(replay(trace, geometry)) == want
    counted = census(trace, geometry)
    assert counted.hits == sum(want) and counted.accesses == len(trace)
    assert counted.hits + counted.compulsory + counted.capacity + counted.conflict == len(trace)
    assert sum(counted.shares.values()) == pytest.approx(1) and counted.shares["hits"] == counted.hit_rate


@given(traces, geometries, st.integers(1, 6))
def test_passes_are_counted_as_if_they_were_all_walked(trace, geometry, passes):
    assert census(trace, geometry, passes) == census(trace * passes, geometry)


@given(traces, geometries)
def test_three_kinds_of_misses_are_what_their_definitions_say(trace, geometry):
    counted = census(trace, geometry)
    full = naive(trace, Cache(1, geometry.lines, geometry.line_bytes))
    own, seen, kinds = naive(trace, geometry), set(), [0, 0, 0]
    for address, hit, would in zip(trace, own, full, strict=True):
        line = address // geometry.line_bytes
        if not hit:
            kinds[0 if line not in seen else 2 if would else 1] += 1
        seen.add(line)
    assert (counted.compulsory, counted.capacity, counted.conflict) == tuple(kinds)


@given(traces, geometries)
def test_a_settled_walk_hits_line_by_line_as_its_second_pass(trace, geometry):
    second = naive(trace * 2, geometry)[len(trace) :]
    lines = [address // geometry.line_bytes for address in trace]
    pairs = list(zip(lines, second, strict=True))
    want = [np.mean([hit for own, hit in pairs if own == line]) for line in dict.fromkeys(lines)]
    assert settled(trace, geometry) == pytest.approx(want)


def test_hits_and_misses_by_hand():
    # Two sets of two ways, lines of 16 bytes: lines 0 and 2 share set 0 with line 4, line 1 lies alone in set 1.
    lines = [0, 2, 0, 4, 2, 0, 1, 1, 4, 0]
    #        m  m  h  m  m  m  m  h  m  h      4 evicts 2; 2 evicts 0; 0 evicts 4; 4 evicts 2; 0 is still there
    assert list(replay([16 * line for line in lines], Cache(2, 2, 16))) == [bool(int(c)) for c in "0010000101"]
    c = Cache(sets=64, ways=8, line_bytes=64)
    assert c.capacity_bytes == 32 * 1024
    assert sum(replay(walk(256, 256), c)) == 61_440
    assert sum(replay(walk(256, 256, order="col"), c)) == 0
    assert sum(replay(walk(256, 256, leading=272, order="col"), c)) == 61_440
    assert sum(replay((a for _ in range(10) for a in range(0, 40 * 1024, 64)), c)) == 0
    c = Cache(64, 8, 64)
    same = census(sweep(32, 64), c, passes=10)
    assert (same.misses, same.compulsory) == (512, 512)
    over = census(sweep(40, 64), c, passes=10)
    assert (over.hits, over.accesses, over.capacity) == (0, 6400, 5760)
    assert over.shares == pytest.approx({"hits": 0, "compulsory": 0.1, "capacity": 0.9, "conflict": 0})
    power = census(sweep(256, 4096), c, passes=10)  # 64 lines, all of them in one set
    assert (power.hits, power.conflict, power.compulsory) == (0, 576, 64)
    assert (settled(sweep(34, 64), c) == 1).sum() == 512 - 32 * 8
    # 74,565 = 1,165 x 64 + 5, and 1,165 = 9 x 128 + 13.
    assert memory.set_of(74_565, Cache(128, 8, 64)) == 13
    assert census([], Cache(2, 2)) == Census(0, 0, 0, 0, 0) and census([], Cache(2, 2)).hit_rate == 0
    assert settled([], Cache(2, 2)).size == 0 and sum(census([], Cache(2, 2)).shares.values()) == 0


def test_only_sets_that_are_used_are_charged(monkeypatch):
    monkeypatch.setattr(cache, "MOST_USED", 64)
    trace, many = np.arange(65) * 64, Cache(2**30, 1)
    for road in (lambda: census(trace, many), lambda: settled(trace, many)):
        with pytest.raises(ValueError, match="65 sets in use are more .*at most 64.*lower sets or the length"):
            road()
    few = np.tile(np.arange(64) * 64, 2)
    assert census(few, many).hits == 64 and settled(few, many).all()


def test_lines_that_a_cache_holds_are_charged(monkeypatch):
    monkeypatch.setattr(cache, "MOST_HELD", 64)
    with pytest.raises(ValueError, match="65 lines held are more .*at most 64"):
        census(np.arange(65) * 64, Cache(1, 128))
    assert census(np.arange(65) * 64, Cache(1, 64)).compulsory == 65


@given(traces)
def test_caches_in_a_row_are_inclusive_and_the_first_sees_the_trace(trace):
    small, large = Cache(2, 2, 16), Cache(4, 2, 32)
    steps = list(chain(trace, (small, large), (1, 10, 100)))
    assert len(steps) == len(trace)
    for step in steps:
        inner = {int(line) * 16 // 32 for line in step.contents[0].ravel() if line >= 0}
        assert inner <= {int(line) for line in step.contents[1].ravel() if line >= 0}
        assert sum(step.found) == step.number + 1 and step.hits == step.number + 1 - step.found[-1]
    alone = list(chain(trace, (small,), (1, 100)))
    assert [step.level == 0 for step in alone] == list(replay(trace, small))


def test_chains_by_hand():
    small, large = Cache(1, 2, 16), Cache(1, 2, 16)
    steps = list(chain([0, 16, 0, 32], (small, large)))
    # line 0 was used last in the small cache, but the large one has not seen that: it throws out line 0
    assert steps[-1].evicted == ((1, 0), (0, 0)) and 0 not in steps[-1].contents[0]
    (far,) = chain([1000], (Cache(4, 2, 16), Cache(8, 1, 32)))
    assert far.places == ((2, 62), (7, 31))  # 1000 // 16 = 62 = 15 x 4 + 2; 1000 // 32 = 31 = 3 x 8 + 7
    # The chapter's stepper: 40 lines at random, no line twice before all others: nothing hits in the small cache.
    order = np.random.default_rng(3).permutation(40) * 64
    *_, last = chain(order, (Cache(4, 2, 64), Cache(8, 4, 64)))
    assert last.found == (0, 0, 40) and last.time == 40 * 218
    again = list(chain([0, 0], (Cache(4, 2, 64),), latencies=(4, 200)))
    assert [step.time for step in again] == [204, 208] and [step.average for step in again] == [204, 104]
    assert next(chain([0], (Cache(64, 64),), (4, 200))).level == 1  # as many lines as are told


@given(st.integers(1, 3), st.integers(0, 4), st.integers(2, 6))
def test_a_scratchpad_and_a_cache_are_what_their_simulation_does(ways_log, sets_log, passes):
    cache = memory.Cache(2**sets_log, 2**ways_log, 64)
    for lines in (cache.lines, 2 * cache.lines, 4 * cache.lines):
        trace = [line * 64 for _ in range(passes) for line in range(lines)]
        lru, pad = cyclic_hit_rates(lines * 64, cache.capacity_bytes, passes)
        assert sum(memory.replay(trace, cache)) / len(trace) == pytest.approx(lru)
        kept = set(range(cache.lines))  # copied in once, never thrown out
        hits = sum(line in kept for _ in range(passes - 1) for line in range(lines))
        assert hits / len(trace) == pytest.approx(pad)


def test_cyclic_walks_by_hand_and_as_curves():
    cached, kept = cyclic_hit_rates(40 * 1024, 32 * 1024, passes=10)
    assert cached == 0 and kept == pytest.approx(0.9 * 0.8) and cyclic_hit_rates(10, 20, 1) == (0, 0)
    assert cyclic_hit_rates(32 * 1024, 32 * 1024, passes=10) == (pytest.approx(0.9), pytest.approx(0.9))
    sizes = np.array([4, 32, 33, 1024.0])
    cached, kept = cyclic_hit_rates(sizes, 32, 5)
    points = [cyclic_hit_rates(size, 32, 5) for size in sizes]
    assert np.transpose([cached, kept]) == pytest.approx(np.array(points))


jax = pytest.importorskip("jax")
SILENT = "JAX copies a NumPy array to the device at every use, silently, unless\n`jax.transfer_guard` forbids it."
TWO_DEVICES = """
import jax, numpy as np
one, two = jax.devices()
weights, batch = jax.device_put(np.ones(3), one), jax.device_put(np.ones(3), two)
step = jax.jit(lambda w, x: w * x)
assert step(weights, np.ones(3)).devices() == {one} and step(np.ones(3), batch).devices() == {two}
for mix in (step, lambda w, x: w + x):
    try:
        mix(weights, batch)
    except ValueError as error:
        assert "incompatible devices" in str(error), error
    else:
        raise SystemExit("two committed arrays on two devices were mixed")
"""


def test_a_numpy_array_is_copied_to_the_device_without_a_word_unless_a_guard_forbids_it():
    weights, batch = jax.numpy.ones(3), np.full(3, 2, np.float32)
    step = jax.jit(lambda w, x: w * x)
    for mixed in (weights + batch, step(weights, batch)):
        assert isinstance(mixed, jax.Array) and mixed.devices() == weights.devices()
    with jax.transfer_guard("disallow"), pytest.raises(Exception, match="host-to-device"):
        step(weights, batch)
    book = json.loads((NOTEBOOKS / "02_memory.ipynb").read_text())
    assert SILENT in "".join(next(cell["source"] for cell in book["cells"] if cell["id"] == "host-claims"))


def test_arrays_that_were_put_on_two_devices_raise_an_error():
    forced = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu"}
    run = subprocess.run([sys.executable, "-c", TWO_DEVICES], env=os.environ | forced, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-800:] + run.stdout
