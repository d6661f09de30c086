"""What chapter 14 draws: rows and their names, bounds, misses, outliers, words that are not stated."""

from dataclasses import replace
from itertools import pairwise
from math import exp, isfinite, log
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable, UnknownName
from accelerator_lib.validation import KINDS, bounds, misses, outliers, predict, report, rows
from accelerator_lib.validation.record import Prediction
from accelerator_lib.validation.rows import Row


def row(measured, predicted, bound, time=False):
    told = Prediction(predicted, predicted / 2, predicted * 2, bound, "memory", "", "ms" if time else "GB/s", time)
    its = {"kind": "gemm", "family": "hopper", "title": "title", "workload": "w", "beside": "", "stated": ""}
    return Row("a", told, measured, log(predicted / measured), True, "s", "H100", unit=told.unit, **its)


def test_a_rate_and_the_time_that_it_means_have_the_same_shares():
    rate, time = row(40, 80, 100), row(1 / 40, 1 / 80, 1 / 100, time=True)
    assert (rate.reached, rate.foretold, rate.speed) == pytest.approx((0.4, 0.8, 2))
    assert (time.reached, time.foretold, time.speed) == pytest.approx((0.4, 0.8, 2))
    assert rate.ends == (0.4, 1.6) and time.ends == pytest.approx((0.4, 1.6))


@pytest.mark.parametrize("by", ["publisher", "source", "device"])
def test_every_row_of_the_report_is_there_once_with_its_numbers(by):
    judged = {each.id: each for found in report.report().values() for each in found[by].judged}
    every = {each.id: each for each in rows.every(by)}
    assert set(every) == set(judged) and len(rows.every(by)) == len(judged)
    for id, each in every.items():
        assert (each.measured, each.off, each.held) == (judged[id].measured, judged[id].off, judged[id].held)
        assert each.title == data.title({"source": each.source}) and len(each.stated) < 1000


def test_no_row_is_faster_than_its_bound_and_none_is_foretold_to_be():
    for each in rows.look().rows:
        assert 0 < each.reached <= 1 and 0 < each.foretold <= 1 + 1e-9
        assert each.ends[0] <= each.foretold * (1 + 1e-6) and each.foretold <= each.ends[1] * (1 + 1e-6)


def test_filters_take_what_fits_all_of_them():
    everything = rows.look()
    assert len(everything.asked) == len(everything.rows) and set(KINDS) == set(rows.KINDS)
    found = rows.look("gemm", "hopper")
    by_hand = [each for each in everything.rows if each.kind == "gemm" and each.family == "hopper"]
    assert list(found.asked) == by_hand and found.rows == everything.rows and by_hand
    assert not rows.look("decode", "tpu").asked


def test_every_family_has_rows_and_every_row_a_family():
    assert {each.family for each in rows.every()} == set(rows.FAMILIES)
    assert rows.family("abacus") == "other" and rows.family("H100 SXM") == "hopper"


def test_rows_without_a_bound_stand_apart():
    apart = {id for kind in rows.KINDS for id in rows.look(kind).apart}
    assert apart == {each.id for each in rows.every() if not rows.has_share(each)}
    assert len(apart) + len(rows.look().rows) == len(rows.every())


@pytest.mark.parametrize("asked", [{"kind": "gem"}, {"family": "hoper"}])
def test_a_typo_is_answered_by_the_nearest_name(asked):
    with pytest.raises(UnknownName, match="did you mean|one of|unknown"):
        rows.look(**asked)


def test_a_dot_can_be_followed_by_its_name_and_no_two_dots_have_one_name():
    from accelerator_course.views.stage import film
    from accelerator_course.views.validation import Rows

    view, found = Rows(rows.KINDS, rows.FAMILIES), rows.look("gemm")
    assert '"follows":true' in film.page(view, [found]).replace(" ", "")
    dots = next(layer for layer in view.marks(found) if layer.name == "dots")
    names = list(dots.columns["who"])
    assert len(names) == len(found.rows) and all(names.count(row.name) == 1 for row in found.asked)


