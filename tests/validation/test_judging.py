from math import exp, log
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_kind import ground, row, toy

from accelerator_lib import data
from accelerator_lib.validation import KINDS, judging, report

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

    def judge(rows, by="publisher", module=None):
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


def test_every_row_is_predicted_by_what_never_saw_its_publisher(judged):
    shares = {"a": [0.5] * 4, "b": [0.6] * 4, "c": [0.9] * 4}
    found, own = judged(rows_of(shares))
    for each in found.judged:
        inside = [share for name, its in shares.items() if name != each.source for share in its]
        share = each.prediction.value / each.prediction.bound
        assert min(inside) * 0.98 <= share <= max(inside) * 1.02, each.id
        assert share == pytest.approx(own.fit(r for r in own.rows if not r.startswith(each.source))["share"])


def test_a_publisher_is_held_against_an_interval_that_it_did_not_make(judged):
    """Two sources agree, a third is far off: it lies outside, and its own rows widen only the others' intervals."""
    found, _ = judged(rows_of({"a": [0.80, 0.81, 0.79] * 3, "b": [0.80, 0.82, 0.78] * 3, "far": [0.2] * 9}))
    far = [each for each in found.judged if each.source == "far"]
    assert not any(each.held for each in far)
    assert max(each.prediction.high / each.prediction.low for each in far) < 1.2
    assert all(each.prediction.low < 0.5 * each.prediction.value for each in found.judged if each.source == "a")


def test_changing_a_publisher_changes_nothing_that_is_said_of_it(judged):
    before, _ = judged(rows_of({"a": [0.5] * 3, "b": [0.6] * 3, "c": [0.7] * 3}))
    after, _ = judged(rows_of({"a": [0.3] * 3, "b": [0.6] * 3, "c": [0.7] * 3}))
    mine = [[each.prediction for each in found.judged if each.source == "a"] for found in (before, after)]
    assert mine[0] == mine[1] and mine[0]


def test_what_is_beaten_is_listed_with_its_reason(judged, monkeypatch):
    rows = rows_of({"a": [0.9, 1.2], "b": [0.9, 1.1]})
    facts = {**data.load("validation"), "explained": {"a-1": "a boost clock"}}
    judging.data.publisher("a")  # read before
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
    for by in ("publisher", "source", "device"):
        found = [each["id"] for its in judging.left_out(rows, by).values() for each in its]
        assert sorted(found) == sorted(each["id"] for each in rows)


def test_off_is_the_logarithm_of_predicted_over_measured(judged):
    found, _ = judged(rows_of({"a": [0.5], "b": [0.6]}))
    for each in found.judged:
        assert each.off == pytest.approx(log(each.prediction.value / each.measured))


def test_files_of_one_publisher_are_left_out_together(judged, monkeypatch):
    """The same rows, judged by file: the second file of a publisher tells of the first, and all intervals hold."""
    shares = {"a1": [0.50, 0.51, 0.49], "a2": [0.50, 0.52, 0.48], "b": [0.90, 0.91, 0.89], "c": [0.90, 0.92, 0.88]}
    monkeypatch.setattr(judging.data, "publisher", lambda source: source[0])
    whole, _ = judged(rows_of(shares))
    by_file, _ = judged(rows_of(shares), by="source")
    mine = [[each for each in found.judged if each.source in ("a1", "a2")] for found in (whole, by_file)]
    assert all(each.prediction.value > 0.85 * each.prediction.bound for each in mine[0])
    assert not any(each.held for each in mine[0]) and any(each.held for each in mine[1])


def test_one_repository_has_one_publisher():
    """Second road: the owner and the name in the address of a source."""
    owners = {}
    for id, source in data.load("measured")["sources"].items():
        assert source["publisher"], id
        parts = (source["url"] or "").split("/")
        if "github.com" in parts and parts[5:6] not in (["issues"], ["pull"]):
            owners.setdefault("/".join(parts[3:5]), set()).add(source["publisher"])
    assert all(len(names) == 1 for names in owners.values()) and len(owners) > 10
    azure = [id for id, each in data.load("measured")["sources"].items() if each["publisher"] == "Microsoft Azure"]
    assert len(azure) == 5


def test_by_publisher_fewer_intervals_hold_than_by_file():
    held = {by: [] for by in ("publisher", "source")}
    for found in report.report().values():
        for by, its in held.items():
            its += [each.held for each in found[by].counted]
    publisher, source = (sum(its) / len(its) for its in held.values())
    assert publisher == pytest.approx(0.69, abs=0.01) and source == pytest.approx(0.79, abs=0.01)


def test_most_of_attention_rests_on_constants_that_were_set_by_hand():
    found = report.report()["attention"]["publisher"]
    rows = list(data.published("attention").values())
    assert len(found.hand_set) == 50 and len(found.counted) == 64
    assert judging.moved("attention", rows) == found.moved
    half, double = (exp(each) - 1 for each in found.moved)
    assert half > 0.4 > double > 0.2 > exp(found.median) - 1
    assert all(not report.report()[kind]["publisher"].hand_set for kind in ("gemm", "training", "serving"))
