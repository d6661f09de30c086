"""All that is said of one design."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from accelerator_course import league, views
from accelerator_course.league import capstone
from accelerator_lib import design
from accelerator_lib.design import explore

MINE = design.Design(128, 20, 128, 6, 1.5e9, 300e9)
BEST = design.Design(256, 6, 64, 6, 2.4e9, 300e9)


def test_the_best_of_the_grid_is_all_of_it():
    found = capstone.judge(BEST)
    assert found.legal and found.share == pytest.approx(1) and not found.hole and not found.serves
    assert found.found == design.score(BEST) and league.from_token(found.token) == BEST
    assert 0.85 < capstone.judge(MINE).share < 1


def test_broken_limits_are_those_of_the_rules():
    large = replace(BEST, arrays=20, link_bytes_per_s=1.8e12)
    found = capstone.judge(large, watts=300)
    assert found.broken == design.violations(large, 300) and not found.legal
    assert {limit.limit for limit in found.broken} >= {"die", "links", "power"}


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
    values = {dot.name.split()[0]: dot.value for dot in capstone.real_dots()}
    assert {name: round(value, 2) for name, value in values.items()} == {
        "A100": 0.56, "H100": 1.0, "B200": 1.23, "TPU": 0.48
    }  # fmt: skip
    assert all(sum(dot.shares) == pytest.approx(1) for dot in capstone.real_dots("vision"))


def test_more_than_half_above_an_h100_is_a_hole():
    assert capstone.judge(explore.grid(mix={"training": 1}).best(), "training").hole
    assert not capstone.judge(MINE).hole


@pytest.mark.parametrize("node", [7, 5])
@pytest.mark.parametrize("dtype", ["bf16", "fp8", "int8"])
def test_the_best_of_the_grid_is_meant_in_the_same_format_and_node(node, dtype):
    best = explore.grid(node=node, dtype=dtype).best()
    assert best.dtype == dtype and capstone.judge(best).share == pytest.approx(1)


def test_where_nothing_is_legal_there_is_no_share():
    found = capstone.judge(MINE, watts=20)
    assert found.best_value == found.share == 0 and len(found.front[0]) == 0
    assert not capstone.judge(MINE, watts=20, serves="vision").overfitted


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(ValueError, match="no design of one's own"):
        capstone.judge("h100-sxm5")
    with pytest.raises(KeyError, match="did you mean 'decode'"):
        capstone.judge(MINE, "decoding")


def test_what_ties_with_the_best_of_the_grid_is_told_as_a_tie():
    start, slow = (capstone.judge(design.Design(128, 20, 128, 6, clock, 300e9)) for clock in (1.5e9, 0.8e9))
    assert start.tied and not slow.tied and capstone.TIE == views.design.edges.TIE
    for judged, words in ((start, "a tie with the best in the grid"), (slow, "of the best in the grid")):
        assert words in views.design.Capstone().say(judged) and words in str(league.reports.of(judged))
        assert ("%" in views.design.Capstone().say(judged)) == (not judged.tied)


def test_the_chapter_does_not_print_the_best_design():
    """The capstone is a search: what the grid found is told by its value alone."""
    path = Path(__file__).parents[2] / "notebooks" / "13_design.ipynb"
    told = r"token\((best|slow|found)\b|\b(best|slow|corners\[.*?\]|one)\.(arrays|edge|sram_mb|clock_hz)\b"
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        lines = [line for line in cell["source"] if not line.startswith("assert ")]
        if cell["id"] in ("front-count", "many", "many-seen", "capstone-seen", "class"):
            assert not re.search(told, "".join(lines)) and not lines[-1].endswith(".best")
