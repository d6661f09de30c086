from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.network import failures, reliability

MTBF = 54 * 86400 / 419


def last(*given, **more):
    *_, end = failures.happen(*given, **more)
    return end


@pytest.mark.parametrize("interval", [300, 1156, 7200])
def test_many_runs_are_as_useful_as_the_formula_says(interval):
    found = [last(interval, 60, MTBF, 300, run=run, horizon=300 * MTBF).useful for run in range(8)]
    assert np.mean(found) == pytest.approx(reliability.useful_share(interval, 60, MTBF, 300), abs=0.015)


def test_restarts_that_fail_too():
    found = [last(200, 20, 600, 400, run=run, horizon=300 * 600.0).useful for run in range(8)]
    assert np.mean(found) == pytest.approx(reliability.useful_share(200, 20, 600, 400), abs=0.015)


@settings(max_examples=40, deadline=None)
@given(st.floats(10, 3e4), st.floats(5, 600), st.floats(1800, 4e4), st.sampled_from((0, 300)), st.integers(0, 99))
def test_a_run_is_without_gaps_and_loses_only_what_was_not_saved(interval, cost, mtbf, restart, run):
    states = list(failures.happen(interval, cost, mtbf, restart, run))
    assert len(states) < 500 and states[0].spans == () and states[-1].clock >= states[-1].horizon
    for before, after in pairwise(states):
        assert after.clock > before.clock
        assert after.seconds("saved") >= before.seconds("saved")
        spans = after.spans
        assert all(a.end == b.start for a, b in pairwise(spans)) and spans[0].start == 0
        assert sum(span.kind == "work" for span in spans) <= 1  # only the last work may still be lost
        assert sum(after.seconds(kind) for kind in failures.KINDS) == pytest.approx(after.clock)
        for span in spans:
            if span.kind == "restart":  # cut short by the next failure, or whole
                assert span.end - span.start == pytest.approx(restart) or span.cut
                assert span.end - span.start < restart or not span.cut
        assert all(
            span.end - span.start <= span.rounds * interval * 1.0001 for span in spans if span.kind in ("saved", "lost")
        )


def test_saved_work_is_whole_rounds():
    end = last(1156, 60, MTBF, 300, run=3)
    rounds = [span for span in end.spans if span.kind == "saved"]
    assert end.seconds("saved") == pytest.approx(1156 * sum(span.rounds for span in rounds))
    assert end.crashes == sum(span.cut for span in end.spans) > 0


def test_the_same_run_twice():
    assert last(600, 60, MTBF, 300, run=5).spans == last(600, 60, MTBF, 300, run=5).spans
    assert last(600, 60, MTBF, 300, run=5).spans != last(600, 60, MTBF, 300, run=6).spans


def test_bad_input():
    for wrong in (0, -5, float("nan"), [60, 70]):
        with pytest.raises((ValueError, TypeError)):
            next(failures.happen(wrong, 60, MTBF, 300))


@pytest.mark.parametrize("mtbf, restart", [(2.5, 300), (11_135, 1e6)])
def test_a_restart_that_hardly_ever_ends_does_not_freeze(mtbf, restart):
    states = list(failures.happen(1200, 60, mtbf, restart))
    assert len(states) < 100 and states[-1].clock >= states[-1].horizon
    with pytest.raises(ValueError, match="horizon must be at most"):
        next(failures.happen(1200, 60, mtbf, 0, horizon=1e9 * mtbf))
