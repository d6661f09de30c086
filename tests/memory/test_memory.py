import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, memory
from accelerator_lib.machine import staircase
from accelerator_lib.memory import hostlink, levels, scratchpad

A100 = hardware.chip("a100-80gb-sxm")
times = st.floats(1e-6, 1e-2)


def test_the_ladder_of_an_a100_is_derived_not_quoted():
    registers = memory.operand_bytes_per_s(units=108, lanes=64, clock_hz=1.41e9)
    shared = memory.level_bytes_per_s(units=108, bytes_per_clock=128, clock_hz=1.41e9)
    assert registers == pytest.approx(116.95104e12) and registers / A100.bytes_per_s == pytest.approx(
        57.357057381069154
    )
    assert shared == pytest.approx(19.49184e12) and shared / A100.bytes_per_s == pytest.approx(9.559509563511526)
    published = {level.kind: level for level in levels.of("a100-80gb-sxm")}
    assert published["registers"].bandwidth[0].value == pytest.approx(registers, rel=1e-3)
    assert published["shared"].bandwidth[0].value == pytest.approx(shared, rel=1e-3)
    assert published["l2"].bandwidth[0].value == pytest.approx(memory.level_bytes_per_s(1, 5120, 1.41e9), rel=1e-3)


def test_every_derived_bandwidth_is_the_product_that_it_names():
    """The line "64 x 12 B x 108 x 1.41 GHz" multiplies out to the number beside it."""
    checked = 0
    for id in levels.chips().values():
        for level in levels.of(id):
            for value in level.bandwidth:
                parts = [part.split()[0] for part in value.how.replace(",", "").split(" x ") if part]
                if value.basis == "derived" and all(part.replace(".", "").isdigit() for part in parts):
                    product = np.prod([float(part) for part in parts])
                    factor = 1e9 if "GHz" in value.how or "GT/s" in value.how else 1
                    assert product * factor == pytest.approx(value.value, rel=6e-3), (id, level.name, value)
                    checked += 1
    assert checked >= 12


def test_every_level_names_known_sources_and_shrinks_away_from_the_core():
    for id in levels.chips().values():
        ladder = [level for level in levels.of(id) if level.kind != "link"]
        for level in ladder:
            for quantity in levels.QUANTITIES:
                for value in getattr(level, quantity):
                    assert value.value > 0 and value.basis and all(map(levels.source_title, value.sources))
        best = [max(v.value for v in level.bandwidth) for level in ladder if level.bandwidth]
        assert best == sorted(best, reverse=True)
        slow = [max(v.value for v in level.latency) for level in ladder if level.latency]
        assert slow == sorted(slow)


def test_the_gap_answers_the_claim_of_ten_thousand():
    assert levels.gap("bandwidth").ratio[0] == pytest.approx(57.36, abs=0.01)
    assert levels.gap(operands=1).ratio[0] == pytest.approx(19.1, abs=0.05)
    assert levels.gap(operands=4).ratio[0] == pytest.approx(76.5, abs=0.05)
    assert levels.gap("energy").ratio == (pytest.approx(33.3, abs=0.1), pytest.approx(60))
    assert levels.gap("latency").ratio[0] > 50 and levels.gap("capacity").ratio[0] > 1000


def test_littles_law_by_hand():
    tank = memory.bytes_in_flight(A100.bytes_per_s, 400 / 1.41e9)
    assert tank == pytest.approx(578_439.7163120568) and tank / 108 == pytest.approx(5355.923299185711)
    assert memory.tank().warps_needed == 42 and memory.tank(bytes_per_thread=64).warps_needed == 3
    assert memory.tank(warps=1).share == pytest.approx(0.024, abs=0.001) and memory.tank(warps=64).share == 1


def test_a_queue_that_is_simulated_needs_what_littles_law_says():
    """Requests of 64 bytes enter whenever a slot is free and leave after the latency: throughput = slots x 64 / latency."""
    latency, slots = 50, 20
    leaving, done = [], 0
    for clock in range(10_000):
        done += sum(t == clock for t in leaving)
        leaving = [t for t in leaving if t > clock]
        leaving += [clock + latency] * (slots - len(leaving))
    assert memory.bytes_in_flight(64 * done / 10_000, latency) == pytest.approx(slots * 64, rel=0.01)


