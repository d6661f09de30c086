"""The question bank: quizzes/NN_topic.yaml, checked where it enters: shape (quiz.schema.yaml), ids, options, keys.

A wrong file is one line: which file, which line, which item, what is allowed.
"""

import time
from itertools import islice
from math import isfinite

from accelerator_course import syllabus, time_limit
from accelerator_course.quiz import draw, intake, keys, quantity
from accelerator_course.start import folders
from accelerator_course.syllabus import schema
from accelerator_lib import data
from accelerator_lib.checks.inputs import LONGEST_LINE, UnknownName, one_of
from accelerator_lib.data import ahead

FOLDER = folders.QUIZZES
MOST = 100  # problems of one file that are told


class BadQuiz(ValueError):
    """A question file that cannot be used, in one line."""


@data.kept
def load(topic):
    """The checked content of a chapter's question file: {chapter, predict: [...], quick: [...], quiz: [...]}."""
    path = _path(one_of("chapter", topic, syllabus.chapters()))
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


@data.kept
def panels():
    """{id of a question: (chapter, the panel to which it leads)} of the whole bank."""
    return {item["id"]: (topic, item["see"]) for topic in topics() for item in items(topic) if "see" in item}


@data.kept
def misconceptions():
    """{id: {says, panel, seen}} of quizzes/misconceptions.yaml: a belief, the panel that refutes it, and by what."""
    return data.parse(FOLDER / "misconceptions.yaml")


def topics():
    """The chapters that have questions, in order."""
    return [topic for topic in syllabus.chapters() if _path(topic).exists()]


def explored(see):
    """(notebook, id of the panel, label of the chapter) of `03_roofline#dot`. Raises UnknownName."""
    name, _, panel = see.partition("#")
    labels = {entry["name"]: entry["label"] for entry in syllabus.chapters().values()}
    return name, panel, labels[one_of("chapter in see", name, labels)]


def _path(topic):
    return FOLDER / f"{syllabus.chapters()[topic]['name']}.yaml"


def read(path):
    """One question file, checked; it was ahead, where it was parsed ahead. Raises BadQuiz with file, line and item."""
    ready = ahead.content(path)
    if ready is not ahead.NOTHING:
        return ready
    content, found = inspect(path)
    if found:
        raise BadQuiz(found[0])
    return content


def inspect(path):
    """(content, problems, one line each: file, line, item, what is allowed); content is None where it is no YAML."""
    import yaml

    try:
        text = intake.weighed(path)
        content = data.read(intake.stream(text, path.name))
    except (OSError, ValueError, OverflowError, yaml.YAMLError) as error:
        said = _short(str(error))
        return None, [said if path.name in said else f"{path.name}: {said}"]
    if content is None:
        return None, [f"{path.name} is empty"]
    shape = ((error.absolute_path, _named(content, error)) for error in schema.errors(content))
    for kind in (intake.odd(content), shape, _meaning(content) if isinstance(content, dict) else ()):
        found = list(islice(kind, MOST + 1))
        if found:
            break
    tree = yaml.compose(intake.stream(text, path.name), intake.loader()) if found else None
    lines = sorted((_line(tree, where), _short(message)) for where, message in found)
    more = [f"{path.name}: and more problems like these"] * (len(lines) > MOST)
    return content, [f"{path.name}, line {line}: {message}" for line, message in lines[:MOST]] + more


def _named(content, error):
    kind, place, *_ = [*error.absolute_path, None, None]
    known = isinstance(place, int) and isinstance(content[kind][place], dict) and "id" in content[kind][place]
    return f"item {_short(repr(content[kind][place]['id']), 100)}: {error.message}" if known else error.message


def _meaning(content):
    try:
        one_of("chapter", content["chapter"], syllabus.chapters())
    except UnknownName as error:
        yield ["chapter"], str(error)
    seen, end = set(), time.process_time() + time_limit.SECONDS  # of this process: another may be at work
    for kind in ("predict", "quick", "quiz"):
        for place, entry in enumerate(content.get(kind, ())):
            if entry["id"] in seen:
                yield [kind, place], f"id {entry['id']!r} stands twice"
            seen.add(entry["id"])
            try:
                with time_limit.limited(max(3 * (end - time.process_time()), 0.01)):  # on a clock, while others work
                    _check_entry(kind, entry)
            except time_limit.TooLong:
                yield [kind, place], f"item {entry['id']!r}: the file's keys so far took {time_limit.SECONDS} seconds"
                return
            except Exception as error:  # a call may be asked for what its author never thought of
                clear = isinstance(error, (ValueError, TypeError, UnknownName, AttributeError, ArithmeticError))
                said = str(error) if clear else f"{type(error).__name__} {error}"
                yield [kind, place], f"item {entry['id']!r}: {said}"
            if time.process_time() > end:  # where no clock can stop a key, as in a browser, the next is not begun
                told = f"the file's keys so far took {time_limit.SECONDS} seconds: no further item is checked"
                yield [kind, place], told
                return


def _check_entry(kind, entry):
    for name in draw.beliefs_of(entry):
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


def is_answer(option, entry):
    """Whether a prediction's option is the one that the library computes, to 2 %."""
    truth = keys.evaluate(entry["answer"])
    if isinstance(truth, str):
        return option.get("value") == truth
    return isinstance(option["value"], (int, float)) and abs(option["value"] - truth) <= 0.02 * abs(truth)


def _line(node, where):
    import yaml

    for step in where:
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
        elif isinstance(node, yaml.MappingNode):
            node = next((value for key, value in node.value if key.value == step), node)
    return node.start_mark.line + 1


def _short(message, most=LONGEST_LINE):
    """A message in one line; of a long one the beginning and the end, which says what is allowed."""
    line = " ".join(message.split())
    return line if len(line) <= most else f"{line[: most // 2]} ... {line[-most // 2 :]}"


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
            raise ValueError(f"parameter {name[:60]!r} must be drawn from finite numbers, the lower end first")
        if spec.get("unit") == "%" and max(numbers) <= 1:
            raise ValueError(f"parameter {name[:60]!r} is printed as it is drawn: 30 for 30 %, not 0.3")


def _check_match(entry):
    rights = [right for _, right in entry["pairs"]]
    if set(rights) & set(entry["decoys"]):
        raise ValueError("a decoy is also the right side of a pair")
    if len({left for left, _ in entry["pairs"]}) < len(rights):
        raise ValueError("a left side stands twice")


def _check_order(entry):
    last = len(entry["items"]) - 1
    if any(place > last for tie in entry.get("ties", []) for place in tie):
        raise ValueError(f"ties count the items from 0 to {last}")
    if len(set(draw.ranks(entry))) == 1:
        raise ValueError("all items are tied: there is no order to ask for")
    values = [keys.evaluate(key) for key in entry.get("values", [])]
    if values and (len(values) != last + 1 or values != sorted(values)):
        raise ValueError(f"the library's values do not rise in the order given: {values}")


CHECKS = {"choice": _check_choice, "numeric": _check_numeric, "match": _check_match, "order": _check_order}