def test_the_speed_of_every_row_is_a_finite_factor_and_the_ratio_of_its_shares():
    for row in rows.every():
        assert isfinite(row.speed), row.id
        if rows.has_share(row):
            assert row.speed == pytest.approx(row.foretold / row.reached), row.id


def test_later_results_are_dots_of_their_own_with_the_interval_that_predict_gives():
    found, table = rows.look("mlperf"), {row["id"]: row for row in data.load("mlperf")["rows"]}
    assert [one.id for one in found.asked] == list(table) and len({one.name for one in found.rows}) == len(table)
    for one in found.rows:
        told = predict(table[one.id] | {"value": 1})
        assert one.held == (told.low <= table[one.id]["value"] <= told.high) and one.reached <= 1


@pytest.mark.parametrize("kind", rows.KINDS)
def test_no_two_rows_of_a_kind_have_one_name(kind):
    names = [rows.name(kind, id) for id in data.published(kind)]
    assert len(set(names)) == len(names)


def test_a_row_that_is_alone_on_its_device_needs_no_more_words():
    alike = {}
    for id, row in data.published("training").items():
        alike.setdefault((row.get("workload") or "", row["device"]), []).append(id)
    for ids in alike.values():
        assert (rows.beside("training")[ids[0]] == "") == (len(ids) == 1)


def test_what_tells_rows_apart_is_what_differs():
    told = rows._told({"a": {"M": 64, "N": 32, "reported": 1}, "b": {"M": 64, "N": 16, "reported": 2}})
    assert told == {"a": "N 32", "b": "N 16"}
    found = {"a": {"reported": 1, "N": 32}, "b": {"reported": 2, "N": 16}}
    assert rows._told(found) == {"a": "N 32", "b": "N 16"}
    assert rows._told({"a": {"reported": 1}, "b": {"reported": 2}}) == {"a": "reported 1", "b": "reported 2"}
    assert rows._told({"a": {"pass": "forward"}, "b": {"pass": "backward"}}) == {"a": "forward", "b": "backward"}
    three = {"a": {"M": 1, "N": 1}, "b": {"M": 1, "N": 2}, "c": {"M": 2, "N": 1}}
    assert rows._told(three) == {"a": "M 1, N 1", "b": "M 1, N 2", "c": "M 2, N 1"}
    assert rows._told({"a": {"M": 1}, "b": {"M": 1}}) == {"a": "a", "b": "b"}


def counted(kind):
    """Bound over measured, as speeds, straight from the report."""
    for each in report.report()[kind]["publisher"].counted:
        told = each.prediction
        if told.bound and each.measured:
            yield each.measured / told.bound if told.faster_is_less else told.bound / each.measured


@pytest.mark.parametrize("kind", ["memory_bandwidth", "memory_latency", "gemm", "attention", "tpu_v1"])
def test_the_typical_factor_is_the_median_over_the_rows_of_the_kind(kind):
    found, factors = bounds.against(kind), list(counted(kind))
    assert found.typical == pytest.approx(np.median(factors)) and len(found.rows) == len(factors)
    assert sorted(1 / share for share in found.shares) == pytest.approx(sorted(factors))


def test_all_rows_are_those_of_all_kinds():
    found = bounds.against()
    factors = [each for kind in report.report() for each in counted(kind)]
    assert len(found.rows) == len(factors) and found.typical == pytest.approx(np.median(factors))
    many = {kind: (count, factor) for kind, count, factor in found.by_kind}
    assert all(count >= bounds.LEAST for count, _ in many.values())
    assert many["gemm"] == (len(bounds.against("gemm").rows), bounds.against("gemm").typical)
    assert [factor for *_, factor in found.by_kind] == sorted(factor for *_, factor in found.by_kind)


