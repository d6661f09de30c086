"""Designs as lines, ranked; the command."""

import io
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import league
from accelerator_course.league import __main__ as command
from accelerator_course.league import briefs, ranking
from accelerator_course.league.tokens import LONGEST, MARK

BRIEF = league.brief(2)
BEST = BRIEF.design(256, 3, 128, 2, 2.0e9, 300e9)
GOOD = replace(BEST, clock_hz=1.8e9)  # a tie with it
POOR = BRIEF.design(128, 10, 32, 2, 1.5e9, 100e9)


def line(mine, before=""):
    return f"{before} {league.token(BRIEF, mine)}"


def test_places_follow_what_designs_hold_and_ties_share_one():
    table = league.rank([line(POOR), line(GOOD, "blue group"), line(BEST)])
    holds = [min(briefs.values(BRIEF, mine).values()) for mine in (GOOD, BEST, POOR)]
    assert holds[1] > holds[0] > holds[1] / briefs.bar() > holds[2]
    assert [one.holds for one in table.places] == holds
    assert [(one.place, one.tied) for one in table.places] == [(1, True), (1, True), (3, False)]
    assert table.places[0].names == ("blue group",)  # the order of the lines, not of values and not table.refused
    text = str(table)
    assert "   1=" in text and "   3 " in text and "blue group" in text and "the pages decide" in text


def test_a_copy_is_shown_and_unequal_briefs_have_unequal_tokens():
    table = league.rank([line(BEST, "a"), line(BEST, "b"), line(GOOD, "c")])
    assert [one.copied for one in table.places] == [True, False] and str(table).count("COPIES") == 1
    tokens = {league.token(seed, league.brief(seed).design(256, 3, 128, 2, 2e9, 3e11)) for seed in range(1, 31)}
    assert len(tokens) == 30


def test_what_the_panel_does_not_offer_is_refused_with_what_it_allows():
    refused = league.rank([line(BRIEF.design(256, 12, 89, 8, 1.727e9, 397e9))]).refused[1]
    assert "clock_hz = 1.727e+09, allowed 0.5 to 2.5 GHz" in refused
    odd = [("edge", 200), ("arrays", 2049), ("sram_mb", 7), ("sram_mb", 64.5), ("stacks", 9), ("clock_hz", 2.6e9)]
    for name, value in (*odd, ("clock_hz", 2.45e9), ("link_bytes_per_s", 49e9)):
        refused = league.rank([line(replace(BEST, **{name: value}))]).refused[1]
        assert refused.startswith(f"not offered by the panel: {name} = ") and "allowed" in refused
        assert "\n" not in refused and ";" not in refused
    assert league.rank([line(replace(BEST, clock_hz=1.1 * 1e9 + 0.7e9))]).places


OUTSIDE = {"arrays": (20, "die: 2,"), "stacks": (8, "memory stacks: 8"), "clock_hz": (2.4e9, "rent: ")}
OUTSIDE |= {"link_bytes_per_s": (1.8e12, "links: 1,800 GB/s, at most 900"), "edge": (128, "first token: ")}


@pytest.mark.parametrize("name", OUTSIDE)
def test_designs_outside_the_brief_are_refused_with_the_limit(name):
    value, words = OUTSIDE[name]
    table = league.rank([line(BEST), line(replace(BEST, **{name: value})), line(replace(BEST, stacks=0))])
    assert len(table.places) == 1 and "outside the brief" in table.refused[2] and words in table.refused[2]
    assert "training" in table.refused[3]


def test_a_flood_ends_somewhere_and_is_told_shortly(monkeypatch):
    monkeypatch.setattr(ranking, "MOST_LINES", 50)
    monkeypatch.setattr(ranking, "MOST_DESIGNS", 3)

    def flood():
        while True:
            yield "spam"

    table = league.rank(flood())
    assert len(table.refused) == 51 and "only the first 50 lines" in table.refused[51]
    assert len(str(table).splitlines()) < 30 and "31 further lines refused" in str(table)
    many = league.rank([line(replace(BEST, sram_mb=128 - i)) for i in range(10)])
    assert len(many.places) == 3 and len(many.refused) == 7 and "first 3 designs" in many.refused[4]


