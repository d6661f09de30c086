"""Constants fitted and judged: fits, intervals, reports, what one more constant buys, and what is stored of it."""

import subprocess
import sys
from itertools import pairwise
from math import exp, inf, log
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stated import stated
from toy_kind import ground, row, toy

from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.validation import KINDS, adding, calibrate, constants, fitting, judging, report, rows
from accelerator_lib.validation.adding import BOUND, IDEAL, OWN, STRANGE
from accelerator_lib.validation.fitting import FAR, fit
from accelerator_lib.validation.record import Prediction
from accelerator_lib.validation.report import Judged, Report

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


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


def test_a_constant_stays_in_its_range_and_where_it_starts_if_nothing_moves_it(monkeypatch):
    module = toy({"share": (0.1, 0.5, 1.0), "idle": (1.0, 7.0, 9.0)}, ())
    found = ground([row("a", "a", 100, 80)], module, monkeypatch).fit()
    assert found["idle"] == 7.0 and found["share"] == pytest.approx(0.8, rel=0.02)
    module = toy({"share": (0.4, 0.5, 0.6)}, ())
    assert ground([row("a", "a", 100, 99)], module, monkeypatch).fit()["share"] == 0.6
    assert ground([row("a", "a", 100, 10)], module, monkeypatch).fit()["share"] == 0.4
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
    [
        *TABLE["only_rows_that_were_read_and_measured_are_fitted"],
        ({"conditions": {"rate": 1, "claim": "vendor claim"}}, False),
    ],
)
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


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of data of its own, with what stands there now."""
    for name in ("calibration", "validation_report"):
        (tmp_path / f"{name}.yaml").write_text((data.FOLDER / f"{name}.yaml").read_text())
    monkeypatch.setattr(calibrate.data, "FOLDER", tmp_path)
    return tmp_path


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_kind_is_fitted_and_the_others_stay(folder, capsys):
    before = data.parse(folder / "calibration.yaml")
    calibrate.main(["memory_split"])
    after, told = data.parse(folder / "calibration.yaml"), data.parse(folder / "validation_report.yaml")
    assert after == before and list(after) == list(before) and after["format_version"] == 1
    assert set(told["memory_split"]) == {"publisher", "source", "device"}
    assert "memory_split" in capsys.readouterr().out
    written = content(folder)
    calibrate.main(["memory_split"])  # written twice it is the same
    assert content(folder) == written


@pytest.mark.parametrize("option", [["--check"], ["--by", "device"], ["--rows"]])
def test_a_look_writes_nothing(option, folder, capsys):
    before = content(folder)
    calibrate.main(["memory_split", *option])
    assert content(folder) == before
    assert ("vllm_13b_parameters" in capsys.readouterr().out) == (option == ["--rows"])


@pytest.mark.parametrize("words", [["gem"], ["--by", "year"], ["--fast"]])
def test_what_is_unknown_is_answered_by_what_there_is(words, capsys):
    with pytest.raises(SystemExit):
        calibrate.main(words)
    said = capsys.readouterr().err
    assert "gemm" in said or "source" in said or "--fast" in said


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
    found, _ = judged(rows_of({"a": [0.5], "b": [0.6]}))
    for each in found.judged:
        assert each.off == pytest.approx(log(each.prediction.value / each.measured))


def test_one_source_falls_back_to_what_was_run():
    rows = [row(f"r{i}", "h100", 100, 50, source="one", workload=f"w{i % 2}") for i in range(4)]
    assert {name: len(its) for name, its in judging.left_out(rows).items()} == {"w0": 2, "w1": 2}
    same = [row(f"r{i}", "h100", 100, 50, source="one") for i in range(2)]
    assert {name: len(its) for name, its in judging.left_out(same).items()} == {"h100-sxm5": 2}


def test_two_wordings_of_a_chip_are_one_device():
    rows = [row(name, name, 1, 1) for name in ("H100 SXM5", "NVIDIA H100 80GB HBM3", "A100", "?")]
    found = {name: len(its) for name, its in judging.left_out(rows, "device").items()}
    assert found == {"h100-sxm5": 2, "a100-80gb-sxm": 1, "?": 1}


@pytest.mark.parametrize("kind", KINDS)
def test_groups_hold_every_row_once(kind):
    rows = list(data.published(kind).values())
    for by in ("publisher", "source", "device"):
        found = [each["id"] for its in judging.left_out(rows, by).values() for each in its]
        assert sorted(found) == sorted(each["id"] for each in rows)


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


def test_most_of_attention_rests_on_constants_that_were_set_by_hand():
    found = report.report()["attention"]["publisher"]
    rows = list(data.published("attention").values())
    assert len(found.hand_set) == 50 and len(found.counted) == 64
    assert judging.moved("attention", rows) == found.moved
    half, double = (exp(each) - 1 for each in found.moved)
    assert half > 0.4 > double > 0.2 > exp(found.median) - 1
    assert all(not report.report()[kind]["publisher"].hand_set for kind in ("gemm", "training", "serving"))


FOUND = report.report()
QUICK = ("memory_latency", "link_bandwidth", "tpu_v1", "tpu_v4", "software_ladder", "memory_split")


def one(id, predicted, measured, fitted=True):
    told = Prediction(predicted, predicted * 0.8, predicted * 1.2, 100, "memory", "", "GB/s")
    return Judged(id, told, measured, log(predicted / measured), fitted)


def test_medians_and_shares_are_those_counted_by_hand():
    rows = (one("a", 10, 10), one("b", 11, 10), one("c", 10, 20), one("d", 10, 11), one("no", 1, 99, fitted=False))
    found = Report("gemm", "source", rows)
    off = sorted([0, log(1.1), log(2), log(1.1)])
    assert found.median == pytest.approx((off[1] + off[2]) / 2)
    assert found.worst_tenth == pytest.approx(off[2] + 0.7 * (off[3] - off[2]))
    assert found.coverage == 3 / 4 and len(found.counted) == 4
    empty = Report("gemm", "source", ())
    assert empty.median != empty.median and empty.coverage != empty.coverage
    assert "| - |" in report.table({"gemm": {"publisher": empty, "device": empty}})
    found = Report("gemm", "source", (one("a", 10, 10),), {}, {"a": None}, 1, 1)
    assert "1 UNEXPLAINED" in report.line(found) and "gemm" in report.line(found)
    assert "UNEXPLAINED" not in report.line(Report("gemm", "source", (one("a", 10, 10),), {}, {"a": "why"}, 1, 1))


@pytest.mark.parametrize("by", ["publisher", "source", "device"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_published_row_is_told_or_missing_and_none_beats_its_bound_without_a_reason(kind, by):
    found = FOUND[kind][by]
    ids = [each.id for each in found.judged]
    assert sorted([*ids, *found.missing]) == sorted(data.published(kind)) and len(ids) == len(set(ids))
    assert all(found.missing.values()) and all(found.beaten.values()), found.beaten
    assert {each.id for each in found.judged if each.beaten} == set(found.beaten)


@pytest.mark.parametrize("kind", QUICK)
def test_the_stored_report_is_what_judging_finds_today(kind):
    for by, found in FOUND[kind].items():
        today = judging.judge(kind, list(data.published(kind).values()), by)
        stored = {each.id: each.prediction for each in found.judged}
        for each in today.judged:
            for name in report.COLUMNS:
                assert getattr(stored[each.id], name) == pytest.approx(getattr(each.prediction, name), rel=1e-4), (
                    each.id
                )
        assert (found.missing, found.beaten, found.free) == (today.missing, today.beaten, today.free)


def test_the_goal_of_the_course_is_met():
    """Half of all rows within 15 %, each without its own publisher."""
    counted = sorted(abs(each.off) for found in FOUND.values() for each in found["publisher"].counted)
    assert len(counted) > 350 and counted[len(counted) // 2] <= 0.15


def test_the_table_has_a_line_for_each_kind_and_one_for_all(capsys):
    calibrate.main(["--report"])
    lines, _, hand_set = capsys.readouterr().out.partition("\n\n")
    lines = lines.splitlines()
    assert "attention 36" in hand_set and "gemm" not in hand_set
    assert len(lines) == len(KINDS) + 3 and lines[-1].startswith("| all | ")
    assert len({line.count("|") for line in lines}) == 1
    for kind, line in zip(KINDS, lines[2:], strict=False):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        alone = len({row["source"] for row in data.published(kind).values()}) == 1
        assert cells[0] == f"{kind} (within one source)" * alone or (cells[0] == kind and not alone)
        assert int(cells[1]) == len(FOUND[kind]["publisher"].judged)


def test_the_report_is_read_without_any_model():
    code = (
        "import sys; from accelerator_lib.validation import report; report.report();"
        "print(sorted(m for m in sys.modules if m.startswith('accelerator_lib.') and m.split('.')[1] in"
        " ('gpu', 'llm', 'network', 'tiling', 'systolic')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.fixture(params=adding.KINDS)
def steps(request):
    return list(adding.steps(request.param))


def test_from_the_bound_to_a_set_for_each_publisher(steps):
    assert [step.added for step in (*steps[:2], *steps[-2:])] == [BOUND, IDEAL, OWN, STRANGE]
    assert [step.place for step in steps] == list(range(len(steps)))
    free = [step.free for step in steps if step.added in adding.WORDS]
    assert free == list(range(1, len(free) + 1)) and steps[0].free == steps[1].free == 0


def test_the_dots_are_the_rows_that_count_and_their_mean_is_the_error(steps):
    counted = {row.id for row in rows.every() if row.kind == steps[0].kind and row.fitted}
    for step in steps:
        assert set(step.off) <= counted and len(step.off) > 0.9 * len(counted) and set(step.off) <= set(step.names)
        mean = sum(min(abs(off), FAR) for off in step.off.values()) / len(step.off)
        assert mean == pytest.approx(step.seen if step.unseen is None else step.unseen, abs=2e-3)
        assert step.on_seen == exp(step.seen) and len(step.before) == step.place + 1


def test_more_constants_fit_no_worse(steps):
    seen = [step.seen for step in steps if step.added in adding.WORDS or step.added == IDEAL]
    assert all(after <= before + 1e-3 for before, after in pairwise(seen))
    assert steps[-2].seen == steps[-1].seen < steps[1].seen < steps[0].seen


def test_no_bound_is_below_what_was_measured(steps):
    assert min(steps[0].off.values()) >= -1e-3


def test_the_bound_is_off_by_what_the_report_says():
    step = adding.step("gemm", 0)
    for each in rows.every():
        if each.id in step.off:
            assert exp(step.off[each.id]) == pytest.approx(1 / each.reached, rel=2e-3)


def test_steps_end_and_a_kind_without_any_is_named():
    assert adding.step("gemm", 20).added == STRANGE and adding.step("gemm").added == BOUND
    assert adding.step("gemm", 20).on_unseen == exp(adding.step("gemm", 20).unseen)
    assert next(step for step in adding.steps("gemm") if step.added == OWN).on_unseen is None
    with pytest.raises(UnknownName, match="did you mean"):
        list(adding.steps("link_bandwidth"))


def test_own_values_for_families_lose_a_little_and_by_one_publisher():
    """Second road: which rows change at all, and a draw of publishers one by one."""
    three, families = adding.step("gemm", 4), adding.step("gemm", 5)
    changed = {}
    for id in three.off:
        name = data.publisher(data.published("gemm")[id]["source"])
        changed.setdefault(name, []).append(abs(families.off[id]) - abs(three.off[id]))
    assert [name for name, more in changed.items() if any(more)] == ["ml-engineering"] and len(changed) == 3
    rng, means = np.random.default_rng(1), []
    for _ in range(4000):
        means.append(np.mean([each for name in rng.choice(sorted(changed), 3) for each in changed[name]]))
    assert adding.drawn(families, three) == pytest.approx(np.quantile(means, (0.05, 0.95)), abs=2e-3)


def test_sets_of_their_own_are_no_better_away_than_common_ones_and_in_training_worse():
    common, own, away = (adding.step("gemm", place) for place in (4, 6, 7))
    assert own.seen < common.seen and away.unseen == pytest.approx(common.unseen, abs=0.01)
    *_, common, _, _, away = adding.steps("training")
    assert away.unseen > 1.5 * common.unseen


def test_the_last_honest_step_is_near_what_judging_finds():
    """Of the same constants, fitted the other way round: as in the report, within a few percent."""
    steps = [step for step in adding.steps("gemm") if step.added not in (OWN, STRANGE)]
    told = report.report()["gemm"]["publisher"]
    mean = sum(abs(each.off) for each in told.counted) / len(told.counted)
    assert steps[-1].unseen == pytest.approx(mean, abs=0.05)


@pytest.fixture(scope="module")
def streams():
    return adding.Ladder("memory_bandwidth", list(data.published("memory_bandwidth").values()))


def test_what_is_stored_is_what_climbing_finds_today(streams):
    today, stored = streams.climb(), data.load("validation_steps")["memory_bandwidth"]
    assert today["steps"] == stored["steps"] and today["off"] == stored["off"]


def test_times_and_rates_are_off_in_one_direction():
    """The bound of every row, as it is stored: in prefill some rows are times, others rates."""
    made = adding.Ladder("prefill", list(data.published("prefill").values()))
    made._note(BOUND, None, 0, *[made._bounds()] * 2)
    assert {id: off for id, (off,) in made.off.items()} == pytest.approx(adding.step("prefill", 0).off, abs=2e-3)


def test_as_good_as_can_be_is_the_fast_end_of_every_range(streams):
    free = streams.module.FREE
    assert streams.best == {"share": free["share"][2], "turning": free["turning"][0]}


def test_one_source_with_one_number_is_met_exactly_and_another_is_off_by_its_own():
    """A memory that reaches half of its rate in one source, and a quarter in the other; one kind of kernel."""
    rows = [
        of_a_source(f"{source}{i}", source, share * 3350)
        for source, share in (("a", 0.9), ("b", 0.6))
        for i in range(3)
    ]
    made = adding.Ladder("memory_bandwidth", rows)
    made.climb()
    last = made.steps[-1]
    assert made.steps[-2][0] == adding.OWN and made.steps[-2][3] == pytest.approx(0, abs=5e-3)
    assert exp(last[4]) == pytest.approx(0.9 / 0.6, rel=0.02)
    assert made.off["a0"][0] == pytest.approx(log(1 / 0.9), abs=2e-3)


def test_one_more_constant_never_fits_worse(monkeypatch):
    """Even where the search for three of them ends in a bad place, and where one alone is too few."""
    names = ("share", "bandwidth", "launch_us")
    made = adding.Ladder("gemm", [each for each in data.published("gemm").values() if each["unit"] == "TFLOP/s"])
    least = {name: low for name, (low, _, _) in made.module.FREE.items()}
    good = made.best | {"share": 0.7, "bandwidth": 0.85}
    monkeypatch.setattr(made, "_fitted", lambda chosen, *_: good if tuple(chosen) == names[:2] else least)
    assert made._fit(list(names)) == made._fit(list(names[:2])) == good != made._fit(list(names[:1]))


def of_a_source(id, source, value):
    told = stated("memory_bandwidth", "H100 SXM", "read", "bandwidth", "GB/s", kernel="read")
    return told | {"id": id, "value": value, "source": source, "basis": "seen"}


def test_all_constants_free_fit_as_well_as_calibration_does(streams):
    rows = list(data.published("memory_bandwidth").values())
    whole = fit("memory_bandwidth", rows)
    common = {name: value for name, value in whole.items() if "." not in name}
    made = streams._fit(list(streams.module.FREE))
    wrong = [sum(map(abs, streams._errors(each).values())) for each in (made, common)]
    assert wrong[0] <= wrong[1] + 1e-6


def test_every_constant_has_words():
    asked = {name for kind in adding.KINDS for name, *_ in data.load("validation_steps")[kind]["steps"]}
    fixed = {adding.BOUND, adding.IDEAL, adding.FAMILIES, adding.OWN, adding.STRANGE}
    assert asked - fixed <= set(adding.WORDS)
    from accelerator_lib.validation.door import model_of

    assert {name for kind in adding.KINDS for name in model_of(kind).FREE} <= set(adding.WORDS)
