"""The path through a chapter: one question, a guess in the first minute, a core of 45 minutes that stands alone, short conclusions."""

import re

import layout
import minutes
import pytest

from accelerator_course import syllabus
from accelerator_course.quiz import bank, draw

KNOWN = syllabus.chapters()
WRITTEN = [topic for topic in KNOWN if (minutes.NOTEBOOKS / f"{KNOWN[topic]['name']}.ipynb").exists()]
ANSWERED = [t for t in WRITTEN if any(cell["id"] == "answer" for cell, _, _ in minutes.cells(KNOWN[t]["name"]))]
WALKED = pytest.mark.parametrize("topic", ANSWERED or [pytest.param(None, marks=pytest.mark.skip)])
NUMBER = re.compile(r"(?<![\w.])\d[\d.,]*")
TERM = r"(?<![\w-]){}s?(?![\w-])"
AFTER = {"objectives", "glossary", "title"}  # may name a term that is taught elsewhere in the chapter


def cells(topic):
    """[(id, kind, source, whether it is deeper)] of a chapter."""
    found = minutes.cells(KNOWN[topic]["name"])
    return [(cell["id"], cell["cell_type"], source, deeper) for cell, source, deeper in found]


def prose(topic):
    """[(id, words seen, whether it is deeper)] of a chapter."""
    return [(id, minutes.seen(kind, source), deeper) for id, kind, source, deeper in cells(topic)]


def test_the_minutes_are_those_that_are_counted():
    assert minutes.FILE.read_text(encoding="utf-8") == minutes.table(), "run  make readme"


@WALKED
def test_a_core_takes_three_quarters_of_an_hour_and_a_guess_stands_within_ninety_words(topic):
    """And no code that is seen is cut at the right."""
    core, deeper = minutes.counted(KNOWN[topic]["name"])
    assert 25 <= core.minutes <= 45 and deeper.minutes <= 40, (core, deeper)
    for cell, source, _ in minutes.cells(KNOWN[topic]["name"]):
        if cell["cell_type"] == "code" and not cell["metadata"].get("jupyter", {}).get("source_hidden"):
            assert max(map(len, source.splitlines())) <= 110, cell["id"]
    before = []
    for id, kind, source, _ in cells(topic):
        if kind == "code" and "predict(" in source:
            break
        before += [] if id == "run" else re.sub(layout.MINUTES, "", minutes.seen(kind, source), flags=re.M).split()
    else:
        raise AssertionError("no guess")
    assert len(before) <= 90 + len(KNOWN[topic]["title"].split()) + 3, len(before)


@WALKED
def test_conclusions_sections_and_the_answer_are_short(topic):
    words, head = {}, ""
    for id, text, deeper in prose(topic):
        if "What you saw" in text:
            said = text.split("\n|")[0]
            assert len(said.split()) <= 60 and len(NUMBER.findall(said)) <= 3, (id, said)
        match = re.match(r"#+ (.*)", text)
        head = match[1] if match else head
        if not deeper and re.match(r"\d+b?\.\d ", head):
            words[head] = words.get(head, 0) + len(text.split())
        assert id != "answer" or len(text.replace("## The answer", "").split()) <= 60, text
    assert max(words.values()) <= 650, words


ENDS = ("## The answer", "## Quiz", "## Exercise", "## Exercises", "## Deeper", "## Glossary")


@WALKED
def test_sections_are_numbered_in_order_and_what_is_deeper_comes_last(topic):
    label, found = KNOWN[topic]["label"], cells(topic)
    heads = [(s.splitlines()[0], deeper) for _, kind, s, deeper in found if kind == "markdown" and s[:1] == "#"]
    core = [head for head, _ in heads if re.match(rf"##+ {label}\.\d", head)]
    more = [head for head, _ in heads if re.match(rf"##+ {label}\.D\d", head)]
    first = int(re.match(rf"## {label}\.(\d)", core[0])[1])
    assert first in (1, 2)  # the cover may be the first
    numbers = [re.match(r"(#+ \S+) ·", head)[1] for head in (*core, *more)]
    assert numbers[: len(core)] == [f"## {label}.{n}" for n in range(first, first + len(core))]
    assert numbers[len(core) :] == [f"### {label}.D{n + 1}" for n in range(len(more))]
    assert all(deeper == (head in more or head == "## Deeper") for head, deeper in heads if head.startswith("##"))
    order = [head for head, _ in heads if head in ENDS]
    assert order[0] == "## The answer" and order[-1] == "## Glossary" and (not more or order[-2] == "## Deeper")
    text = "\n".join(source for _, _, source, _ in found)
    assert "◇" not in text and not re.search(r"\b(?:Ex|St)\d+\.\d", text)


@WALKED
def test_no_question_and_no_belief_needs_what_is_deeper(topic):
    code = "\n".join(source for _, kind, source, deeper in cells(topic) if kind == "code" and not deeper)
    core = set(re.findall(r'\bid="([a-z0-9-]+)"', code))
    assert not [item["id"] for item in bank.items(topic) if item["see"].partition("#")[2] not in core]


@WALKED
def test_a_term_is_defined_where_it_first_stands(topic):
    """Bold in the cell that first uses it: a term of the glossary, by its first name."""
    every = prose(topic)
    found = [(id, text) for id, text, _ in every if id not in AFTER]
    cover = next(text for id, text, _ in every if id == "title")
    glossary = next(source for id, _, source, _ in cells(topic) if id == "glossary")
    for names in re.findall(r"^\| ([^|]+?) \|", glossary, re.M):
        name = re.sub(r"[*`]", "", re.split(r", | \(", names)[0]).strip()
        on_cover = re.search(rf"\*\*{re.escape(name)}s?\*\*", cover, re.I)
        if name == "term" or set(name) <= {"-"} or on_cover:
            continue
        used = [(id, text) for id, text in found if re.search(TERM.format(re.escape(name)), text, re.I)]
        assert used, f"{name}: in the glossary, and never used"
        id, text = used[0]
        assert re.search(rf"\*\*[^*]*{re.escape(name)}[^*]*\*\*", text, re.I), (
            f"{name}: not bold where first used, in {id}"
        )


@WALKED
def test_questions_that_are_drawn_fall_on_both_sides(topic):
    drawn = [item for item in bank.load(topic).get("quick", ()) if item.get("params")]
    assert len(drawn) >= 3, "a transfer draws new numbers"
    for item in drawn:
        if "outcome" in item:
            found = [draw.outcome(item, seed) for seed in range(500)]
            shares = {one: found.count(one) / len(found) for one in found}
            assert len(shares) > 1 and min(shares.values()) >= 0.2, (item["id"], shares)
