"""Rows as a reader looks at them: nothing lost on the way from the report, shares of the bound, filters."""

from math import isfinite, log

import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.validation import KINDS, rows
from accelerator_lib.validation.record import Prediction
from accelerator_lib.validation.report import report
from accelerator_lib.validation.rows import Row


def row(measured, predicted, bound, time=False):
    told = Prediction(predicted, predicted / 2, predicted * 2, bound, "memory", "", "ms" if time else "GB/s", time)
    return Row(
        "a",
        "gemm",
        "H100",
        "hopper",
        "s",
        "title",
        "w",
        "",
        "",
        measured,
        told.unit,
        told,
        log(predicted / measured),
        True,
        True,
    )


def test_a_rate_and_the_time_that_it_means_have_the_same_shares():
    rate, time = row(40, 80, 100), row(1 / 40, 1 / 80, 1 / 100, time=True)
    assert (rate.reached, rate.foretold, rate.speed) == pytest.approx((0.4, 0.8, 2))
    assert (time.reached, time.foretold, time.speed) == pytest.approx((0.4, 0.8, 2))
    assert rate.ends == (0.4, 1.6) and time.ends == pytest.approx((0.4, 1.6))


@pytest.mark.parametrize("by", ["publisher", "source", "device"])
def test_every_row_of_the_report_is_there_once_with_its_numbers(by):
    judged = {each.id: each for found in report().values() for each in found[by].judged}
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
    source = next(iter(rows.sources()))
    assert {each.source for each in rows.look(source=source).asked} == {source}
    assert not rows.look("decode", "tpu").asked


def test_every_family_has_rows_and_every_row_a_family():
    assert {each.family for each in rows.every()} == set(rows.FAMILIES)
    assert rows.family("abacus") == "other" and rows.family("H100 SXM") == "hopper"


def test_rows_without_a_bound_stand_apart():
    apart = {id for kind in rows.KINDS for id in rows.look(kind).apart}
    assert apart == {each.id for each in rows.every() if not rows.has_share(each)}
    assert len(apart) + len(rows.look().rows) == len(rows.every())


def test_the_sources_of_the_menu_have_the_most_rows():
    counted = [len(rows.look(source=source).asked) for source in rows.sources()]
    assert counted == sorted(counted, reverse=True) and len(counted) < 20


@pytest.mark.parametrize("asked", [{"kind": "gem"}, {"family": "hoper"}, {"source": "xday"}])
def test_a_typo_is_answered_by_the_nearest_name(asked):
    with pytest.raises(UnknownName, match="did you mean|one of|unknown"):
        rows.look(**asked)


def test_a_title_is_cut_between_words():
    assert rows.short("short") == "short"
    assert rows.short("DeepGEMM README, performance tables and news") == "DeepGEMM README, performance tables …"
    assert all(len(rows.short(title)) <= 40 for title in rows.sources().values())


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
