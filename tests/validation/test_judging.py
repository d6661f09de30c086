from math import exp, log
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_kind import ground, row, toy

from accelerator_lib import data
from accelerator_lib.validation import KINDS, judging

LOGS = st.lists(st.floats(-2, 2), min_size=1, max_size=60)


def rows_of(shares):
    """{source: shares of the rate that it measured} -> rows; a device for every two sources."""
    return [
        row(f"{source}-{place}", f"gpu {place % 2}", 100 + place, share * (100 + place), source=source)
        for source, its in shares.items()
        for place, share in enumerate(its)
    ]


@pytest.fixture
def judged(monkeypatch):
    """The report of some toy rows, and the ground that it was fitted on."""

    def judge(rows, by="source", module=None):
        module = module or toy(own=())
        own = ground(rows, module, monkeypatch)
        monkeypatch.setattr(judging, "model_of", lambda kind: module)
        return judging.judge("gemm", rows, by, own), own

    return judge


@given(LOGS)
def test_an_interval_holds_four_fifths_of_what_made_it(off):
    low, high = judging.interval(off)
    assert 0 < low <= 1 <= high
    held = [low * 0.995 <= exp(-each) <= high * 1.005 for each in off]  # measured / predicted
    assert sum(held) >= 0.8 * len(off) - 1


def test_an_interval_of_a_hundred_is_between_the_tenth_and_the_ninetieth():
    """Second road: conformal order statistics, counted by hand: 10.1 of 101 to either side."""
    off = [place / 100 for place in range(-50, 50)]
    low, high = judging.interval(off)
    assert low == pytest.approx(exp(-off[90]), rel=0.01) and high == pytest.approx(exp(-off[9]), rel=0.01)


def test_few_misses_give_their_extremes_and_none_a_wide_guess():
    assert judging.interval([0.1, -0.2, 0.05]) == (
        pytest.approx(exp(-0.1), rel=0.01),
        pytest.approx(exp(0.2), rel=0.01),
    )
    assert judging.interval([]) == judging.UNSEEN
    assert judging.interval([float("inf"), float("-inf")])[0] > 0  # a row of zero does not make it endless


def test_a_time_that_was_foretold_too_long_is_a_speed_too_low(monkeypatch):
    """The same run told as a rate and as a time widens the same end of the interval."""
    seen = []
    monkeypatch.setattr(judging, "interval", lambda off: seen.append(sorted(off)))
    for unit, off in (("TFLOP/s", -0.3), ("ms", 0.3)):
        its = SimpleNamespace(
            rows={"a": ({"unit": unit, "metric": "it"}, 1)}, fit=len, errors=lambda f, ids, o=off: {"a": o}
        )
        judging.spread(its, {"s": [{"id": "a"}]})
    assert seen == [[-0.3], [-0.3]]


def test_every_row_is_predicted_by_what_never_saw_its_source(judged):
    shares = {"a": [0.5] * 4, "b": [0.6] * 4, "c": [0.9] * 4}
    found, own = judged(rows_of(shares))
    for each in found.judged:
        inside = [share for name, its in shares.items() if name != each.source for share in its]
        share = each.prediction.value / each.prediction.bound
        assert min(inside) * 0.98 <= share <= max(inside) * 1.02, each.id
        assert share == pytest.approx(own.fit(r for r in own.rows if not r.startswith(each.source))["share"])


def test_a_source_is_held_against_an_interval_that_it_did_not_make(judged):
    """Two sources agree, a third is far off: it lies outside, and its own rows widen only the others' intervals."""
    found, _ = judged(rows_of({"a": [0.80, 0.81, 0.79] * 3, "b": [0.80, 0.82, 0.78] * 3, "far": [0.2] * 9}))
    far = [each for each in found.judged if each.source == "far"]
    assert not any(each.held for each in far)
    assert max(each.prediction.high / each.prediction.low for each in far) < 1.2
    assert all(each.prediction.low < 0.5 * each.prediction.value for each in found.judged if each.source == "a")


def test_changing_a_source_changes_nothing_that_is_said_of_it(judged):
    before, _ = judged(rows_of({"a": [0.5] * 3, "b": [0.6] * 3, "c": [0.7] * 3}))
    after, _ = judged(rows_of({"a": [0.3] * 3, "b": [0.6] * 3, "c": [0.7] * 3}))
    mine = [[each.prediction for each in found.judged if each.source == "a"] for found in (before, after)]
    assert mine[0] == mine[1] and mine[0]


def test_what_is_beaten_is_listed_with_its_reason(judged, monkeypatch):
    rows = rows_of({"a": [0.9, 1.2], "b": [0.9, 1.1]})
    facts = {**data.load("validation"), "explained": {"a-1": "a boost clock"}}
    monkeypatch.setattr(judging.data, "load", lambda name: facts)
    found, _ = judged(rows)
    assert found.beaten == {"a-1": "a boost clock", "b-1": None}


def test_rows_that_are_not_fitted_are_predicted_and_do_not_count(judged):
    rows = rows_of({"a": [0.5] * 3, "b": [0.6] * 3})
    rows[0] = rows[0] | {"basis": "recalled", "value": 1e6}
    found, own = judged(rows)
    assert len(found.judged) == 6 and len(found.counted) == 5 == found.rows == len(own.rows)
    assert not next(each for each in found.judged if each.id == "a-0").fitted and found.worst_tenth < 1


def test_one_source_falls_back_to_what_was_run():
    rows = [row(f"r{i}", "h100", 100, 50, source="one", workload=f"w{i % 2}") for i in range(4)]
    assert {name: len(its) for name, its in judging.left_out(rows).items()} == {"w0": 2, "w1": 2}
    same = [row(f"r{i}", "h100", 100, 50, source="one") for i in range(2)]
    assert {name: len(its) for name, its in judging.left_out(same).items()} == {"h100-sxm5": 2}


def test_two_wordings_of_a_chip_are_one_device():
    rows = [
        row("a", "H100 SXM5", 1, 1),
        row("b", "NVIDIA H100 80GB HBM3", 1, 1),
        row("c", "A100", 1, 1),
        row("d", "?", 1, 1),
    ]
    assert {name: len(its) for name, its in judging.left_out(rows, "device").items()} == {
        "h100-sxm5": 2, "a100-80gb-sxm": 1, "?": 1,
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_groups_hold_every_row_once(kind):
    rows = list(data.published(kind).values())
    for by in ("source", "device"):
        found = [each["id"] for its in judging.left_out(rows, by).values() for each in its]
        assert sorted(found) == sorted(each["id"] for each in rows)


def test_off_is_the_logarithm_of_predicted_over_measured(judged):
    found, _ = judged(rows_of({"a": [0.5], "b": [0.6]}))
    for each in found.judged:
        assert each.off == pytest.approx(log(each.prediction.value / each.measured))
