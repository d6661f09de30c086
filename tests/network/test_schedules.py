"""Who waits: stages of a pipeline, all for the slowest, a long run for its failures."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refused import refused

from accelerator_course.frames import network as frames
from accelerator_lib import data, network
from accelerator_lib.network import pipeline, runs, stragglers


def test_known_schedules():
    runs = [pipeline.schedule(*k) for k in (("gpipe", 4, 16), ("1f1b", 4, 16), ("interleaved", 4, 16, 2))]
    assert [(run.seconds, run.live) for run in runs] == [(57, 16), (57, 4), (52.5, 5.5)]
    assert runs[2].idle == pytest.approx(4.5 / 52.5)
    assert pipeline.schedule("gpipe", 8, 1).idle == pytest.approx(0.875)
    assert pipeline.schedule("1f1b", 8, 64).idle == pytest.approx(7 / 71)
    dealt = pipeline.schedule("interleaved", 8, 16, 2)
    assert dealt.waits[0] == (0, 10.5, 0) and dealt.waits[-1] == (3.5, 0, 7)


@pytest.mark.parametrize("stages", range(1, 9))
def test_what_is_played_takes_the_time_of_the_closed_form(stages):
    """Before a stage the pipeline fills, after it the backwards empty it; the early stages wait in the middle."""
    place = np.arange(stages)
    waits = np.array([place, 3 * (stages - 1 - place), 2 * place]).T
    for kind, microbatches in product(("gpipe", "1f1b"), (1, 2, 3, 7, 8, 16, 64)):
        run = pipeline.schedule(kind, stages, microbatches)
        assert run.seconds == 3 * (microbatches + stages - 1)
        assert run.idle == pytest.approx(network.pipeline_bubble(stages, microbatches))
        assert np.array_equal(run.waits, waits)
        assert np.sum(run.waits) == pytest.approx(run.idle * run.seconds * stages)
        most = stages * [microbatches] if kind == "gpipe" else np.minimum(microbatches, stages - place)
        assert run.peaks == tuple(most)


@pytest.mark.parametrize("chunks", [2, 3, 4, 5])
@pytest.mark.parametrize("stages", range(2, 9))
def test_interleaving_divides_the_waiting_and_keeps_more(stages, chunks):
    for rounds in (1, 2, 5):
        run = pipeline.schedule("interleaved", stages, rounds * stages, chunks)
        assert run.idle == pytest.approx(network.pipeline_bubble(stages, rounds * stages, chunks))
        most = stages * (1 + (stages - 1) / (stages * chunks)) if rounds > 1 else stages
        assert run.live == pytest.approx(most)


@st.composite
def pipelines(draw):
    kind, stages = draw(st.sampled_from(pipeline.KINDS)), draw(st.integers(2, 6))
    if kind == "interleaved":
        return kind, stages, stages * draw(st.integers(1, 4)), draw(st.integers(2, 4))
    return kind, stages, draw(st.integers(1, 20)), 1


@settings(max_examples=40, deadline=None)
@given(pipelines())
def test_every_schedule_is_possible(given):
    """Each forward and backward once, after what it needs, and never two at a time on one stage."""
    _, stages, microbatches, chunks = given
    spans = pipeline.schedule(*given).spans
    at = {(s.way, s.microbatch, s.chunk * stages + s.stage): s for s in spans}
    assert len(at) == len(spans) == 2 * stages * microbatches * chunks
    last = stages * chunks - 1
    for (way, microbatch, place), span in at.items():
        assert span.end - span.start == pytest.approx((1 if way == "F" else 2) / chunks)
        if way == "F" and place:
            assert span.start >= at["F", microbatch, place - 1].end
        if way == "B":
            assert span.start >= at["F", microbatch, place].end
            assert place == last or span.start >= at["B", microbatch, place + 1].end
    for stage in range(stages):
        own = sorted((s.start, s.end) for s in spans if s.stage == stage)
        assert all(a[1] <= b[0] for a, b in pairwise(own))


@settings(max_examples=40, deadline=None)
@given(pipelines())
def test_live_activations_counted_one_by_one(given):
    _, stages, _, chunks = given
    run = pipeline.schedule(*given)
    for stage in range(stages):
        own = [s for s in run.spans if s.stage == stage]
        most = 0
        for moment in np.arange(0.25 / chunks, run.seconds, 0.5 / chunks):
            begun = sum(s.way == "F" and s.start < moment for s in own)
            ended = sum(s.way == "B" and s.end <= moment for s in own)
            assert run.live_at(moment)[stage] == (begun - ended) / chunks
            most = max(most, begun - ended)
        assert run.peaks[stage] == most / chunks


def test_orders_that_deadlock_and_orders_that_cost_time():
    orders = [list(pipeline.order("1f1b", stage, 3, 4)) for stage in range(3)]
    orders[2].insert(0, orders[2].pop(1))  # a backward before its forward
    refused(ValueError, "deadlock", pipeline.play, orders)
    late = [tuple((way, i, 0) for i in range(4) for way in "FB") for _ in range(3)]  # one at a time, no overlap
    assert max(span.end for span in pipeline.play(late)) == 3 * 3 * 4


RUNS = [("gpipe", 4, 16), ("1f1b", 8, 16), ("interleaved", 4, 16, 2), ("gpipe", 1, 1)]


@pytest.mark.parametrize("given", RUNS)
def test_a_run_from_its_start_to_its_end(given):
    states = list(frames.watch(*given))
    made = states[0].schedule
    assert states[0].clock == 0 and not states[0].running and states[0].waited == 0 and sum(states[0].live) == 0
    assert states[-1].clock == made.seconds and states[-1].waited == pytest.approx(made.idle)
    assert sum(states[-1].live) == 0
    assert all(a.clock < b.clock for a, b in pairwise(states))
    assert max(max(state.live) for state in states) == made.live
    for state in list(frames.watch(*given))[1:]:
        for stage in range(given[1]):
            spans = [s for s in state.schedule.spans if s.stage == stage and s.start < state.clock <= s.end]
            assert [state.running.get(stage)] == (spans or [None])
        ran = sum(max(0, min(s.end, state.clock) - s.start) for s in state.schedule.spans)
        assert state.waited == pytest.approx(1 - ran / (given[1] * state.clock))


def test_a_long_run_takes_larger_steps():
    states = list(frames.watch("interleaved", 8, 64, 4))
    assert len(states) <= frames.MOST_STATES + 1
    assert states[-1].clock == pipeline.schedule("interleaved", 8, 64, 4).seconds


def test_the_largest_of_n_grows_slowly_and_below_its_bound():
    exact = [0, 1 / math.sqrt(math.pi), 1.5 / math.sqrt(math.pi)]
    assert [network.expected_maximum(n) for n in (1, 2, 3)] == pytest.approx(exact, abs=1e-9)
    found = network.expected_maximum(np.array([2, 8, 1024, 16384, 10**7]))
    assert (np.diff(found) > 0).all() and (found < np.sqrt(2 * np.log([2, 8, 1024, 16384, 10**7]))).all()
    assert found[2] == pytest.approx(3.24824, rel=1e-4)


@pytest.mark.parametrize("n", [8, 1024])
def test_many_draws(n):
    draws = np.random.default_rng(11).normal(size=(4000, n)).max(axis=1)
    assert network.expected_maximum(n) == pytest.approx(draws.mean(), abs=4 * draws.std() / math.sqrt(4000))


def test_what_waiting_for_the_slowest_costs():
    assert stragglers.waited(8, 0.03) == pytest.approx(1.043, abs=5e-4)
    assert stragglers.waited(1024, 0.03) == pytest.approx(1.097, abs=5e-4)
    assert stragglers.waited(1024, 0.03, 16) == pytest.approx(1.024, abs=5e-4)
    assert stragglers.waited(1024, 0.03, 16, "fixed") == pytest.approx(1.097, abs=5e-4)
    assert stragglers.waited(1, 0.1) == 1
    assert stragglers.waited(10**6, 0) == 1
    many = stragglers.waited(np.array([1, 8, 1024, 16384]), 0.013)
    assert (np.diff(many) > 0).all()
    assert many[1] == pytest.approx(1 + 0.013 * network.expected_maximum(8))
    assert 0.010 < stragglers.node_spread() < 0.012


def drawn_mean(gpus, sigma, every, kind, steps=600):
    """By brute force: every GPU's every step is drawn. Mean time of a step, over `steps` synchronisations."""
    draw, rows = np.random.default_rng(179), 1 if kind == "fixed" else every
    return np.mean([(1 + sigma * draw.standard_normal((rows, gpus))).mean(0).max() for _ in range(steps)])


