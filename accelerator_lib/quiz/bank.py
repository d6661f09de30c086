"""The question bank: quizzes/NN_topic.yaml, checked where it enters.

A wrong file is one line: which file, which line, which item, what is allowed. The shape is
data/quiz.schema.yaml; beyond it, ids are unique, one option is right, and every key can be computed.
"""

from functools import cache
from math import isfinite
from pathlib import Path

from accelerator_lib import data
from accelerator_lib.inputs import one_of
from accelerator_lib.quiz import draw, keys, quantity, schema

FOLDER = Path(__file__).resolve().parents[2] / "quizzes"


class BadQuiz(ValueError):
    """A question file that cannot be used, in one line."""


@cache
def load(topic):
    """The checked content of a chapter's question file: {chapter, predict: [...], quick: [...], quiz: [...]}."""
    path = _path(one_of("chapter", topic, data.chapters()))
    if not path.exists():
        raise BadQuiz(f"chapter {topic} has no questions yet: {path.name} is not in {FOLDER.name}/")
    return read(path)


def item(topic, id, kind="quiz"):
    """One entry of a chapter's `predict`, `quick` or `quiz` list, by id."""
    entries = {entry["id"]: entry for entry in load(topic).get(kind, ())}
    return entries[one_of(f"{kind} id", id, entries)]


def items(topic):
    """All questions of a chapter with one right answer: those asked inside it, and those of its quiz."""
    content = load(topic)
    return [*content.get("quick", ()), *content["quiz"]]


def explain(topic):
    """{ask, model} of a chapter: what is to be explained, and how a good student would. Raises BadQuiz."""
    content = load(topic)
    if "explain" not in content:
        raise BadQuiz(f"chapter {topic} asks for no explanation: {_path(topic).name} has no key `explain`")
    return content["explain"]


def decide(topic):
    """{case, ask, why, measured, source} of a chapter's decision; `measured` is a published row. Raises BadQuiz."""
    content = load(topic)
    if "decide" not in content:
        raise BadQuiz(f"chapter {topic} ends with no decision: {_path(topic).name} has no key `decide`")
    entry = content["decide"]
    row = data.published(entry["kind"])[entry["row"]]
    return {**entry, "measured": row, "source": f"Source: {data.title(row)}."}


def find(id):
    """(chapter, item) of a quick or quiz item of any chapter, by its id. Raises UnknownName with a suggestion."""
    entries = {entry["id"]: (topic, entry) for topic in topics() for entry in items(topic)}
    return entries[one_of("quiz item", id, entries)]


@cache
def misconceptions():
    """{id: what people believe} of quizzes/misconceptions.yaml."""
    return data.parse(FOLDER / "misconceptions.yaml")


def belief(name):
    """What names a misconception in feedback: its words, never its code; empty where there is none."""
    return f"A common belief: “{misconceptions()[name]}”" if name else ""


def topics():
    """The chapters that have questions, in order."""
    return [topic for topic in data.chapters() if _path(topic).exists()]


def explored(see):
    """(notebook, id of the panel, number of the chapter) of `03_roofline#dot`. Raises UnknownName."""
    name, _, panel = see.partition("#")
    numbers = {entry["name"]: entry["number"] for entry in data.chapters().values()}
    return name, panel, numbers[one_of("chapter in see", name, numbers)]


def _path(topic):
    return FOLDER / f"{data.chapters()[topic]['name']}.yaml"


def read(path):
    """One question file, checked. Raises BadQuiz with file, line and item."""
    content, found = inspect(path)
    if found:
        raise BadQuiz(found[0])
    return content


def problems(path):
    """Everything that is wrong with a question file, one line each: file, line, item, what is allowed."""
    return inspect(path)[1]


def inspect(path):
    """(content, problems) of a question file; content is None where it is no YAML."""
    import yaml

    try:
        content = data.parse(path)
    except (OSError, ValueError, yaml.YAMLError) as error:
        return None, [" ".join(str(error).split())]
    shape = schema.errors(content)
    found = [(error.absolute_path, _named(content, error)) for error in shape] or list(_meaning(content))
    lines = sorted((_line(path, where), message) for where, message in found)
    return content, [f"{path.name}, line {line}: {message}" for line, message in lines]


