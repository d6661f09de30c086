import subprocess
import sys
from math import log

import pytest

from accelerator_lib import data
from accelerator_lib.validation import KINDS, judging, report
from accelerator_lib.validation.record import Prediction
from accelerator_lib.validation.report import Judged, Report

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


def test_a_kind_without_rows_has_no_median():
    empty = Report("gemm", "source", ())
    assert empty.median != empty.median and empty.coverage != empty.coverage
    assert "| - |" in report.table({"gemm": {"publisher": empty, "device": empty}})


@pytest.mark.parametrize("by", ["publisher", "source", "device"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_published_row_is_told_or_missing(kind, by):
    found = FOUND[kind][by]
    ids = [each.id for each in found.judged]
    assert sorted([*ids, *found.missing]) == sorted(data.published(kind)) and len(ids) == len(set(ids))
    assert all(found.missing.values())


@pytest.mark.parametrize("by", ["publisher", "source", "device"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_bound_is_beaten_without_a_reason(kind, by):
    found = FOUND[kind][by]
    assert all(found.beaten.values()), found.beaten
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


def test_the_table_has_a_line_for_each_kind_and_one_for_all():
    lines, _, hand_set = report.table(FOUND).partition("\n\n")
    lines = lines.splitlines()
    assert "attention 36" in hand_set and "gemm" not in hand_set
    assert len(lines) == len(KINDS) + 3 and lines[-1].startswith("| all | ")
    assert len({line.count("|") for line in lines}) == 1
    for kind, line in zip(KINDS, lines[2:], strict=False):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        alone = len({row["source"] for row in data.published(kind).values()}) == 1
        assert cells[0] == f"{kind} (within one source)" * alone or (cells[0] == kind and not alone)
        assert int(cells[1]) == len(FOUND[kind]["publisher"].judged)


def test_a_line_for_the_terminal_names_what_has_no_reason():
    found = Report("gemm", "source", (one("a", 10, 10),), {}, {"a": None}, 1, 1)
    assert "1 UNEXPLAINED" in report.line(found) and "gemm" in report.line(found)
    assert "UNEXPLAINED" not in report.line(Report("gemm", "source", (one("a", 10, 10),), {}, {"a": "why"}, 1, 1))


def test_the_report_is_read_without_any_model():
    code = (
        "import sys; from accelerator_lib.validation import report; report.report();"
        "print(sorted(m for m in sys.modules if m.startswith('accelerator_lib.') and m.split('.')[1] in"
        " ('gpu', 'llm', 'network', 'tiling', 'systolic')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
