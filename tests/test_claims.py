"""Every sentence of a chapter held true (claims.py): in its kernel where its notebook runs too (sweep_plugin.py)."""

import re
from unittest.mock import patch
from urllib.parse import unquote

import filled
import nbformat
import pytest
from before import given_away, section
from claims import chapter
from numerals import agrees, numerals
from played import TOPICS

from accelerator_course.quiz import bank
from accelerator_course.views.stage import still
from accelerator_course.widgets import tasks
from accelerator_course.widgets.workshop import Workshop


@pytest.fixture(params=TOPICS, scope="module")
def read(request):
    return chapter(request.param)


@pytest.mark.parametrize("asked", ["unclaimed", "instructions", "unfounded", "unreachable"])
def test_nothing_is_missing(read, asked):
    """Every number has a claim, every instruction was followed, what every line below a panel shows is held, and “What you
    saw” names settings that the controls offer."""
    missing = getattr(read, asked)()
    assert not missing, "\n".join(map(str, missing))


def test_every_claim_holds(read):
    every = [(where, claim) for where, claims in read.claims.items() if where != "invariants" for claim in claims]
    found = [(f"{where}: “{claim.get('says', '')}”", read.wrong(where, claim)) for where, claim in every]
    wrong = [f"{said}: {reason}" for said, reason in found if reason]
    assert not wrong, "\n".join(wrong)


def test_what_a_notebook_concludes_is_what_the_library_computes(read):
    """`make notebooks` writes it."""
    said = {cell.id: cell.source for cell in nbformat.read(read.path, as_version=4).cells}
    drifted = [id for id in filled.codes(read.topic) if said[id] != read.outputs[id]]
    assert not drifted, "\n".join(f"{id}:\n  - {said[id]}\n  + {read.outputs[id]}" for id in drifted)
    assert not (found := given_away(read)), "\n".join(found)  # no question is answered by what its reader has seen


def test_what_refutes_a_belief_stands_at_the_panel_to_which_it_leads(read):
    for entry in bank.misconceptions().values():
        book, _, panel = entry["panel"].partition("#")
        if book == read.path.stem:
            there, stated = numerals(section(read, panel)), numerals(entry["seen"])
            loose = [one[2] for one in stated if not any(agrees(one, n[2] * n[4]) for n in there)]
            assert stated and not loose, f"{loose} do not stand at {entry['panel']}"


def test_a_question_inside_a_chapter_is_not_in_its_quiz(read):
    asked = {entry["id"] for entry in bank.load(read.topic).get("quick", ())}
    shown = {id for cell in read.cells.values() for id in re.findall(r'quick_check\("([^"]+)"', cell.source)}
    assert shown == asked and not asked & {entry["id"] for entry in bank.load(read.topic)["quiz"]}, shown ^ asked


def test_nothing_lies_beyond_its_bound(read):
    """For every setting that the sweep tries."""
    found = [(one["panel"], read.beyond(one["panel"], one["holds"])) for one in read.claims.get("invariants", ())]
    assert not any(reason for _, reason in found), found


def test_every_panel_with_an_instruction_has_lines_of_which_only_the_first_may_be_where_it_begins(read):
    asked = {c["panel"] for cell, claims in read.claims.items() if cell != "invariants" for c in claims if "panel" in c}
    for id, one in read.panels.items():
        told = (one.controls or one.plays) and not isinstance(one, Workshop)
        states = [(read.reached(id, **line.set)[1], line.at) for line in tasks.of(id)]
        assert states or id not in asked or not told, id
        assert all(states.count(state) == 1 for state in states) and (one.defaults, None) not in states[1:], id


