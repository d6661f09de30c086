"""Every sentence true, and held true: numbers, instructions and observations of all chapters (claims.py)."""

import re

import filled
import nbformat
import pytest
from before import given_away, section
from claims import chapter
from numerals import agrees, numerals
from played import NOTEBOOKS

from accelerator_course import syllabus
from accelerator_course.quiz import bank

TOPICS = [topic for topic, entry in syllabus.chapters().items() if (NOTEBOOKS / f"{entry['name']}.ipynb").exists()]


@pytest.fixture(params=TOPICS, scope="module")
def read(request):
    return chapter(request.param)


def test_every_number_has_a_claim(read):
    missing = read.unclaimed()
    assert not missing, f"{len(missing)} numbers are not bound to a computation:\n" + "\n".join(missing)


def test_every_claim_holds(read):
    wrong = []
    for where, claims in read.claims.items():
        for claim in claims if where != "invariants" else ():
            reason = read.wrong(where, claim)
            if reason:
                wrong.append(f"{where}: “{claim.get('says', '')}”: {reason}")
    assert not wrong, "\n".join(wrong)


def test_what_a_notebook_concludes_is_what_the_library_computes(read):
    """`make notebooks` writes it."""
    said = {cell.id: cell.source for cell in nbformat.read(read.path, as_version=4).cells}
    drifted = [id for id in filled.codes(read.topic) if said[id] != read.outputs[id]]
    assert not drifted, "\n".join(f"{id}:\n  - {said[id]}\n  + {read.outputs[id]}" for id in drifted)


def test_every_instruction_was_followed(read):
    missing = read.instructions()
    assert not missing, "\n".join(f"{where}: *{text}*" for where, text in missing)


def test_what_every_line_below_a_panel_shows_is_held(read):
    missing = read.unfounded()
    assert not missing, "\n".join(missing)


def test_what_was_seen_can_be_seen(read):
    """“What you saw” names settings that the controls offer."""
    assert read.unreachable() == []


def test_no_question_is_answered_by_what_its_reader_has_seen(read):
    found = given_away(read)
    assert not found, "\n".join(found)


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
    assert shown == asked and not asked & {entry["id"] for entry in bank.load(read.topic)["quiz"]}


def test_nothing_lies_beyond_its_bound(read):
    """For every setting that the sweep tries."""
    wrong = [
        f"{entry['panel']}: {reason}"
        for entry in read.claims.get("invariants", ())
        if (reason := read.beyond(entry["panel"], entry["holds"]))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("In chapter 3 and Ex5.2 an H100 of 2022 runs fp16 on ResNet-50 with PCIe 5.", []),
        (
            "a cache of 40 MiB, 0.4 to 0.8 TB/s, 18x, 1/32",
            [(40, 2**20), (0.4, 1e12), (0.8, 1e12), (18, 1), (1 / 32, 1)],
        ),
        ("4,096³ on 128 × 128: 97 % busy", [(4096, 1), (128, 1), (128, 1), (97, 0.01)]),
        ("1. first\n2. second, `x = 3`, $2 + 2$", []),
        ("10⁹ bytes, 7 billion parameters", [(1e9, 1), (7, 1e9)]),
    ],
)
def test_numerals_are_told_from_names(text, found):
    stated = [part for _, _, value, _, scale in numerals(text) for part in (value, scale)]
    assert stated == pytest.approx([part for pair in found for part in pair])


def test_a_number_agrees_to_the_digits_that_are_shown():
    (percent,) = numerals("24.8 %")
    assert agrees(percent, 0.2484) and agrees(percent, 24.82) and not agrees(percent, 0.2493)
    (rate,) = numerals("3.35 TB/s")
    assert agrees(rate, 3.352e12) and not agrees(rate, 3.37e12) and agrees(rate, 3.37e12, within=0.01)
