"""Goodput and splits: both roads of the simulation, the promise counted by hand, the decision."""

from itertools import product

import numpy as np
import pytest

from accelerator_lib.llm import goodput, passes, serving, split
from accelerator_lib.llm.serving import Request

STEP = serving.clock("llama-3-8b", "h100-sxm5")


def test_arrivals_are_those_of_the_task_and_a_draw_tells_how_many_came():
    want = np.cumsum(np.random.default_rng(1).exponential(1 / 18, 200))
    assert np.array_equal(goodput.arrivals(18), want) and len(want) == 200
    runs = [goodput.serve_load(20, seed=1 + n) for n in range(20)]
    assert np.mean([one.arrived for one in runs]) == pytest.approx(20, rel=0.05) and runs[0].arrived != runs[1].arrived
    assert runs[0].arrived == 199 / (goodput.arrivals(20)[-1] - goodput.arrivals(20)[0])


DRAWN = (18, 8, None, "all alike"), (40, 200, 40, "all alike"), (9, 32, 148, "code"), (12, 64, 256, "chat")


@pytest.mark.parametrize("rate, slots, chunk, lengths", DRAWN)
def test_a_load_is_what_the_scheduler_makes_of_it(rate, slots, chunk, lengths):
    load, (prompt, _, output) = goodput.serve_load(rate, slots, chunk, 1, lengths), goodput.drawn(lengths, 200, 1)
    requests = [Request(*map(float, one)) for one in zip(goodput.arrivals(rate), prompt, output, strict=True)]
    *_, end = serving.serve(requests, slots, 26_674, 16, chunk, seconds=STEP)
    assert load.ttft.tolist() == [one.ttft for one in end.served]
    assert load.tpot.tolist() == [one.tpot for one in end.served]
    begun, mean = max(one.log[0] for one in end.served), np.mean([one.log[-1] - one.log[0] for one in end.served])
    assert load.seconds == pytest.approx(min(end.time, begun + mean) - requests[0].arrival, rel=1e-12)


def test_the_promise_by_hand():
    load = goodput.Load(2, 4.0, np.array([0.1, 0.3, 0.2, 0.1]), np.array([0.01, 0.01, 0.012, 0.02]), 2.1)
    assert load.within.tolist() == [True, False, True, False] and not load.passes
    assert (load.throughput, load.share, load.goodput) == (1.0, 0.5, 0.5)


def test_throughput_rises_where_goodput_falls_and_a_queue_that_grows_is_seen():
    some, many = (goodput.serve_load(rate, 32) for rate in (18, 28))
    assert many.throughput > 1.15 * some.throughput and many.goodput < 0.3 * some.goodput
    assert goodput.serve_load(40, 8).growing and not goodput.serve_load(4, 8).growing


def test_no_load_beats_the_arithmetic_of_its_requests():
    """The ceiling, from passes.work: prompt and 127 tokens of the answer, at half of the peak."""
    parts = passes.work("llama-3-8b", 1024), *(passes.work("llama-3-8b", 1, cached=1024 + n) for n in range(127))
    weights = sum(one.weight_flops for one in parts)
    assert weights == 2 * (8_030_261_248 - 2 * 128_256 * 4096) * 1151 + 2 * 128_256 * 4096 * 128
    ceiling = 0.5 * 989.4e12 / (weights + 4 * 32 * 4096 * 1151 * 1152 / 2)  # all 1,151 meet those before
    found = [goodput.serve_load(90, *one).throughput for one in product((64, 150), (None, 1024, 512, 256, 148))]
    assert 0.9 * ceiling < max(found) < ceiling


@pytest.mark.parametrize("name", [name for name, its in goodput.LOADS.items() if "means" in its])
def test_what_is_drawn_has_nearly_the_means_that_the_source_gives(name):
    new, at_hand, output = goodput.drawn(name, 20_000, 3)
    assert ((new + at_hand).mean(), output.mean()) == pytest.approx(goodput.LOADS[name]["means"], rel=0.07)
    assert at_hand.sum() == pytest.approx(goodput.LOADS[name]["kept"] * (new + at_hand).sum(), rel=1e-3)


def by_a_loop(readers, rate, new, kept, answer):
    """(waits for the first token, times between tokens) of those that the first writer gets, one event after another."""
    arrive, free, ends = goodput.arrivals(rate * 8, 200 * (8 - readers)), [0.0] * readers, []
    for i, at in enumerate(arrive):
        free[i % readers] = max(at, free[i % readers]) + STEP(new, 0, kept, new * kept + new * (new + 1) / 2)
        ends.append(free[i % readers])
    mine = sorted(range(len(ends)), key=lambda i: ends[i])[:: 8 - readers]
    moving, whole = (new + kept) * 131_072 / 50e9, new + kept  # the cache, before the second token
    requests = [Request(ends[i] + moving, 1, answer - 1) for i in mine]
    clock = lambda prompt, decode, cached, _: STEP(0, prompt + decode, cached + whole * (prompt + decode))  # noqa: E731
    *_, end = serving.serve(requests, min(split.WRITING, 426_784 // (whole + answer)), seconds=clock)
    pace = [(one.times[-1] - one.request.arrival + moving) / (answer - 1) for one in end.served]
    return [ends[i] - arrive[i] for i in mine], pace


ALIKE, AGENTS = ("all alike", 1024, 0, 128), ("agents", 8596 - 5071, 5071, 182)


@pytest.mark.parametrize("readers, rate, load", [(6, 18, ALIKE), (7, 12, ALIKE), (5, 4, AGENTS), (7, 3, AGENTS)])
def test_queue_and_writers_by_a_loop(readers, rate, load):
    waits, pace = by_a_loop(readers, rate, *load[1:])
    load = split.split(readers, rate, 1, load[0])
    assert np.allclose(load.ttft, waits) and np.allclose(load.tpot, pace)


@pytest.mark.parametrize("seed", (1, 4, 7, 10))
def test_the_split_brings_first_tokens_soonest(seed):
    whole, half, small, apart = split.ways(6, 20, seed)
    assert small.tpot < apart.tpot < half.tpot < whole.tpot and not small.growing
    assert 1.4 * apart.ttft < min(whole.ttft, half.ttft) < small.ttft


@pytest.mark.parametrize("readers", range(1, 7))
def test_more_readers_mean_sooner_first_tokens_and_slower_ones_after(readers):
    fewer, more = (split.ways(n, 12)[-1] for n in (readers, readers + 1))
    assert more.ttft <= fewer.ttft and more.tpot > fewer.tpot


@pytest.mark.parametrize("readers, rate", [(6, 18), (5, 12), (7, 18), (4, 18)])
def test_a_queue_grows_where_a_longer_run_waits_longer(readers, rate, monkeypatch):
    way = split.ways(readers, rate)[-1]
    monkeypatch.setattr(split, "COUNT", 4 * split.COUNT)
    ttft, tpot = split.split.__wrapped__.__wrapped__(readers, rate).p90()
    assert way.growing == (ttft > 2 * way.ttft or tpot > 1.25 * way.tpot)


def test_the_writers_slots_hold_their_caches_and_a_cache_of_the_70b_takes_54_ms():
    assert split.WRITING * (1024 + 128) <= goodput.room() == 16 * serving.blocks_of("llama-3-8b", "h100-sxm5")
    assert split.moving_seconds("llama-3-70b", 8192, 50e9) == pytest.approx(8192 * 80 * 2 * 8 * 128 * 2 / 50e9)