@pytest.mark.usefixtures("home")
def test_each_line_is_ticked_by_its_press_and_by_the_same_moves(read):
    for id, one in read.panels.items():
        lines, shown = tasks.of(id), one.tasks
        if not lines or isinstance(one, Workshop):
            continue
        assert shown is not None, f"{id} does not offer what its lines ask for"
        for place, line in enumerate(lines):
            shown.done = [False] * len(lines)
            shown.press(place)
            assert [at for at, done in enumerate(shown.done) if done] == [place], f"{id}: {line.says}"
            there, at = one.values, getattr(one, "position", 0)
            one.reset()
            shown.done = [False] * len(lines)
            one._quiet = True  # the hand arrives when the last control stands there
            for name, value in there.items():
                one.controls[name].value = value
            one._quiet = False
            one.refresh()
            if one.plays:
                run = one.finish()  # what times this machine may take another number of steps
                run.position = len(one.states) - 1 if line.at == "end" else at
            one.touched()
            assert shown.done[place], f"{id}: {line.says}"
        one.reset()


@pytest.mark.usefixtures("home")
def test_no_first_frame_of_a_chapter_gives_its_answer_away(read):
    for one, card in ((veil, card) for veil in read.veils for card in veil.cards):
        one.wait(card)
        frame, show = one.panel.values, card.entry["show"]
        bare, told = getattr(one.panel.picture.view, "blind", False), drawn(one.panel)
        truth = card.offered(None)[card.right]["text"]
        stands = re.compile(rf"(?<![\d.,]){re.escape(truth)}(?![\d.,])")
        assert not re.search(r"\d", truth) or not any(map(stands.search, told)), card.entry["id"]
        one._set(show["values"])
        later = one.panel.plays and show.get("state", len(one.panel.states) - 1) > 0
        assert bare or later or frame != one.panel.values, f"{card.entry['id']} waits at its answer"
        one.panel.reset()


FURNITURE = re.compile("ticks|grid|axes|zero|frame|foot|key|words|names|lettered")  # there whatever is shown
BUILT = "dot"  # its reader draws it, part by part, onto empty axes


def test_no_picture_opens_with_fewer_than_five_informative_marks_and_phrases_light_marks_that_are_there(read):
    last, pictures = None, {id: one.picture.view for id, one in read.panels.items() if hasattr(one.picture, "view")}
    for id, view in pictures.items():
        with patch.object(view, "blind", False, create=True):  # as it is when the guess is made
            layers = [each for each in view.marks(read.panels[id].picture.states[0]) if not FURNITURE.search(each.name)]
        assert sum(map(len, layers)) >= 5 or id == BUILT, f"{id} opens with {[each.name for each in layers]}"
    for cell in read.cells.values():
        last = next((id for id in pictures if f'id="{id}"' in cell.source), last)
        for name in re.findall(r"\(#lit-([^)]+)\)", cell.source):
            states = read.panels[last].picture.states
            assert unquote(name) in {each.name for at in (0, -1) for each in pictures[last].marks(states[at])}, name


def drawn(panel):
    """All words in the picture that a panel waits at, but the numbers of its axes."""
    marks = still.rows(panel.picture.view.marks(panel.picture.states[0]))
    return [str(mark["text"]) for _, mark in marks if "muted" not in mark["role"]]


NUMERALS = {
    "In chapter 3 and Ex5.2 an H100 of 2022 runs fp16 on ResNet-50 with PCIe 5.": [],
    "a cache of 40 MiB, 0.4 to 0.8 TB/s, 18x, 1/32": [40, 2**20, 0.4, 1e12, 0.8, 1e12, 18, 1, 1 / 32, 1],
    "4,096³ on 128 × 128: 97 % busy": [4096, 1, 128, 1, 128, 1, 97, 0.01],
    "1. first\n2. second, `x = 3`, $2 + 2$": [],
    "10⁹ bytes, 7 billion parameters": [1e9, 1, 7, 1e9],
}


@pytest.mark.parametrize("text", NUMERALS)
def test_numerals_are_told_from_names(text):
    stated = [part for _, _, value, _, scale in numerals(text) for part in (value, scale)]
    assert stated == pytest.approx(NUMERALS[text])


def test_a_number_agrees_to_the_digits_that_are_shown():
    (percent,) = numerals("24.8 %")
    assert agrees(percent, 0.2484) and agrees(percent, 24.82) and not agrees(percent, 0.2493)
    (rate,) = numerals("3.35 TB/s")
    assert agrees(rate, 3.352e12) and not agrees(rate, 3.37e12) and agrees(rate, 3.37e12, within=0.01)
