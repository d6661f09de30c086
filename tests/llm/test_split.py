"""Prompts and answers on different chips: the queue against a loop, the writers against the scheduler."""

import numpy as np
import pytest

from accelerator_lib.llm import goodput, scheduler, serving, split
from accelerator_lib.llm.served import Request

STEP = serving.clock("llama-3-8b", "h100-sxm5")


def by_a_loop(readers, rate):
    """(waits for the first token, times between tokens) of those that the first writer gets, one event after another."""
    arrive, free, ends = goodput.arrivals(rate * 8, 200 * (8 - readers)), [0.0] * readers, []
    for i, at in enumerate(arrive):
        begin = max(at, free[i % readers])
        free[i % readers] = begin + STEP(1024, 0, 0)
        ends.append(free[i % readers])
    mine = sorted(range(len(ends)), key=lambda i: ends[i])[:: 8 - readers]
    requests = [Request(ends[i], 1, 127) for i in mine]
    clock = lambda prompt, decode, cached: STEP(0, prompt + decode, cached + 1024 * (prompt + decode))  # noqa: E731
    *_, end = scheduler.serve(requests, split.WRITING, seconds=clock)
    pace = [(one.times[-1] - one.request.arrival) / 127 for one in end.served]
    return [ends[i] - arrive[i] for i in mine], pace


@pytest.mark.parametrize("readers, rate", [(6, 18), (7, 12)])
def test_queue_and_writers_by_a_loop(readers, rate):
    load = split.split(readers, rate)
    waits, pace = by_a_loop(readers, rate)
    assert np.allclose(load.ttft, waits) and np.allclose(load.tpot, pace)


@pytest.mark.parametrize("seed", range(1, 11))
def test_the_split_brings_first_tokens_soonest_and_an_overhead_leaves_it_alone(seed):
    whole, half, small, apart = split.ways(6, 20, 0, seed)
    assert small.tpot < apart.tpot < half.tpot < whole.tpot and not small.growing
    assert 1.4 * apart.ttft < min(whole.ttft, half.ttft) < small.ttft
    whole, half, small, apart = split.ways(6, 20, 128, seed)
    assert small.growing and apart.tpot < 0.012 < half.tpot < whole.tpot and apart.ttft < 0.2


@pytest.mark.parametrize("readers", range(1, 7))
def test_more_readers_mean_sooner_first_tokens_and_slower_ones_after(readers):
    fewer, more = (split.ways(n, 12)[-1] for n in (readers, readers + 1))
    assert more.ttft < fewer.ttft and more.tpot > fewer.tpot


def longer(readers, rate, monkeypatch):
    """TTFT and TPOT of nine in ten after a run of four times as many requests."""
    monkeypatch.setattr(split, "COUNT", 4 * split.COUNT)
    return split._split.__wrapped__(readers, rate, 0).p90()


@pytest.mark.parametrize("readers, rate", [(6, 18), (5, 12), (7, 18), (4, 18)])
def test_a_queue_grows_where_a_longer_run_waits_longer(readers, rate, monkeypatch):
    way = split.ways(readers, rate)[-1]
    ttft, tpot = longer(readers, rate, monkeypatch)
    assert way.growing == (ttft > 2 * way.ttft or tpot > 1.25 * way.tpot)


def test_the_writers_slots_hold_their_caches():
    each = -(-(goodput.PROMPT + goodput.OUTPUT) // 16)
    assert split.WRITING * each <= serving.blocks_of("llama-3-8b", "h100-sxm5")


@pytest.mark.parametrize(
    "bad, said",
    [((0, 18), "readers = 0"), ((8, 18), "readers = 8"), ((6, 0), "rate = 0"), ((6, 18, -1), "half_tokens")],
)
def test_bad_values_are_one_line(bad, said):
    with pytest.raises(ValueError, match=said):
        split.ways(*bad)