def _named(content, error):
    """A schema's message with the item that it is about."""
    kind, place, *_ = [*error.absolute_path, None, None]
    known = isinstance(place, int) and isinstance(content[kind][place], dict) and "id" in content[kind][place]
    return f"item {content[kind][place]['id']!r}: {_short(error.message)}" if known else _short(error.message)


def _meaning(content):
    """(where, message) of what a schema cannot say."""
    seen = set()
    for kind in ("predict", "quick", "quiz"):
        for place, entry in enumerate(content.get(kind, ())):
            if entry["id"] in seen:
                yield [kind, place], f"id {entry['id']!r} stands twice"
            seen.add(entry["id"])
            try:
                _check_entry(kind, entry)
            except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError) as error:
                yield [kind, place], f"item {entry['id']!r}: {error}"


def _check_entry(kind, entry):
    for name in _misconceptions_of(entry):
        one_of("misconception", name, misconceptions())
    if kind == "predict":
        right = [option for option in entry["options"] if is_answer(option, entry)]
        if len(right) != 1:
            raise ValueError(f"{len(right)} options agree with the computed answer; it must be one")
        for option in entry["options"]:  # what a mark lies at can be computed for every guess
            keys.evaluate(entry.get("mark", {}).get("at"), {"guess": option["value"]})
    else:
        if entry["type"] in CHECKS:
            CHECKS[entry["type"]](entry)
        for see in filter(None, (entry.get("see"), *(option.get("see") for option in entry.get("options", [])))):
            explored(see)
        draw.question(entry, "check")


def _check_choice(entry):
    right = sum(option.get("right", False) for option in entry["options"])
    if right != 1:
        raise ValueError(f"{right} options are marked right; it must be one")
    if len({option["text"] for option in entry["options"]}) < len(entry["options"]):
        raise ValueError("two options have the same text")


def _check_numeric(entry):
    quantity.dimension(entry["unit"])
    for name, spec in entry.get("params", {}).items():
        low, high = spec.get("log") or spec.get("whole") or (0, 1)
        numbers = [low, high, *(value for value in spec.get("choice", []) if not isinstance(value, str))]
        if not all(map(isfinite, numbers)) or not low < high:
            raise ValueError(f"parameter {name!r} must be drawn from finite numbers, the lower end first")


def _check_match(entry):
    rights = [right for _, right in entry["pairs"]]
    if set(rights) & set(entry["decoys"]):
        raise ValueError("a decoy is also the right side of a pair")
    if len({left for left, _ in entry["pairs"]}) < len(rights):
        raise ValueError("a left side stands twice")


def _check_order(entry):
    """Ties name items; where the library can compute the values, they rise in the order given."""
    last = len(entry["items"]) - 1
    if any(place > last for tie in entry.get("ties", []) for place in tie):
        raise ValueError(f"ties count the items from 0 to {last}")
    values = [keys.evaluate(key) for key in entry.get("values", [])]
    if values and (len(values) != last + 1 or values != sorted(values)):
        raise ValueError(f"the library's values do not rise in the order given: {values}")


CHECKS = {"choice": _check_choice, "numeric": _check_numeric, "match": _check_match, "order": _check_order}


def is_answer(option, entry):
    """Whether a prediction's option is the one that the library computes, to 2 %."""
    truth = keys.evaluate(entry["answer"])
    if isinstance(truth, str):
        return option.get("value") == truth
    return isinstance(option["value"], (int, float)) and abs(option["value"] - truth) <= 0.02 * abs(truth)


def _misconceptions_of(entry):
    parts = [*entry.get("options", []), *entry.get("mistakes", [])]
    return {*entry.get("tags", []), *(part["misconception"] for part in parts if "misconception" in part)}


def _line(path, where):
    """The line of the deepest part of `where` that the file has."""
    import yaml

    node = yaml.compose(path.read_text(encoding="utf-8"))
    for step in where:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        elif isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == step), node)
    return node.start_mark.line + 1


def _short(message):
    return message if len(message) < 200 else message[:197] + "..."
