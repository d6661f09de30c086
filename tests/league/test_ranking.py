"""The table of a class: every design is evaluated anew, whatever its line says."""

from dataclasses import replace

import pytest

from accelerator_course import league
from accelerator_course.league import ranking
from accelerator_lib import design

BEST = design.Design(256, 6, 64, 6, 2.4e9, 300e9, node=5)
GOOD = replace(BEST, clock_hz=2.0e9)  # within 10 % of it
POOR = replace(BEST, clock_hz=1.0e9, stacks=4, arrays=6)


def line(mine, before=""):
    return f"{before} {league.token(mine)}"


def test_places_follow_values_and_ties_share_one():
    table = league.rank([line(POOR), line(GOOD, "blue group"), line(BEST)])
    values = [design.score(mine).value for mine in (GOOD, BEST, POOR)]
    assert values[1] > values[0] > 0.9 * values[1] > 0.9 * values[2]
    assert [one.value for one in table.places] == pytest.approx(values)
    assert [(one.place, one.tied) for one in table.places] == [(1, True), (1, True), (3, False)]
    assert table.places[0].names == ("blue group",)  # the order of the lines, not of values and not table.refused
    text = str(table)
    assert "   1=" in text and "   3 " in text and "cannot" not in text and "blue group" in text
    assert "within 10% of the best" in text and "what their pages defend" in text


def test_what_the_panel_does_not_offer_is_refused_with_what_it_allows():
    odd = design.Design(256, 12, 89, 8, 1.727e9, 397e9, 5, "bf16", 4)
    refused = league.rank([line(odd)]).refused[1]
    assert "dies = 4, allowed 1" in refused and "clock_hz = 1.727e+09, allowed 0.5 to 2.5 GHz" in refused
    for moved in ({"edge": 200}, {"arrays": 2049}, {"sram_mb": 7}, {"sram_mb": 64.5}, {"stacks": 9}, {"clock_hz": 2.6e9},
                  {"clock_hz": 2.45e9}, {"link_bytes_per_s": 49e9}, {"dtype": "int8"}, {"dies": 2}):  # fmt: skip
        refused = league.rank([line(replace(BEST, **moved))]).refused[1]
        assert refused.startswith("not offered by the panel: ") and f"{next(iter(moved))} = " in refused
        assert "allowed" in refused and "\n" not in refused and ";" not in refused
    assert league.rank([line(replace(BEST, clock_hz=2.3 * 1e9))]).places  # 2299999999.9999995, as the panel makes it


def test_the_same_design_is_one_place_with_all_its_lines():
    table = league.rank(f"\n# our class\n{line(BEST, 'a')}\n\n{line(BEST, 'b')}\n{line(BEST, 'a')}")
    assert [(one.lines, one.names) for one in table.places] == [((3, 5, 6), ("a", "b"))]


def test_claims_are_not_believed():
    honest = league.rank([line(BEST)]).places[0]
    boast = league.rank([line(BEST, "score=99 value=99 place=1")]).places[0]
    assert (boast.score, boast.value, boast.watts) == (honest.score, honest.value, honest.watts)
    refused = league.rank([f"{league.token(BEST)} score=99"]).refused
    assert "nothing may follow a token" in refused[1]


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        (replace(BEST, arrays=20), "die: 2,"),
        (replace(BEST, stacks=8), "memory stacks: 8"),
        (replace(BEST, link_bytes_per_s=1.8e12), "links: 1,800 GB/s, at most 900"),
        (replace(BEST, stacks=0), "training"),
    ],
)
def test_designs_outside_the_brief_are_refused_with_the_limit(mine, words):
    table = league.rank([line(BEST), line(mine)])
    assert len(table.places) == 1 and "outside the brief" in table.refused[2] and words in table.refused[2]


def test_a_tighter_brief_refuses_more():
    assert "power: 635.8 W, at most 300" in league.rank([line(BEST)], watts=300).refused[1]
    assert league.rank([line(replace(BEST, clock_hz=1.0e9))], watts=300).places


def test_bad_lines_cost_only_themselves_and_name_their_number():
    text = "\n".join(["hello", line(BEST), line(BEST)[:-1] + "x", f"{line(BEST)} {line(GOOD)}", "x" * 5000])
    table = league.rank(text)
    assert set(table.refused) == {1, 3, 4, 5} and [one.lines for one in table.places] == [(2,)]
    assert "2 tokens" in table.refused[4] and "at most 400 letters" in table.refused[5]
    assert all("\n" not in reason for reason in table.refused.values())


def test_a_flood_ends_somewhere_and_is_told_shortly(monkeypatch):
    monkeypatch.setattr(ranking, "MOST_LINES", 50)
    monkeypatch.setattr(ranking, "MOST_DESIGNS", 3)

    def flood():
        while True:
            yield "spam"

    table = league.rank(flood())
    assert len(table.refused) == 51 and "only the first 50 lines" in table.refused[51]
    assert len(str(table).splitlines()) < 30 and "31 further lines refused" in str(table)
    many = league.rank([line(replace(BEST, sram_mb=64 - i)) for i in range(10)])
    assert len(many.places) == 3 and len(many.refused) == 7 and "first 3 designs" in many.refused[4]


def test_signs_that_could_do_harm_on_a_screen_are_taken_out():
    table = league.rank(["\x1b[2J\x07evil\u202e " + league.token(BEST)])
    assert table.places[0].names == ("[2J evil",) and "\x1b" not in str(table)


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(TypeError, match="lines of text"):
        league.rank(3)
    with pytest.raises(TypeError, match="line 1 must be text, not int"):
        league.rank([1])
    with pytest.raises(ValueError, match="watts"):
        league.rank([], watts=0)
    assert str(league.rank([])) == "no design keeps within the brief"