def test_lists_of_lines():
    table = league.rank(f"\n# our class\n{line(BEST, 'a')}\n\n{line(BEST, 'b')}\n{line(BEST, 'a')}")
    assert [(one.lines, one.names) for one in table.places] == [((3, 5, 6), ("a", "b"))]
    honest = league.rank([line(BEST)]).places[0]
    boast = league.rank([line(BEST, "score=99 value=99 place=1")]).places[0]
    assert (boast.share, boast.holds, boast.worst) == (honest.share, honest.holds, honest.worst)
    refused = league.rank([f"{line(BEST)} score=99"]).refused
    assert "nothing may follow a token" in refused[1]
    text = "\n".join(["hello", line(BEST), line(BEST)[:-1] + "x", f"{line(BEST)} {line(GOOD)}", "x" * 5000])
    table = league.rank(text)
    assert set(table.refused) == {1, 3, 4, 5} and [one.lines for one in table.places] == [(2,)]
    assert "2 tokens" in table.refused[4] and "at most 400 letters" in table.refused[5]
    assert all("\n" not in reason for reason in table.refused.values())
    table = league.rank(["\x1b[2J\x07evil\u202e " + line(BEST)])
    assert table.places[0].names == ("[2J evil",) and "\x1b" not in str(table)
    assert str(league.rank([])) == "no design keeps within its brief"


MINE = BRIEF.design(256, 7, 64, 6, 2.2e9, 300e9)
NUMBERS = st.floats(1, 1e6), st.integers(0, 64), st.floats(1e7, 2e10), st.floats(1e6, 1e14)
knobs = st.tuples(st.integers(1, 4096), st.integers(1, 10**6), *NUMBERS)


@given(st.integers(1, 30), knobs)
def test_a_design_comes_back_as_it_was(seed, knobs):
    mine = league.brief(seed).design(*knobs)
    line = league.token(seed, mine)
    brief, found = league.from_token(f"  {line}\n")
    assert (brief.seed, found) == (seed, mine) and len(line) <= LONGEST and line.startswith(MARK)
    assert line.startswith("CHIP2-") and not line.startswith("CHIP2-0")


@given(st.data())
@settings(max_examples=300)
def test_every_slip_of_a_finger_is_found(data):
    line = league.token(BRIEF, MINE)
    at = data.draw(st.integers(0, len(line) - 1))
    letter = data.draw(st.sampled_from([c for c in "0123456789abcdef_.-C" if c != line[at]]))
    swapped = line[:at] + line[at + 1 : at + 2] + line[at] + line[at + 2 :]
    for wrong in (line[:at] + letter + line[at + 1 :], line[:at] + line[at + 1 :], swapped):
        if wrong != line:
            with pytest.raises(ValueError) as error:
                league.from_token(wrong)
            assert "\n" not in str(error.value) and len(str(error.value)) < 250


LINE = f"green {league.token(BRIEF, BEST)}\n".encode()


def ran(content, *options, capsys):
    return command.main(["rank", *options], io.BytesIO(content)), capsys.readouterr()


def test_a_class_is_ranked(capsys):
    code, said = ran(b"\xef\xbb\xbf" + LINE + b"\xff\xfe not text\r\n", capsys=capsys)
    assert code == 0 and "green" in said.out and "line 2 refused" in said.out and " 0.96 " in said.out


def test_nothing_to_rank_is_an_exit_code(capsys):
    assert ran(b"", capsys=capsys)[0] == 1


def test_a_file_may_be_named_or_missing(tmp_path, capsys):
    file = tmp_path / "tokens.txt"
    file.write_bytes(LINE)
    assert command.main(["rank", str(file)]) == 0 and "green" in capsys.readouterr().out
    assert command.main(["rank", str(tmp_path / "none.txt")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_an_endless_line_and_an_endless_file_end(capsys, monkeypatch):
    monkeypatch.setattr(command, "MOST_BYTES", 10_000)

    class Endless(io.RawIOBase):
        def readline(self, size=-1):
            return b"x" * size

    assert command.main(["rank"], Endless()) == 1 and "no list of tokens" in capsys.readouterr().err
    code, said = ran(b"y" * 9_000 + b"\n" + LINE, capsys=capsys)
    assert code == 0 and "line 1 refused: a line has at most" in said.out and "line 2" not in said.out


def test_it_runs_as_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "accelerator_course.league", "rank"], input=LINE, capture_output=True, check=True
    )
    assert b"256" in run.stdout and not run.stderr


def test_it_answers_a_console_that_knows_ascii_alone_and_closes_what_it_opened(tmp_path):
    file = tmp_path / "tokens.txt"
    file.write_bytes(LINE + line(BRIEF.design(512, 40, 512, 8, 2.5e9, 1.8e12)).encode())
    command = [sys.executable, "-W", "error", "-m", "accelerator_course.league", "rank", str(file)]
    run = subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0 and b"3 x 256?" in run.stdout and b"mm?, at most" in run.stdout and not run.stderr