def test_kinds_leave_their_bound_one_by_one_and_at_the_end_all_have():
    run = list(bounds.fall())
    assert len(run) == len(bounds.against().by_kind) + 1 and set(run[0].shares) == {1.0} and run[0].lasts == ()
    for before, after in pairwise(run):
        moved = {row.kind for row, a, b in zip(after.rows, before.shares, after.shares, strict=True) if a != b}
        assert moved == {after.last} and after.lasts[0] == sum(row.kind == after.last for row in after.rows)
    assert run[-1].shares == tuple(row.reached for row in run[-1].rows) == bounds.against().shares


@pytest.mark.parametrize("kind", bounds.TOLD)
def test_what_is_expected_is_what_half_of_the_rows_need(kind):
    """Second road: of rows that all had one bound, the middle one."""
    took = np.median([2.0 / row.reached for row in bounds.against(kind).rows])
    assert bounds.expected(kind, 2.0) == pytest.approx(took)


@pytest.mark.parametrize("by", outliers.SORTED)
def test_lanes_hold_every_row_of_the_page_once(by):
    found = outliers.page(by)
    assert sorted(row.place for row in found.rows) == list(range(15)) and found.far == 3
    alone = [name for name, rows in found.lanes if {row.place for row in rows} == FAR_AWAY]
    assert alone == [found.alone] * bool(found.alone)


FAR_AWAY = {row.place for row in outliers.page().rows if row.ratio > 1.5}


def test_what_is_faster_than_its_bound_is_counted():
    rows = tuple(SimpleNamespace(reached=share) for share in (0.5, 1.0, 1.01, 3.0))
    assert replace(bounds.against("gemm"), rows=rows).beaten == 2


def test_what_no_row_counts_of_is_named():
    with pytest.raises(NotAvailable, match="TPU v4"):
        bounds.against("tpu_v4")
    with pytest.raises(UnknownName, match="gemm"):
        bounds.against("gemmm")
    with pytest.raises(NotAvailable, match="TPU v4"):
        misses.spread("tpu_v4")


@pytest.mark.parametrize("by", misses.LEFT_OUT)
@pytest.mark.parametrize("kind", ["gemm", "decode", "memory_latency", "tpu_v1"])
def test_medians_and_intervals_are_those_of_the_report(kind, by):
    found, told = misses.spread(kind, by), report.report()[kind][by]
    assert found.factors == pytest.approx((exp(told.median), exp(told.worst_tenth)))
    assert found.held / len(found.rows) == pytest.approx(told.coverage) and len(found.rows) == len(told.counted)


def test_all_kinds_are_the_sum_of_the_kinds():
    kinds = [kind for kind in report.report() if report.report()[kind]["publisher"].counted]
    assert len(misses.spread().rows) == sum(len(misses.spread(kind).rows) for kind in kinds)
    assert misses.spread().held == sum(misses.spread(kind).held for kind in kinds)


@given(st.floats(-5, 5))
def test_a_bin_is_a_twentieth_wide_and_the_last_one_open(off):
    bin = misses.bin_of(off)
    assert abs(bin) <= misses.EDGE and misses.bin_of(-off) == -bin
    if abs(bin) < misses.EDGE:
        assert abs(off - bin * log(1.05)) <= log(1.05) / 2 + 1e-9
    else:
        assert abs(off) >= (misses.EDGE - 0.5) * log(1.05) - 1e-9


def test_bricks_of_a_bin_stand_on_each_other_and_those_outside_on_top():
    stacks = {}
    for row, off, bin, place in misses.spread().rows:
        assert bin == misses.bin_of(off)
        stacks.setdefault(bin, {})[place] = row.held
    for stack in stacks.values():
        assert sorted(stack) == list(range(len(stack)))
        held = [stack[place] for place in sorted(stack)]
        assert held == sorted(held, reverse=True)


def test_a_time_thought_too_short_is_a_machine_thought_too_fast():
    for row, off, *_ in misses.spread("memory_latency").rows:
        assert off == pytest.approx(log(row.measured / row.prediction.value))
    fast = [row for row, off, *_ in misses.spread("gemm").rows if off > 0]
    assert all(row.prediction.value > row.measured for row in fast)
    look = rows.look("gemm")
    assert look.fast == sum(row.prediction.value > row.measured for row in look.asked)


