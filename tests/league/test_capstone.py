"""One design judged, and its report on a page."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from accelerator_course import league, views
from accelerator_course.league import capstone
from accelerator_course.league.reports import Alternative, neighbours
from accelerator_course.views.design import Paper
from accelerator_lib import design
from accelerator_lib.design import explore

MINE = design.Design(128, 20, 128, 6, 1.5e9, 300e9)
BEST = design.Design(256, 6, 64, 6, 2.4e9, 300e9)


def test_a_chip_for_one_job_is_over_fitted_and_an_all_rounder_is_not():
    specialist = explore.grid(mix={"vision": 1}).best()
    swapped = capstone.judge(specialist, "vision", serves="decode")
    assert swapped.overfitted and swapped.there.value < 0.01  # 0 stacks: hundreds of chips hold the model
    assert capstone.judge(specialist, "vision", serves="training").there.value == 0  # nothing holds it
    for job in design.jobs():
        whole = capstone.judge(BEST, serves=job)
        assert not whole.overfitted and whole.all_rounder == pytest.approx(whole.there.value)
    assert not capstone.judge(specialist, "vision", serves="vision").serves


def test_real_chips_keep_their_distance():
    values = {dot.name.split()[0]: round(dot.value, 2) for dot in capstone.real_dots()}
    assert values == {"A100": 0.56, "H100": 1.0, "B200": 1.23, "TPU": 0.48}
    assert all(sum(dot.shares) == pytest.approx(1) for dot in capstone.real_dots("vision"))


@pytest.mark.parametrize("node", [7, 5])
@pytest.mark.parametrize("dtype", ["bf16", "fp8", "int8"])
def test_the_best_of_the_grid_is_meant_in_the_same_format_and_node(node, dtype):
    best = explore.grid(node=node, dtype=dtype).best()
    assert best.dtype == dtype and capstone.judge(best).share == pytest.approx(1)


def test_designs_are_judged():
    found = capstone.judge(BEST)
    assert found.legal and found.share == pytest.approx(1) and not found.hole and not found.serves
    assert found.found == design.score(BEST) and league.from_token(found.token) == BEST
    assert 0.85 < capstone.judge(MINE).share < 1
    large = replace(BEST, arrays=20, link_bytes_per_s=1.8e12)
    found = capstone.judge(large, watts=300)
    assert found.broken == design.violations(large, 300) and not found.legal
    assert {limit.limit for limit in found.broken} >= {"die", "links", "power"}
    assert capstone.judge(explore.grid(mix={"training": 1}).best(), "training").hole
    assert not capstone.judge(MINE).hole
    found = capstone.judge(MINE, watts=20)
    assert found.best_value == found.share == 0 and len(found.front[0]) == 0
    assert not capstone.judge(MINE, watts=20, serves="vision").overfitted


def test_what_ties_with_the_best_of_the_grid_is_told_as_a_tie():
    start, slow = (capstone.judge(design.Design(128, 20, 128, 6, clock, 300e9)) for clock in (1.5e9, 0.8e9))
    assert start.tied and not slow.tied
    for judged, words in ((start, "a tie with the best in the grid"), (slow, "of the best in the grid")):
        assert words in views.design.Capstone().say(judged) and words in str(league.reports.of(judged))
        assert ("%" in views.design.Capstone().say(judged)) == (not judged.tied)


def test_the_chapter_does_not_print_the_best_design():
    """The capstone is a search: what the grid found is told by its value alone."""
    path = Path(__file__).parents[2] / "notebooks" / "13b_capstone.ipynb"
    told = r"token\((best|slow|found)\b|\b(best|slow|corners\[.*?\]|one)\.(arrays|edge|sram_mb|clock_hz)\b"
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        lines = [line for line in cell["source"] if not line.startswith("assert ")]
        if cell["id"] in ("capstone-seen", "capstone-jobs", "class"):
            assert not re.search(told, "".join(lines)) and not lines[-1].endswith(".best")


BEST_REPORTS = design.Design(256, 6, 64, 6, 2.4e9, 300e9, node=5)
WILD = design.Design(16, 2000, 512, 3, 2.2e9, 1.8e12, node=7)


@pytest.mark.parametrize(
    "mine",
    [
        BEST_REPORTS,
        WILD,
        design.Design(1, 1, 1, 0, 1e9, 1e9),
        design.Design(4096, 10**6, 1e6, 64, 2e10, 1e14),
        design.Design(4096, 4, 1, 0, 1e7, 1e6),
    ],
)
def test_neighbours_differ_in_one_knob(mine):
    for words, other in neighbours(mine):
        moved = {field.name for field in fields(mine) if getattr(mine, field.name) != getattr(other, field.name)}
        alone = "arrays", "sram_mb", "stacks", "clock_hz", "node", "link_bytes_per_s"
        assert moved in ({"edge", "arrays"}, set(), *({name} for name in alone)), words


def test_reports_say_what_the_laws_say():
    found = league.report(BEST_REPORTS)
    text, worth = str(found), design.score(BEST_REPORTS)
    assert f"score {worth.score:.3f}, value {worth.value:.3f}" in text and league.token(BEST_REPORTS) in text
    assert "28 predictions are within a factor of 2" in text and "every job fits" in text
    assert found.smooth == explore.elasticities(BEST_REPORTS) and found.steps == explore.stepped(BEST_REPORTS)
    for one in found.alternatives:
        assert one.value == design.score(one.design).value
        assert one.broken == design.violations(one.design)
        assert one.gain == pytest.approx(one.value / worth.value - 1)
    found = league.report(BEST_REPORTS).alternatives
    broken = [bool(one.broken) for one in found]
    assert broken == sorted(broken) and not all(broken)
    assert all(one.gain < 0.1 for one in found if not one.broken)
    assert {one.why.split(":")[0] for one in found} >= {"a tie for this model", "worth less", "breaks a limit"}
    assert "why not this one" in Alternative("moved", BEST_REPORTS, 1.5, 0.2, ()).why
    text = str(league.report(WILD, "decode", 300.0))
    assert "BROKEN" in text and "on decode" in text
    none = str(league.report(replace(BEST_REPORTS, stacks=0)))
    assert "training: does not fit" in none


def test_the_page_loads_nothing_and_holds_everything():
    found, paper = league.report(WILD), Paper()
    page = paper.page(found)
    assert "<svg" in page and found.token in page and "</html>" in page
    assert not any(word in page for word in ("http://", "https://", "src=", "<script")) or page.count(
        "http"
    ) == page.count("http://www.w3.org/2000/svg")
    for heading, rows in found.sections:
        assert heading.split(" (")[0] in page and len(rows) > 0
    pdf = paper.pdf(found)
    assert pdf.startswith(b"%PDF") and b"/Count 1" in pdf and len(pdf) < 300_000
