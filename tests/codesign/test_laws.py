"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_course.frames import codesign as frames
from accelerator_lib.codesign import mapspace, traces


@pytest.mark.parametrize(("tuning", "before", "after"), [(12, 22, 12), (1000, 22, 21), (0.1, 5, 80)])
def test_tuning_and_running(tuning, before, after):
    pays = law("codesign", "pays-function", "tuning_pays")
    even = pays(1, tuning, before, after)["even after"]
    assert pays(1000, tuning, before, after)["as it is"] == pytest.approx(before)
    if before > after:
        at = pays(even, tuning, before, after)
        assert even == pytest.approx(1e3 * tuning / (before - after))
        assert at["as it is"] == pytest.approx(at["tuned first"])
        later = pays(1.01 * even, tuning, before, after)
        assert later["as it is"] > later["tuned first"]
    else:
        assert even == np.inf  # in words: never


@pytest.mark.parametrize("buckets", [1, 5, 17, 64])
def test_a_day_in_buckets(buckets):
    day = law("codesign", "lengths-function", "lengths")(buckets, 1000, 3.0)
    assert day["together"] == pytest.approx(1000 * 0.005 * (1 + 1 / buckets) + buckets * 3)


def test_traces_are_those_of_the_model():
    for name in traces.JOBS:
        for fix in traces.FIXES:
            opened = law("codesign", "open-trace-function", "open_trace")(name, fix)
            assert opened == traces.trace(name, fix) and opened.window >= traces.trace(name).seconds * (1 - 1e-9)


def test_passes_of_the_programs_in_the_cell():
    passes = law("codesign", "passes-function", "passes")
    for program in ("MLP with norm", "softmax", "attention", "your function"):
        frames = passes(program)
        assert frames[-1].operations < frames[0].operations and frames[-1].bytes < frames[0].bytes
        assert any(frame.pass_name == "fusion" for frame in frames)


@pytest.mark.parametrize(("share", "speedup", "fallback"), [(0.98, 10, 50), (0.9, 10, 1), (1, 3, 100), (0.5, 1, 1)])
def test_a_share_on_the_chip_and_a_rest_on_the_host(share, speedup, fallback):
    time = share / speedup + (1 - share) * fallback
    *_, last = law("portability", "coverage-function", "moved")(share, speedup, fallback)
    assert last.time == pytest.approx(time)


@pytest.mark.parametrize(("alpha", "beta"), [(-0.07, -0.07), (0.0, -1.0), (-0.5, -2.0)])
def test_a_reward_weighs_time_below_and_above_the_target(alpha, beta):
    last = list(law("portability", "nas-function", "candidates")("ms on Pixel 1", 80, alpha, beta))[-1]
    for one, ms, reward in zip(last.arrived, last.ms, last.rewards, strict=True):
        assert reward == pytest.approx(one.accuracy * (ms / 80) ** (alpha if ms <= 80 else beta))


def test_what_the_other_panels_show_is_what_the_models_say():
    from accelerator_lib import codesign

    assert list(law("codesign", "funnel-function", "stages")(1024, 2)) == list(frames.stages(1024, 2))
    assert law("portability", "twins-function", "twins")("two small ones") == codesign.twins("two small ones")
    assert law("portability", "ledger-function", "elsewhere")() == codesign.ledger()
    assert law("portability", "proxy-function", "speakers")(2).chosen == codesign.proxies.choose(2).chosen
    assert law("portability", "helps-function", "helps")(512)["as it is"] == codesign.worksheet.time(tokens=512)


@pytest.mark.parametrize("order", ["mnk", "kmn"])
def test_a_nest_in_the_panel_moves_what_the_closed_form_says(order):
    *_, last = law("codesign", "nest-function", "nest")(2, "nkm", order)
    trips, words = 4, 8 * 8
    again = (trips, trips, 1, 0) if order == "mnk" else (1, trips, trips, trips - 1)
    assert last.right.words == tuple(words * times for times in again)


def test_the_panels_of_the_search_ask_the_space_of_the_chapter():
    within = law("codesign", "within-function", "within")
    assert [within(more)["mappings"] for more in (0.0, 0.05, 1e6)] == [84, 312, 10_303_200]
    *_, last = law("codesign", "mapping-race-function", "mapping_race")(50, 3, "16 Ki words")
    assert last.trials == 50 and last.optimum.joules == pytest.approx(mapspace.best(mapspace.PRODUCT, 2**14)[0])
