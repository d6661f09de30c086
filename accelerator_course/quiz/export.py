"""Question banks for other systems: every item as concrete questions, each with its feedback."""

import csv
import io
import re
from dataclasses import dataclass

from accelerator_course import syllabus
from accelerator_course.quiz import bank, cards, draw, gift, grade, moodle, qti, quantity

HEADS = ["name", "chapter", "type", "question", "code", "choices", "targets", "answer", "unit", "tolerance", "hint"]
HEADS += ["why", "topic"]


@dataclass(frozen=True)
class Variant:
    """One concrete question. `name` is the item's id, with the number of its draw where it has numbers of its own."""

    name: str
    chapter: str  # such as "03_roofline"
    item: dict
    question: draw.Question


def variants(banks, seed, count):
    """Variants of banks (contents of question files), in their order; same seed, same questions."""
    found = []
    for content in banks:
        chapter = syllabus.chapters()[content["chapter"]]["name"]
        for item in content["quiz"]:
            drawn = _different(item, seed, count if item.get("params") else 1)
            for number, question in enumerate(drawn, 1):
                name = f"{item['id']}-{number:02d}" if len(drawn) > 1 else item["id"]
                found.append(Variant(name, chapter, item, question))
    return found


def _different(item, seed, count):
    """Up to `count` draws of an item that differ in their text: where few numbers can be drawn, there are fewer."""
    found = {}
    for number in range(10 * count):
        question = draw.question(item, f"{seed}/{number}")
        found.setdefault(question.ask, question)
        if len(found) == count:
            break
    return list(found.values())


def table(found):
    """CSV, one question a line: what a spreadsheet or another program can read."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEADS)
    for v in found:
        q = v.question
        answer, unit = quantity.natural(q.answer, q.unit) if q.type == "numeric" else (grade.shown(q), "")
        tolerance = f"{100 * q.rel_tol:g} %" if q.type == "numeric" else ""
        choices, targets = (" | ".join(parts) for parts in ([text for text, _ in q.options], q.targets))
        number = f"{answer:.6g}" if q.type == "numeric" else answer
        row = [v.name, v.chapter, q.type, q.ask, q.code, choices, targets, number, unit, tolerance, q.hint, q.why]
        writer.writerow(map(_cell, [*row, v.item.get("see", "")]))
    return out.getvalue()


def _cell(text):
    """A cell that no spreadsheet takes for a formula: what begins like one, and is no number, gets an apostrophe."""
    number = re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", text)
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@|\uff1d\uff0b\uff0d\uff20") and not number else text


WRITERS = {"moodle-xml": moodle.write, "gift": gift.write, "qti": qti.write, "csv": table}
WRITERS |= {"anki": cards.anki, "cards": cards.printed}
SUFFIX = {"moodle-xml": "xml", "gift": "gift", "qti": "zip", "csv": "csv", "html": "html"}
SUFFIX |= {"anki": "txt", "cards": "html"}


def banks(chapters):
    """The checked contents for topics, or for labels such as 3 or 10b. Raises UnknownName or BadQuiz."""
    numbers = {entry["label"]: topic for topic, entry in syllabus.chapters().items()}
    return [bank.load(numbers.get(name.lstrip("0"), name)) for name in chapters]
