"""Before: what a reader has seen when a question comes, and the forms in which its answer could stand there.

An answer that can be read off the page above tests reading. `given_away(chapter)` goes through a notebook from top to bottom, collects
prose, visible code, what cells print, what panels say at first, and every question so far, and looks there for each answer:

    a number      with its unit, in every unit of its dimension; without one where it has three digits or more
    an option     its words, three or more; its numbers with their units, where no other option and not the stem has them
    an exercise   what its solution returns, where nothing is given to it
"""

import inspect
import re
from dataclasses import dataclass
from numbers import Real

from asked import right, words
from numerals import numerals

from accelerator_course import exercises
from accelerator_course.quiz import bank, draw, keys, quantity
from accelerator_course.widgets import tasks
from accelerator_lib.units import DIMENSIONS

QUANTITY = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?:\s(?:%|x\b|[A-Za-zµ]+(?:/\w+)?))?")
UNITS = {unit for units in DIMENSIONS.values() for unit in units}
NEAR = 0.003  # relative: the same to the digits that are printed
FEW = 3  # digits of a number, words of a text that say something by themselves


def given_away(chapter):
    """["question: “answer” stands in ..."] of a claims.Chapter."""
    seen, near, found = [], [], []  # (place, text) of the chapter so far; of the section
    for id, cell in chapter.cells.items():
        for one in _asked(chapter, cell):
            found += [f"{one.name}: “{form}” stands in {at}" for form in one.forms for at in _places(form, seen)]
            found += [f"{one.name}: “{form}” stands in {at}" for form in one.short for at in _places(form, near, 0)]
            found += [f"{one.name}: {said} stands in {at}" for at, text in seen for said in _said(one.value, text)]
            seen += [(one.name, text) for text in one.tells]
        text = (id, _visible(chapter, id, cell))
        near = [text] if cell.cell_type == "markdown" and re.match("#{2,3} ", cell.source) else [*near, text]
        seen.append(text)
    return found + _beside(bank.load(chapter.topic)["quiz"])


def _beside(items):
    """Of the questions of a quiz any may come before any other."""
    found, asked = [], {f"question {item['id']}": item for item in items}
    for name, item in asked.items():
        others = [(other, one["ask"]) for other, one in asked.items() if other != name]
        found += [f"{name}: “{form}” stands in {at}" for form in forms(item) for at in _places(form, others)]
    return found


def section(chapter, panel):
    """All that can be read at a panel: its section, and the predictions that it answers."""
    ids, cells = list(chapter.cells), chapter.cells.values()
    at = next(ids.index(id) for id in ids if re.search(rf'\bid="{panel}"', chapter.cells[id].source))
    heads = [n for n, cell in enumerate(cells) if cell.cell_type == "markdown" and re.match("#{1,3} ", cell.source)]
    first, end = max(h for h in heads if h <= at), min([h for h in heads if h > at] or [len(ids)])
    asked = [e for e in bank.load(chapter.topic)["predict"] if e.get("show", {}).get("panel") == panel]
    told = [text for entry in asked for text in (*words(entry), *_texts(entry["options"]))]
    return "\n\n".join([*(_visible(chapter, id, chapter.cells[id]) for id in ids[first:end]), *told])


def _texts(options):
    return [str(option.get("text", option.get("value"))) for option in options]


def _visible(chapter, id, cell):
    if cell.cell_type == "markdown":
        return cell.source
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    lines = [task.says for panel in re.findall(r'\bid="([a-z0-9-]+)"', cell.source) for task in tasks.of(panel)]
    return "\n".join(["" if hidden else cell.source, chapter.outputs.get(id, ""), *lines])


def _places(form, seen, flags=re.IGNORECASE):
    """Where a form stands, with the words around it."""
    pattern = r"(?<![\w.,])" + r"\s+".join(map(re.escape, form.split())) + r"(?![\w]|[.,]\d)"
    for place, text in seen:
        match = re.search(pattern, text, flags)
        if match:
            yield f"{place}: …{' '.join(text[max(0, match.start() - 40) : match.end() + 40].split())}…"


