from math import exp, inf, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_kind import ground, row, toy

from accelerator_lib import data
from accelerator_lib.validation import KINDS, constants, fitting


def brute(rows, steps=20000):
    """Second road: the share whose sum of |log| is least is a weighted median; by search on a fine grid."""
    shares = [0.1 * 10 ** (place / steps) for place in range(steps + 1)]
    return min(shares, key=lambda share: sum(abs(log(share * r["conditions"]["rate"] / r["value"])) for r in rows))


@settings(max_examples=10)
@given(st.lists(st.floats(0.12, 0.98), min_size=1, max_size=9))
def test_one_constant_is_the_one_that_a_search_of_all_finds(shares):
    rows = [row(f"r{i}", "h100", 100 + i, share * (100 + i)) for i, share in enumerate(shares)]
    with pytest.MonkeyPatch.context() as patch:
        found = ground(rows, toy(own=()), patch).fit()["share"]
    wrong = [sum(abs(log(s * r["conditions"]["rate"] / r["value"])) for r in rows) for s in (found, brute(rows))]
    assert wrong[0] <= wrong[1] + 0.02 * len(rows)


def test_a_family_of_three_rows_has_its_own_constant_and_one_of_two_has_none(monkeypatch):
    rows = [row(f"a{i}", "a", 100 + i, 0.9 * (100 + i)) for i in range(3)]
    rows += [row(f"b{i}", "b", 100 + i, 0.6 * (100 + i)) for i in range(6)]
    rows += [row(f"c{i}", "c", 100 + i, 0.3 * (100 + i)) for i in range(2)]
    found = ground(rows, toy(), monkeypatch).fit()
    assert set(found) == {"share", "share.a", "share.b"}
    assert found["share.a"] == pytest.approx(0.9, rel=0.02) and found["share.b"] == pytest.approx(0.6, rel=0.02)


def test_what_does_not_matter_stays_where_it_starts(monkeypatch):
    module = toy({"share": (0.1, 0.5, 1.0), "idle": (1.0, 7.0, 9.0)}, ())
    found = ground([row("a", "a", 100, 80)], module, monkeypatch).fit()
    assert found["idle"] == 7.0 and found["share"] == pytest.approx(0.8, rel=0.02)


def test_a_constant_never_leaves_its_range(monkeypatch):
    module = toy({"share": (0.4, 0.5, 0.6)}, ())
    assert ground([row("a", "a", 100, 99)], module, monkeypatch).fit()["share"] == 0.6
    assert ground([row("a", "a", 100, 10)], module, monkeypatch).fit()["share"] == 0.4


def test_no_rows_leave_every_constant_where_it_starts(monkeypatch):
    assert ground([], toy(), monkeypatch).fit() == {"share": 0.5}


def test_a_row_is_computed_once_for_the_same_answers(monkeypatch):
    calls = []
    rows = [row(f"a{i}", "a", 100 + i, 90) for i in range(4)]
    own = ground(rows, toy(own=(), calls=calls), monkeypatch)
    own.fit()
    seen = len(calls)
    own.fit([r["id"] for r in rows[:3]])  # other rows, the same lattice: nothing new but for other ways down
    assert len(calls) - seen < seen / 2
    assert own.fit() == own.fit() and len(own.fits) == 2


def test_off_is_what_the_model_itself_says(monkeypatch):
    own = ground([row("a", "a", 200, 80)], toy(), monkeypatch)
    for share in (0.5, 0.3, 0.5):
        assert own.errors({"share": share}, ["a", "unknown"]) == {"a": pytest.approx(log(share * 200 / 80))}


@pytest.mark.parametrize(
    "more, taken",
    [({}, True), ({"basis": "recalled"}, False), ({"basis": "seen_secondary"}, False), ({"basis": None}, False),
     ({"conditions": {"rate": 1, "claim": "vendor claim"}}, False), ({"value": None}, False),
     ({"device": "GH200"}, False)],
)  # fmt: skip
def test_only_rows_that_were_read_and_measured_are_fitted(more, taken):
    assert fitting.fittable(row("a", "a", 1, 1) | more) == taken


def test_a_miss_is_a_logarithm_and_two_zeros_are_none():
    assert fitting.miss(2.0, 1.0) == -fitting.miss(1.0, 2.0) == pytest.approx(log(2))
    assert fitting.miss(0, 0) == 0 and fitting.miss(0, 1) == fitting.miss(1, 0) == inf
    assert exp(fitting.miss(1.1, 1.0)) == pytest.approx(1.1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("gemm", "training", "decode", "serving")])
def test_the_calibration_is_what_a_fit_finds_today(kind):
    """`make calibrate` was run since a model or a row changed."""
    assert fitting.fit(kind, list(data.published(kind).values())) == pytest.approx(dict(constants.of(kind)[0].values))
