from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import network
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.network import pipeline

SIZES = list(product(range(1, 9), (1, 2, 3, 7, 8, 16, 64)))


def test_the_plans_numbers():
    runs = [pipeline.schedule(*k) for k in (("gpipe", 4, 16), ("1f1b", 4, 16), ("interleaved", 4, 16, 2))]
    assert [(run.seconds, run.live) for run in runs] == [(57, 16), (57, 4), (52.5, 5.5)]
    assert runs[2].idle == pytest.approx(4.5 / 52.5)
    assert pipeline.schedule("gpipe", 8, 1).idle == pytest.approx(0.875)
    assert pipeline.schedule("1f1b", 8, 64).idle == pytest.approx(7 / 71)


@pytest.mark.parametrize(("stages", "microbatches"), SIZES)
def test_what_is_played_takes_the_time_of_the_closed_form(stages, microbatches):
    for kind in ("gpipe", "1f1b"):
        run = pipeline.schedule(kind, stages, microbatches)
        assert run.seconds == 3 * (microbatches + stages - 1)
        assert run.idle == pytest.approx(network.pipeline_bubble(stages, microbatches))
    assert pipeline.schedule("gpipe", stages, microbatches).peaks == (microbatches,) * stages
    peaks = tuple(min(microbatches, stages - stage) for stage in range(stages))
    assert pipeline.schedule("1f1b", stages, microbatches).peaks == peaks


@pytest.mark.parametrize(("stages", "microbatches"), SIZES)
def test_where_a_stage_waits(stages, microbatches):
    """Before it the pipeline fills, after it the backwards empty it; the early stages wait in the middle."""
    place = np.arange(stages)
    by_hand = np.array([place, 3 * (stages - 1 - place), 2 * place]).T
    for kind in ("gpipe", "1f1b"):
        run = pipeline.schedule(kind, stages, microbatches)
        assert np.array_equal(run.waits, by_hand)
        assert np.sum(run.waits) == pytest.approx(run.idle * run.seconds * stages)
    dealt = pipeline.schedule("interleaved", 8, 16, 2)
    assert dealt.waits[0] == (0, 10.5, 0) and dealt.waits[-1] == (3.5, 0, 7)


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


def test_a_forward_before_its_turn_is_a_deadlock():
    orders = [list(pipeline.order("1f1b", stage, 3, 4)) for stage in range(3)]
    orders[2].insert(0, orders[2].pop(1))  # a backward before its forward
    with pytest.raises(ValueError, match="deadlock"):
        pipeline.play(orders)


def test_too_few_forwards_ahead_deadlock_nowhere_but_cost_time():
    late = [tuple((way, i, 0) for i in range(4) for way in "FB") for _ in range(3)]  # one at a time, no overlap
    assert max(span.end for span in pipeline.play(late)) == 3 * 3 * 4


def test_what_cannot_be_dealt_out():
    with pytest.raises(NotAvailable, match="whole number of rounds"):
        pipeline.schedule("interleaved", 4, 6, 2)
    with pytest.raises(NotAvailable, match="two or more are interleaved"):
        pipeline.schedule("interleaved", 4, 8)
    with pytest.raises(NotAvailable, match="one is not"):
        pipeline.schedule("gpipe", 4, 8, 2)
    with pytest.raises(NotAvailable):
        pipeline.schedule("interleaved", 1, 8, 2)
    with pytest.raises(UnknownName, match="gpipe"):
        pipeline.schedule("gpip", 4, 8)
    with pytest.raises(ValueError, match="too many"):
        pipeline.schedule("gpipe", 64, 1024)
    with pytest.raises(ValueError, match="0 to 3"):
        pipeline.order("1f1b", 4, 4, 8)
    with pytest.raises((ValueError, TypeError)):
        pipeline.schedule("gpipe", 0, 8)