def test_a_readers_rows_are_added_to_their_kind():
    """By hand: one copy inside its interval, one of no bandwidth at all; a kernel beside the profile's 27,000."""
    copy = {"kind": "memory_bandwidth", "device": "H100 SXM", "metric": "bandwidth", "unit": "GB/s", "workload": "copy"}
    shape = {"batch": 8, "heads": 32, "kv_heads": 8, "head_dim": 128, "cached": 16383}
    kernel = {"kind": "decode_attention", "device": "H100 SXM", "metric": "time", "unit": "µs", "conditions": shape}
    found = misses.added([copy | {"value": 2891}, copy | {"value": 1}, kernel | {"value": 182.7}])
    known, (name, (before, after)) = misses.spread("memory_bandwidth"), list(found.items())[1]
    both = (known.held, len(known.rows)), (known.held + 1, len(known.rows) + 2)
    assert found[rows.KINDS["memory_bandwidth"]] == both and name == "single kernels, decode"
    assert before[1] == 27_000 and after == (before[0] + 1, 27_001)


def test_a_band_is_that_of_publishers_drawn_anew():
    """Second road: whole publishers drawn one by one; wider than if rows were drawn, which go together."""
    found = misses.spread()
    by = {}
    for row, *_ in found.rows:
        by.setdefault(row.publisher, []).append(row.held)
    rng, shares = np.random.default_rng(1), []
    for _ in range(2000):
        drawn = [held for name in rng.choice(sorted(by), len(by)) for held in by[name]]
        shares.append(sum(drawn) / len(drawn))
    assert found.report.band() == pytest.approx(np.quantile(shares, (0.05, 0.95)), abs=0.015)
    assert found.report.band()[1] - found.report.band()[0] > 2 * 1.645 * (0.7 * 0.3 / 449) ** 0.5


def test_ratios_are_those_of_the_report_as_speeds_a_stall_of_no_cycles_too():
    for id, (_, one) in outliers.judged().items():
        off = -one.off if one.prediction.faster_is_less else one.off
        assert log(outliers.ratio(id)) == pytest.approx(off) or one.measured == 0
    assert outliers.ratio(next(id for id, (_, one) in outliers.judged().items() if one.measured == 0)) == 1
    with pytest.raises(UnknownName, match="did you mean"):
        outliers.ratio("ladder_4_runtim")


FLAGSHIP = "serve_h100_llama_70b_2048_2048"


def test_the_flagship_is_one_of_three_and_no_other_row_of_its_page_is_like_them():
    """As the question says that asks for it: fifteen rows, of two chips and two models."""
    rows = outliers.page().rows
    odd, others = ([row.ratio for row in rows if row.far is far] for far in (True, False))
    assert [row.ratio for row in rows if row.flagship] == [pytest.approx(outliers.ratio(FLAGSHIP), rel=0.1)]
    assert len(odd) == 3 and len(others) == 12 and min(odd) > 1.7 and max(others) < 1.2
    assert all(abs(log(each / 2)) < abs(log(each)) for each in odd)
    assert all(abs(log(each / 2)) > abs(log(each)) for each in others)


def test_what_is_missing_is_four_or_five_more_reads_of_the_cache():
    """Llama 70B: two numbers for each of 80 layers, 8 heads and 128 places; in one byte on an H100, in two on an A100."""
    ratios = {(row.chip, row.prompt): row.ratio for row in outliers.page().rows if row.far}
    for chips, size, prompt, bytes_each, rate, measured, ratio in (
        (2, 64, 2048, 1, 3.35e12, 547, ratios["H100", 2048]),
        (4, 480, 128, 1, 3.35e12, 1486, ratios["H100", 128]),
        (4, 240, 128, 2, 2.039e12, 525, ratios["A100", 128]),
    ):
        seconds = size * 2048 / (chips * measured)
        cache = 2 * 80 * 8 * 128 * bytes_each * size * (prompt + 1024) * 2048
        reads = (seconds - seconds / ratio) / (cache / (chips * 0.9 * rate))
        assert 3.9 < reads < 5.3
