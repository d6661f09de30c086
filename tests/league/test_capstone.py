"""One design judged, and its report on a page."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import briefs as made
import numpy as np
import pytest

from accelerator_course import league, views
from accelerator_course.league import briefs, capstone
from accelerator_course.league.reports import Alternative, neighbours
from accelerator_course.league.tokens import KNOBS
from accelerator_course.views.design import Paper
from accelerator_lib import design, hardware
from accelerator_lib.design import explore
from accelerator_lib.design.machine import assumed

TEACHING = (Path(__file__).parents[2] / "notebooks" / "TEACHING.md").read_text(encoding="utf-8")
OPENING = (128, 12, 64, 8, 2.4e9, 300e9)  # where the panel begins
GOOD = (256, 3, 128, 2, 2.0e9, 300e9)  # in brief 2


def judged(seed, *knobs, **more):
    return capstone.judge(seed, league.brief(seed).design(*knobs), **more)


@pytest.mark.parametrize("seed", range(1, 31))
def test_the_opening_breaks_three_limits_and_what_keeping_one_costs_is_known(seed):
    found = judged(seed, *OPENING)
    assert {"memory stacks", "power", "rent"} <= {limit.limit for limit in found.broken}
    assert set(found.brief.costs) <= {limit.limit for limit in found.limits} and max(found.brief.costs.values()) > 0.02


def test_briefs_are_equally_hard_and_begin_far_from_their_best():
    found = {seed: briefs.open_to(seed)[1] for seed in range(1, 31)}
    assert all(600 <= whole.legal <= 1060 for whole in found.values())  # of 100,800
    tops = [tuple(getattr(whole.best(), knob) for knob in KNOBS) for whole in found.values()]
    assert len(set(tops)) >= 25
    assert all(sum(a != b for a, b in zip(top, OPENING, strict=True)) >= 3 for top in tops)  # knobs to move
    assert len({str(league.brief(seed).mix.items()) for seed in found}) == 30


@pytest.mark.parametrize("seed", [2, 16, 29])
def test_best_and_costs_are_found_anew_on_a_second_road(seed):
    """The file was made by arrays of designs; here the best of them alone, and a few others, one by one."""
    one = league.brief(seed)
    value, held, places, _ = made.rated(one)
    assert made.costs(value, held) == (one.best, one.costs)
    legal = np.flatnonzero(np.logical_and.reduce(list(held.values())))
    assert 0.14 <= np.mean(value[legal] * briefs.bar(one) > one.best) <= 0.22
    for at in (legal[value[legal].argmax()], *legal[:: len(legal) // 20]):
        mine = briefs.open_to(one)[1].design(int(places[at]))
        assert not judged(seed, *(getattr(mine, knob) for knob in KNOBS)).broken
        assert min(briefs.values(one, mine).values()) == pytest.approx(value[at], abs=6e-4)


def test_watts_are_a_datasheets_and_the_bar_is_the_models_own_scatter():
    ratios = [hardware.chip(id).tdp_w / design.score(id).watts for id in ("a100-80gb-sxm", "h100-sxm5", "b200")]
    assert briefs.tdp_factor() == pytest.approx(np.prod(ratios) ** (1 / 3)) == pytest.approx(1.479, abs=0.001)
    logs = np.log([p / m for _, p, m in design.validate()])
    assert briefs.bar(2) == pytest.approx(np.exp(logs.std() * np.sqrt(0.26))) == pytest.approx(1.166, abs=0.001)


def test_designs_are_judged():
    hidden, shown = judged(2, *GOOD), judged(2, *GOOD, frozen=True)
    assert hidden.legal and hidden.tied and not hidden.hole and len(hidden.front[0]) == 0 < len(shown.front[0])
    view = views.design.Capstone()
    assert "grid" not in view.say(hidden) and "a tie with the best in the grid" in view.say(shown)
    assert hidden.holds == min(hidden.values.values()) < hidden.found.value
    assert hidden.worst == "host in dollars: 10,000"
    moved = judged(2, *GOOD, guess=hidden.worst)
    assert moved.found.value == pytest.approx(hidden.holds, abs=6e-4) and moved.limits == hidden.limits
    assert league.from_token(hidden.token) == (league.brief(2), hidden.design)


def test_a_hole_is_called_one_wherever_it_appears():
    """In 3 nm no chip is published: those of 5 nm stand for it."""
    bold, found = 16, judged(16, 256, 3, 16, 2, 1.8e9, 300e9)
    assert found.found.value > 1.5 * max(dot.value for dot in capstone.real_dots(found.brief))
    texts = views.design.Capstone().say(found), str(league.report(bold, found.design)), str(league.rank([found.token]))
    assert all("hole" in text.lower() for text in texts) and not judged(2, *GOOD).hole


def test_the_chapter_does_not_print_the_best_design():
    """The capstone is a search: what the grid found is told by its value alone."""
    path = Path(__file__).parents[2] / "notebooks" / "13b_capstone.ipynb"
    told = r"token\((best|slow|found)\b|\b(best|slow|corners\[.*?\]|one)\.(arrays|edge|sram_mb|clock_hz)\b"
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        lines = [line for line in cell["source"] if not line.startswith("assert ")]
        if cell["id"] in ("capstone-seen", "capstone-jobs", "class"):
            assert not re.search(told, "".join(lines)) and not lines[-1].endswith(".best")


BEST_REPORTS = league.brief(2).design(*GOOD)
WILD = league.brief(2).design(16, 2000, 512, 3, 2.2e9, 1.8e12)


SMALL, LARGE = design.Design(1, 1, 1, 0, 1e9, 1e9), design.Design(4096, 10**6, 1e6, 64, 2e10, 1e14)


@pytest.mark.parametrize("mine", [BEST_REPORTS, WILD, SMALL, LARGE, design.Design(4096, 4, 1, 0, 1e7, 1e6)])
def test_neighbours_differ_in_one_knob(mine):
    for words, other in neighbours(mine):
        moved = {field.name for field in fields(mine) if getattr(mine, field.name) != getattr(other, field.name)}
        alone = "arrays", "sram_mb", "stacks", "clock_hz", "link_bytes_per_s"
        assert moved in ({"edge", "arrays"}, set(), *({name} for name in alone)), words


def test_reports_say_what_the_laws_say():
    found, worth = league.report(2, BEST_REPORTS), design.score(BEST_REPORTS, league.brief(2).mix)
    text = str(found)
    assert f"score {worth.score:.3f}, value {worth.value:.3f}" in text and league.token(2, BEST_REPORTS) in text
    assert "28 predictions are within a factor of 2" in text and "every job fits" in text and "it holds 0.959" in text
    assert found.smooth == explore.elasticities(BEST_REPORTS, True, league.brief(2).mix)
    for one in found.alternatives:
        assert one.value == min(briefs.values(2, one.design).values())
        assert one.gain == pytest.approx(one.value / found.judged.holds - 1)
    broken = [bool(one.broken) for one in found.alternatives]
    assert broken == sorted(broken) and not all(broken)
    reasons = {one.why.split(":")[0] for one in found.alternatives}
    assert reasons >= {"a tie for this model", "worth less", "breaks a limit"}
    assert "why not this one" in Alternative("moved", BEST_REPORTS, 1.5, 0.2, ()).why
    assert "BROKEN" in str(league.report(2, WILD))
    assert "training: does not fit" in str(league.report(2, replace(BEST_REPORTS, stacks=0)))


def test_the_page_loads_nothing_and_holds_everything():
    found, paper = league.report(2, WILD), Paper()
    page = paper.page(found)
    assert "<svg" in page and found.token in page and "</html>" in page
    assert page.count("http") == page.count("http://www.w3.org/2000/svg")
    assert "src=" not in page and "<script" not in page
    for heading, rows in found.sections:
        assert heading.split(" (")[0] in page and len(rows) > 0
    pdf = paper.pdf(found)
    assert pdf.startswith(b"%PDF") and b"/Count 1" in pdf and len(pdf) < 300_000


def test_the_sample_reports_say_what_the_model_says():
    mine, rival = (league.from_token(token)[1] for token in re.findall(r"`(CHIP2-\S+)`", TEACHING)[:2])
    lead = judged(2, *GOOD).holds / min(briefs.values(2, rival).values())
    assert mine == BEST_REPORTS and f"by {lead - 1:.0%}" in TEACHING
    reached = [design.score(mine, league.brief(2).mix, assumed()._replace(clocked=at)).value for at in (0.75, 0.57)]
    other = design.score(rival, league.brief(2).mix).value
    assert other < reached[0] < briefs.bar(2) * other and reached[1] < other and "below 0.58" in TEACHING