def _said(value, text):
    """The numbers of a text, with their units, that are this one to three digits."""
    if value:
        yield from (one[2] for one in numerals(text) if abs(one[2] * one[4] / value - 1) < NEAR)


@dataclass(frozen=True)
class Asked:
    """What a cell asks: the forms of its answer, those too short to mean anything further away than in its own section,
    and what it tells whoever goes on from there."""

    name: str
    forms: tuple
    short: tuple = ()
    tells: tuple = ()
    value: float | None = None  # to be predicted


def _asked(chapter, cell):
    if cell.cell_type != "code":
        return
    topic = chapter.topic
    called = re.search(r'\bpredict\("\w+",((?:\s*"[\w-]+",?)+)', cell.source)
    for id in re.findall(r'"([\w-]+)"', called[1]) if called else ():
        entry = bank.item(topic, id, "predict")
        tells = (*words(entry), *_texts(entry["options"]))
        yield Asked(f"prediction {id}", (*predicted(entry),), tells=tells, value=_predicted_value(entry))
    for id in re.findall(r'quick_check\("([\w-]+)"', cell.source):
        item = bank.find(id)[1]
        short = (*right(item),) if item["type"] != "order" else ()
        yield Asked(f"quick check {id}", (*forms(item),), short, (*words(item),))
    for id in re.findall(r'exercises\.check\("([\w.]+)"', cell.source):
        yield Asked(f"exercise {id}", (*worked(id),))
    if re.search(r'^decision\("', cell.source, re.MULTILINE):
        row = bank.decide(topic)["measured"]
        yield Asked("decision", (f"{row['value']:,} {row['unit']}",))
    if re.search(r'^quiz\("', cell.source, re.MULTILINE):
        yield from (Asked(f"question {item['id']}", (*forms(item),)) for item in bank.load(topic)["quiz"])


def _predicted_value(entry):
    """The number that is to be predicted, if it has digits enough to mean nothing else; a whole one is a choice."""
    value = keys.evaluate(entry["answer"])
    return value if isinstance(value, Real) and value % 1 and digits(f"{value:.3g}") >= 2 else None


def predicted(entry):
    for option in (one for one in entry["options"] if bank.is_answer(one, entry)):
        others = _texts(other for other in entry["options"] if other is not option)
        yield from of_option(*_texts([option]), entry["ask"], others)


def forms(item):
    """How the answer of a question could stand in a text; none where it is drawn."""
    if item["type"] == "numeric":
        if not item.get("params"):
            q = draw.question(item, 0)
            for unit in [u for u in q.units if quantity.dimension(u) == quantity.dimension(q.unit)]:
                yield from of_number(quantity.told(q.answer, unit, q.rel_tol))
    elif item["type"] == "choice":
        one = next(option for option in item["options"] if option.get("right"))
        others = [option["text"] for option in item["options"] if not option.get("right")]
        yield from of_option(one["text"], item["ask"], others)
    elif item["type"] != "order":
        yield from (text for text in right(item) if len(text.split()) >= FEW or digits(text) >= FEW)


def of_option(text, stem, others):
    if len(text.split()) >= FEW:
        yield text
    short = len(text.split()) < FEW
    for form in QUANTITY.findall(text):
        if not any(_places(form, [("", text) for text in (stem, *others)])):
            yield from of_number(form) if short else (told for told in of_number(form) if " " in told)


def of_number(told):
    """A number with its unit; the bare number, too, where it has many digits."""
    number, _, unit = told.partition(" ")
    if unit in UNITS or digits(number) >= FEW:
        yield told
    if digits(number) >= FEW:
        yield number


def digits(number):
    return len(re.sub(r"\D", "", number).strip("0"))


def worked(id):
    """Numbers that the solution of an exercise returns, where nothing is given to it."""
    solution = exercises.find(id).solution
    if inspect.signature(solution).parameters:
        return
    value = solution()
    for one in value if isinstance(value, (tuple, list)) else [value]:
        if isinstance(one, (int, float)) and digits(f"{one:g}") >= 2:
            yield f"{one:,}"
            yield f"{one}"