def test_average_access_time_adds_penalties():
    assert memory.amat([(4, 0.9), (14, 0.8)], 200) == pytest.approx(4 + 0.1 * (14 + 0.2 * 200))
    assert memory.amat([], 200) == 200
    with pytest.raises(ValueError, match="hit_rate"):
        memory.amat([(4, 1.5)], 200)


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_average_access_time_is_the_time_of_the_trace(trace):
    caches = memory.Cache(2, 2, 4), memory.Cache(4, 4, 4)
    *_, last = memory.chain(trace, caches, (4, 14, 200))
    first, second, rest = last.found
    rates = [first / len(trace), second / max(1, second + rest)]
    assert memory.amat([(4, rates[0]), (14, rates[1])], 200) * len(trace) == pytest.approx(last.time)


@given(st.integers(1, 60), times, times, st.booleans())
def test_the_formula_of_a_pipeline_is_its_timeline_played(chunks, copy, work, overlap):
    played = memory.timeline(chunks, copy, work, overlap).seconds
    assert memory.pipelined_seconds(chunks, copy, work, overlap) == pytest.approx(played)


def test_eight_chunks_take_26_or_40_milliseconds_and_a_model_crosses_pcie_in_08_seconds():
    assert memory.pipelined_seconds(8, 2e-3, 3e-3) == pytest.approx(26e-3)
    assert memory.pipelined_seconds(8, 2e-3, 3e-3, overlap=False) == pytest.approx(40e-3)
    assert memory.transfer_seconds(26e9, 32e9) == pytest.approx(0.8125)
    assert hostlink.LINKS["coherent (NVLink-C2C)"] / hostlink.LINKS["PCIe 5.0 x16"] == pytest.approx(7.1, abs=0.05)


def test_pageable_memory_is_slower_and_cannot_overlap():
    pinned, pageable = (hostlink.plan(8e9, 32e9, 8, p, 3e-3) for p in (True, False))
    assert pageable.seconds == pytest.approx(memory.pipelined_seconds(8, pageable.copy_seconds, 3e-3, overlap=False))
    assert pageable.seconds > 2 * pinned.seconds


def test_unified_memory_wins_few_passes_and_loses_many():
    few, many = (hostlink.place_job(passes=p) for p in (1, 1000))
    assert few.unified_reading < few.discrete and many.unified_reading > many.discrete
    assert hostlink.place_job(round_trips=10).moving == pytest.approx(10 * hostlink.place_job().moving)


def test_decompression_helps_until_its_engine_is_the_limit():
    assert hostlink.load(ratio=2).gain == pytest.approx(2) and hostlink.load(ratio=1).gain == 1
    assert hostlink.load(ratio=50, engine=100e9).gain == pytest.approx(100 / 63)


@given(st.integers(1, 3), st.integers(0, 4), st.integers(2, 6))
def test_a_scratchpad_and_a_cache_are_what_their_simulation_does(ways_log, sets_log, passes):
    cache = memory.Cache(2**sets_log, 2**ways_log, 64)
    for lines in (cache.lines, 2 * cache.lines, 4 * cache.lines):
        trace = [line * 64 for _ in range(passes) for line in range(lines)]
        lru, pad = scratchpad.hit_rates(lines * 64, cache.capacity_bytes, passes)
        assert sum(memory.replay(trace, cache)) / len(trace) == pytest.approx(lru)
        kept = set(range(cache.lines))  # copied in once, never thrown out
        hits = sum(line in kept for _ in range(passes - 1) for line in range(lines))
        assert hits / len(trace) == pytest.approx(pad)


def test_the_chase_visits_every_line_once():
    chain = staircase.pointers(4096)
    place, seen = 0, []
    for _ in range(64):
        seen.append(place)
        place = int(chain[place])
    assert place == 0 and len(set(seen)) == 64 and all(p % 16 == 0 for p in seen)


def test_the_staircase_of_this_machine_climbs():
    *early, last = staircase.climb()
    assert all(step.stairs is None and 0 <= step.fraction < 1 for step in early) and last.fraction == 1
    stairs = last.stairs
    assert min(stairs.latencies) > 1e-10 and max(stairs.latencies[-3:]) > 1.5 * min(stairs.latencies)
    assert all(rate > 1e8 for rate in stairs.bandwidths) and stairs.latency_sizes[-1] == staircase.LARGEST