@pytest.mark.parametrize("kind", stragglers.KINDS)
@pytest.mark.parametrize(("gpus", "every"), [(1, 1), (2, 4), (8, 1), (64, 16), (1024, 2)])
def test_three_roads(gpus, every, kind):
    """Closed form, every GPU drawn, one number drawn for each synchronisation."""
    want = stragglers.waited(gpus, 0.03, every, kind)
    assert drawn_mean(gpus, 0.03, every, kind) == pytest.approx(want, abs=0.004)
    short = [stragglers.slowest(gpus, 0.03, every, kind, run).mean for run in range(4)]
    assert np.mean(short) == pytest.approx(want, abs=0.003)


def test_the_short_cut_has_the_right_spread():
    drawn = np.random.default_rng(1).standard_normal((4000, 64)).max(axis=1)
    short = np.concatenate([(stragglers.slowest(64, 0.01, run=run).drawn - 1) / 0.01 for run in range(10)])
    assert np.quantile(short, [0.1, 0.5, 0.9]) == pytest.approx(np.quantile(drawn, [0.1, 0.5, 0.9]), abs=0.06)


MTBF = 54 * 86400 / 419


def test_intervals_and_shares_of_a_long_run():
    assert runs.young_seconds(60, MTBF) == pytest.approx(1155.94551, rel=1e-8)
    assert runs.useful_share(1156, 60, MTBF, 300) == pytest.approx(0.875778625, rel=1e-8)
    assert np.round(runs.useful_share(np.array([60, 4 * 3600.0]), 60, MTBF, 300), 2) == pytest.approx([0.48, 0.47])
    assert runs.mtbf_seconds(16_384) == pytest.approx(MTBF)
    assert runs.mtbf_seconds(100_000) == pytest.approx(MTBF * 0.16384)
    assert runs.useful_share(540, 60, 1e12, 300) == pytest.approx(0.9, rel=1e-6)
    assert runs.useful_share(1e9, 60, 1.0, 300) == 0
    seen = data.load("network")["failures"]
    minute, *near = (runs.useful_share(runs.young_seconds(cost, MTBF), cost, MTBF, 300) for cost in (60, 33, 34))
    assert minute == pytest.approx(0.8758, abs=1e-4) and minute < seen["useful_share"] == 0.9
    assert near[0] > 0.9 > near[1]  # s for a checkpoint


