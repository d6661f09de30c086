"""What is shown as the right answer, typed back, is right: wherever an answer appears, for every item, in 20 draws."""

import csv
import io
import json
import re
import zipfile
from html import unescape
from xml.etree import ElementTree

import pytest

from accelerator_course.pages.book import ask
from accelerator_course.quiz import bank, draw, export, grade, marks, quantity, sheet
from accelerator_course.quiz.markdown import words
from accelerator_course.widgets.item import Item
from accelerator_course.widgets.lecture import Lecture

SEEDS = range(20)
PAIRS = [(topic, item) for topic in bank.topics() for item in bank.items(topic)]


def params(pairs):
    return pytest.mark.parametrize("topic, item", [pytest.param(*pair, id=pair[1]["id"]) for pair in pairs])


NUMBERS = [pair for pair in PAIRS if pair[1]["type"] == "numeric"]
NUMBER = r"[\d,]*\d(?:\.\d+)?"
BASE = re.compile(r"_(pj|fj|nj|us|ms|ns|mm2|gb|kb|mw|kw|pct)$")


def right(q, text):
    """Whether a text such as 11.3 µs, its number and its unit entered in their fields, is graded as right."""
    value, _, unit = text.strip().partition(" ")
    return (unit or "ones") in q.units and grade.numeric(q, value, unit or "ones").right


def first(q, page):
    """The first number with its unit of a piece of HTML."""
    unit = "" if q.units == ("ones",) else r" [\w/µ%]+"  # a pure number has none
    return re.search(NUMBER + unit, unescape(re.sub("<[^>]*>", " ", page)))[0]


@params(NUMBERS)
def test_an_answer_that_is_shown_can_be_typed(topic, item):
    """In base units, too: a function that says in its name that it gives picojoules is no key."""
    assert not any(BASE.search(key["call"]) for key in (item["answer"], *item.get("mistakes", ())))
    for seed in SEEDS:
        q = draw.question(item, seed)
        told, pure = grade.shown(q), quantity.dimension(q.unit) in ("ratio", "count")
        assert right(q, told) and (pure or 0.01 <= float(told.split()[0].replace(",", "")) < 1e6), told
        for unit in q.units:  # a learner who has it in another unit is told the answer in that one, too
            closed = marks.marks(q, {"value": "1", "unit": unit})[-1].text
            assert all(right(q, part) for part in closed.split(" = ")), closed
        assert right(q, first(q, sheet.known(q)))
        answer = ask.question(q, "").partition("<summary>Answer</summary>")[2]
        assert right(q, first(q, answer)), answer


@params(NUMBERS)
def test_an_answer_that_is_asked_for_can_be_typed_in_the_quiz_and_in_the_hall(topic, item):
    for seed in SEEDS:
        q = draw.question(item, seed)
        asked = Item(topic, item, q, "", lambda: None)
        asked.widget.receive({"ask": "show"})
        assert right(q, first(q, asked.widget.feedback[0]["html"]))
        assert right(q, words(asked.widget.marks[-1]["html"]))
        hall = Lecture(topic, seed, [item])
        hall.receive({"go": "verdict"})
        assert right(hall.question, first(q, hall.reasons[0]["html"]))


@pytest.fixture(scope="module")
def found():
    """20 draws of every number that an export writes."""
    numbers = [pair for pair in NUMBERS if pair[1] in bank.load(pair[0])["quiz"]]
    banks = [{**bank.load(topic), "quiz": [item for of, item in numbers if of == topic]} for topic in bank.topics()]
    return export.variants(banks, "typed", len(SEEDS))


def numeric(found):
    return {v.name: v.question for v in found if v.question.type == "numeric"}


def test_a_key_of_every_export_typed_back_is_right(found):
    asked = numeric(found)
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(export.table(found)))}
    assert all(right(q, f"{rows[name]['answer']} {rows[name]['unit']}") for name, q in asked.items())
    tree = ElementTree.fromstring(export.WRITERS["moodle-xml"](found))
    for element in tree.iter("question"):
        q = asked.pop(element.findtext("name/text", ""), None)
        if q:
            units = {u.findtext("unit_name"): float(u.findtext("multiplier")) for u in element.iter("unit")}
            value = float(element.findtext("answer/text"))
            assert all(right(q, f"{value * size!r} {unit}") for unit, size in units.items()), units
    assert not asked


def test_a_key_of_gift_and_qti_is_right_in_the_unit_that_its_question_names(found):
    asked, text = numeric(found), export.WRITERS["gift"](found)
    for name, q in asked.items():
        block = text.partition(f"::{name}::")[2].partition("\n\n")[0]
        unit, value = re.search(r"\(Answer in (.+?)\.\)", block)[1], re.search(r"^  =([^:#]+):", block, re.M)[1]
        assert right(q, f"{value} {unit}"), block
    pytest.importorskip("text2qti")
    with zipfile.ZipFile(io.BytesIO(export.WRITERS["qti"](found))) as archive:
        page = max((archive.read(name).decode() for name in archive.namelist()), key=len)
    names = dict.fromkeys(asked)
    for part in page.split("<item ")[1:]:
        name = unescape(re.search(r'title="([^"]*)"', part)[1])
        if name in names:
            unit, value = re.search(r"\(Answer in (.+?)\.\)", part)[1], re.search(r"<varequal[^>]*>([^<]+)<", part)
            assert right(asked.pop(name), f"{(value or re.search(r'<vargte[^>]*>([^<]+)<', part))[1]} {unit}")
    assert not asked


@params(PAIRS)
def test_whatever_is_shown_as_right_is_graded_as_right(topic, item):
    for seed in SEEDS:
        q = draw.question(item, seed)
        if q.type == "choice":
            assert grade.choice(q, [text for text, _ in q.options].index(grade.shown(q))).right
        elif q.type == "code":
            assert grade.code(q, grade.shown(q)).right
        elif q.type == "order":
            ranked = sorted(range(len(q.options)), key=lambda place: q.options[place][1])
            assert grade.order(q, ranked).right and grade.shown(q) == grade.in_order([q.options[p][0] for p in ranked])
        elif q.type == "match":
            assert grade.match(q, [q.targets.index(target) for _, target in q.options]).right
            assert json.dumps(grade.shown(q))
