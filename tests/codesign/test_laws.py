"""Laws that stand in a cell and in a tested model: both say the same."""

from itertools import product

import numpy as np
import pytest
from laws import law

from accelerator_lib.codesign import traces


@pytest.mark.parametrize(("tuning", "before", "after"), [(12, 22, 12), (1000, 22, 21), (0.1, 5, 80)])
def test_tuning_and_running(tuning, before, after):
    pays = law("codesign", "pays-function", "tuning_pays")
    even = pays(1, tuning, before, after)["even after"]
    assert pays(1000, tuning, before, after)["as it is"] == pytest.approx(before)
    if before > after:
        at = pays(even, tuning, before, after)
        assert even == pytest.approx(1e3 * tuning / (before - after)) and at["as it is"] == pytest.approx(at["tuned first"])
        later = pays(1.01 * even, tuning, before, after)
        assert later["as it is"] > later["tuned first"]
    else:
        assert even == np.inf  # in words: never


@pytest.mark.parametrize("buckets", [1, 5, 17, 64])
def test_a_day_in_buckets(buckets):
    day = law("codesign", "lengths-function", "lengths")(buckets, 1000, 3.0)
    assert day.total == pytest.approx(1000 * 0.005 * (1 + 1 / buckets) + buckets * 3)


def test_sixteen_ways_to_repair_a_frame():
    frame_of, ways = law("codesign", "case-function", "frame_of"), list(product((False, True), repeat=4))
    for half, compiled, preprocess, boxes in ways:
        by_hand = (1 if preprocess else 7) + 1 + (1 if compiled else 5) + (3 if half else 9) + (1 if boxes else 5)
        by_hand += 3 * (0.5 if half else 1) * (0.5 if compiled else 1)
        assert frame_of(half, compiled, preprocess, boxes).total_ms == pytest.approx(by_hand)


def test_traces_requests_rungs_and_tunings_are_those_of_the_models():
    for name in traces.JOBS:
        assert law("codesign", "read-trace-function", "read_trace")(name) == traces.trace(name)
        for fix in traces.FIXES:
            opened = law("codesign", "open-trace-function", "open_trace")(name, fix)
            assert opened == traces.trace(name, fix) and opened.window >= traces.trace(name).seconds * (1 - 1e-9)
    served = list(law("codesign", "recompiles-function", "serve")("to multiples of 32", 8))
    assert len(served) == 9 and set(served[-1].padded) <= {32, 64, 96, 128}
    assert [one.climbed for one in law("codesign", "ladder-function", "climb")(3)] == [1, 2, 3]


def test_passes_of_the_programs_in_the_cell():
    passes = law("codesign", "passes-function", "passes")
    for program in ("MLP with norm", "softmax", "attention", "your function"):
        frames = passes(program)
        assert frames[-1].operations < frames[0].operations and frames[-1].bytes < frames[0].bytes
        assert any(frame.pass_name == "fusion" for frame in frames)