@given(st.floats(1, 600), st.floats(600, 1e6), st.floats(0, 600), st.floats(10, 1e5))
def test_the_share_written_out(cost, mtbf, restart, interval):
    share = runs.useful_share(interval, cost, mtbf, restart)
    if (interval + cost) / mtbf < 300:
        whole = mtbf * np.exp(restart / mtbf) * (np.exp((interval + cost) / mtbf) - 1)
        assert share == pytest.approx(interval / whole, rel=1e-6)
    assert 0 <= share <= 1


@given(st.floats(1, 60), st.floats(3600, 1e6))
def test_youngs_interval_is_close_to_the_best(cost, mtbf):
    tried = runs.young_seconds(cost, mtbf) * np.geomspace(0.2, 5, 401)
    shares = runs.useful_share(tried, cost, mtbf, 300)
    assert runs.useful_share(runs.young_seconds(cost, mtbf), cost, mtbf, 300) > shares.max() - 0.002


def test_twice_the_gpus_leave_each_what_the_idle_pipeline_leaves_it():
    """Two roads: the whole model of a step, and the bubble's formula alone, which is most of it."""
    for interleave in (1, 2, 4, 8):
        few, many = (1 - network.pipeline_bubble(16, m, interleave) for m in (32, 16))
        assert runs.kept(interleave) == pytest.approx(many / few, rel=0.03)
        assert runs.kept(interleave) < many / few  # and the gradients' all-reduce, hidden by nothing


def test_two_runs_beside_what_was_published():
    few, many = runs.scale()
    published = many.flops_per_s / few.flops_per_s
    assert published == pytest.approx(400 / 430)
    assert runs.kept(1) == pytest.approx(0.75, abs=0.005) and runs.kept(1) < 0.82 * published
    assert runs.kept(8) == pytest.approx(published, abs=0.01)
    for run, level in zip(runs.scale(8), (0.61, 0.56), strict=True):
        assert run.model_mfu == pytest.approx(level, abs=0.006)
        assert 1.3 < run.model_mfu / run.mfu < 1.45
        assert run.flops_per_s / 989.4e12 == pytest.approx(run.mfu, abs=0.007)  # both were published
    assert [(run.microbatches, run.gpus) for run in runs.scale()] == [(32, 8192), (16, 16384)]
