"""Before: what a reader has seen when a question comes, and the forms in which its answer could stand there.

An answer that can be read off the page above tests reading. `given_away(chapter)` goes through a notebook from top to
bottom (the book shows the same cells in the same order) and collects prose, visible code, what cells print, what panels
say at first, and every question asked so far; then it looks there for the answer of each question that comes:

    a number      with its unit, in every unit of its dimension; without one where it has three digits or more
    an option     its words, three or more; its numbers with their units, where no other option and not the stem has them
    an exercise   what its solution returns, where nothing is given to it
"""

import inspect
import re

from asked import right, words

from accelerator_lib import exercises
from accelerator_lib.quiz import bank, draw, quantity
from accelerator_lib.units import DIMENSIONS

QUANTITY = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?:\s(?:%|x\b|[A-Za-zµ]+(?:/\w+)?))?")
UNITS = {unit for units in DIMENSIONS.values() for unit in units}
FEW = 3  # digits of a number, words of a text that say something by themselves


def given_away(chapter):
    """["question: “answer” stands in ..."] of a claims.Chapter."""
    seen, found = [], []
    for id, cell in chapter.cells.items():
        for where, forms, asks in _asked(chapter, cell):
            found += [
                f"{where}: “{form}” stands in {place}: …{around}…"
                for form in forms
                for place, around in _places(form, seen)
            ]
            seen += [(where, text) for text in asks]
        seen.append((id, _visible(chapter, id, cell)))
    return found


def section(chapter, panel):
    """All that can be read at a panel: its section, and the predictions that it answers."""
    ids = list(chapter.cells)
    at = next(ids.index(id) for id in ids if re.search(rf'\bid="{panel}"', chapter.cells[id].source))
    cells = chapter.cells.values()
    heads = [n for n, cell in enumerate(cells) if cell.cell_type == "markdown" and re.match("#{1,3} ", cell.source)]
    first, end = max(h for h in heads if h <= at), min([h for h in heads if h > at] or [len(ids)])
    asked = [e for e in bank.load(chapter.topic)["predict"] if e.get("show", {}).get("panel") == panel]
    told = [
        text for entry in asked for text in (*words(entry), *(str(o.get("text", o["value"])) for o in entry["options"]))
    ]
    return "\n\n".join([*(_visible(chapter, id, chapter.cells[id]) for id in ids[first:end]), *told])


def _visible(chapter, id, cell):
    if cell.cell_type == "markdown":
        return cell.source
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden")
    return ("" if hidden else cell.source) + "\n" + chapter.outputs.get(id, "")


def _places(form, seen):
    pattern = r"(?<![\w.,])" + r"\s+".join(map(re.escape, form.split())) + r"(?![\w]|[.,]\d)"
    for place, text in seen:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            yield place, " ".join(text[max(0, match.start() - 40) : match.end() + 40].split())


def _asked(chapter, cell):
    """(name, forms of the answer, what the question itself shows) of all that a cell asks."""
    topic = chapter.topic
    if cell.cell_type != "code":
        return
    called = re.search(r'\bpredict\("\w+",((?:\s*"[\w-]+",?)+)', cell.source)
    for id in re.findall(r'"([\w-]+)"', called[1]) if called else ():
        entry = bank.item(topic, id, "predict")
        yield f"prediction {id}", list(predicted(entry)), [entry["ask"]]
    for id in re.findall(r'quick_check\("([\w-]+)"', cell.source):
        item = bank.find(id)[1]
        yield f"quick check {id}", list(forms(item)), list(words(item))
    for id in re.findall(r'exercises\.check\("([\w.]+)"', cell.source):
        yield f"exercise {id}", list(worked(id)), []
    if re.search(r'^quiz\("', cell.source, re.MULTILINE):
        items = bank.load(topic)["quiz"]
        for item in items:
            yield f"question {item['id']}", list(forms(item)), []


def predicted(entry):
    for option in entry["options"]:
        if bank.is_answer(option, entry):
            text = str(option.get("text", option["value"]))
            yield from of_option(
                text, entry["ask"], [str(o.get("text", o["value"])) for o in entry["options"] if o is not option]
            )


def forms(item):
    """How the answer of a question could stand in a text; none where it is drawn."""
    if item["type"] == "numeric":
        if not item.get("params"):
            q = draw.question(item, 0)
            for unit in [u for u in q.units if quantity.dimension(u) == quantity.dimension(q.unit)]:
                yield from of_number(quantity.told(q.answer, unit, q.rel_tol))
    elif item["type"] == "choice":
        one = next(option["text"] for option in item["options"] if option.get("right"))
        yield from of_option(
            one, item["ask"], [option["text"] for option in item["options"] if not option.get("right")]
        )
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
