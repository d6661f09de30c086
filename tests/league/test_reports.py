"""The report: every number of it is what the laws say, every neighbour is one knob away."""

from dataclasses import fields, replace

import pytest

from accelerator_course import league
from accelerator_course.league.reports import Alternative, neighbours
from accelerator_course.views.design import Paper
from accelerator_lib import design
from accelerator_lib.design import explore

BEST = design.Design(256, 6, 64, 6, 2.4e9, 300e9, node=5)
WILD = design.Design(16, 2000, 512, 3, 2.2e9, 1.8e12, node=7)


def test_it_says_what_the_laws_say():
    found = league.report(BEST)
    text, worth = str(found), design.score(BEST)
    assert f"score {worth.score:.3f}, value {worth.value:.3f}" in text and league.token(BEST) in text
    assert "28 predictions are within a factor of 2" in text and "every job fits" in text
    assert found.smooth == explore.elasticities(BEST) and found.steps == explore.stepped(BEST)
    for one in found.alternatives:
        assert one.value == design.score(one.design).value
        assert one.broken == design.violations(one.design)
        assert one.gain == pytest.approx(one.value / worth.value - 1)


def test_legal_neighbours_come_first_and_the_best_of_the_grid_has_no_better_one():
    found = league.report(BEST).alternatives
    broken = [bool(one.broken) for one in found]
    assert broken == sorted(broken) and not all(broken)
    assert all(one.gain < 0.1 for one in found if not one.broken)
    assert {one.why.split(":")[0] for one in found} >= {"a tie for this model", "worth less", "breaks a limit"}


def test_a_neighbour_that_is_better_is_asked_about():
    assert "why not this one" in Alternative("moved", BEST, 1.5, 0.2, ()).why


@pytest.mark.parametrize(
    "mine",
    [
        BEST,
        WILD,
        design.Design(1, 1, 1, 0, 1e9, 1e9),
        design.Design(4096, 10**6, 1e6, 64, 2e10, 1e14),
        design.Design(4096, 4, 1, 0, 1e7, 1e6),
    ],
)
def test_neighbours_differ_in_one_knob(mine):
    for words, other in neighbours(mine):
        moved = {field.name for field in fields(mine) if getattr(mine, field.name) != getattr(other, field.name)}
        assert moved in ({"edge", "arrays"}, *({name} for name in ("arrays", "sram_mb", "stacks", "clock_hz", "node")),
                         {"link_bytes_per_s"}, set()), words  # fmt: skip


def test_a_broken_limit_is_called_so():
    text = str(league.report(WILD, "decode", 300.0))
    assert "BROKEN" in text and "on decode" in text
    none = str(league.report(replace(BEST, stacks=0)))
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


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(KeyError, match="mix 'all' is unknown"):
        league.report(BEST, "all")
    with pytest.raises(ValueError, match="no design of one's own"):
        league.report("b200")
