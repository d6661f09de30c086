"""Marks: what was answered beside what is right, in words and signs, for the eye and for a screen reader."""

from dataclasses import dataclass

from accelerator_course.quiz import grade, quantity

LONGEST = 60  # letters of what a learner typed


@dataclass(frozen=True)
class Mark:
    """One line: its text in Markdown, "right", "wrong" or nothing, and the note that says what the sign means."""

    text: str
    sign: str = ""
    note: str = ""


def marks(question, given=None, before=()):
    """The Marks of a closed question; `given`: the content of the last answer or None, `before`: positions tried."""
    return MARKED[question.type](question, given, before)


def tried(question, positions):
    """The Marks of a choice that is still open."""
    texts = enumerate(text for text, _ in question.options)
    return [Mark(text, "wrong", "yours") if place in positions else Mark(text) for place, text in texts]


def room(question):
    """Rows as long as any that may come; none for a choice, whose marks stand beside its options."""
    if question.type == "order":
        return [Mark(text, "wrong", "yours: place 5") for text, _ in question.options]
    if question.type == "match":
        longest = max(question.targets, key=len)
        return [Mark(_pair(left, longest), "wrong", f"yours: {longest}") for left, _ in question.options]
    if question.type in ("numeric", "code"):
        return [Mark("0", "wrong", "yours"), Mark("0", "right", "the answer")]
    return []


def _choice(question, given, before):
    chosen = given["option"] if given else None
    made = tried(question, {*before, chosen})
    for place, (text, option) in enumerate(question.options):
        if option.get("right"):
            made[place] = Mark(text, "right", "yours" if place == chosen else "right")
    return made


def _order(question, given, _):
    lines = sorted(question.options, key=lambda option: option[1])
    if not given:
        return [Mark(text) for text, _ in lines]
    own, made = [question.options[place] for place in given["value"]], []
    for (text, rank), mine in zip(lines, own, strict=True):  # tied lines may stand either way
        at = [other for other, _ in own].index(text) + 1
        made.append(Mark(text, "right") if mine[1] == rank else Mark(text, "wrong", f"yours: place {at}"))
    return made


def _match(question, given, _):
    if not given:
        return [Mark(_pair(left, right)) for left, right in question.options]
    made = []
    for (left, right), target in zip(question.options, given["value"], strict=True):
        own, pair = question.targets[target], _pair(left, right)
        made.append(Mark(pair, "right") if own == right else Mark(pair, "wrong", f"yours: {own}"))
    return made


def _pair(left, right):
    return f"{left}: **{right}**"


def _numeric(question, given, _):
    answer = grade.shown(question)
    if not given:
        return [Mark(answer, "right", "the answer")]
    unit = given["unit"]
    good = grade.numeric(question, given["value"], unit).right
    if unit != question.unit and quantity.dimension(unit) == quantity.dimension(question.unit):
        inside = quantity.told(question.answer, unit, question.rel_tol)
        answer = answer if inside == answer else f"{answer} = {inside}"
    yours = Mark(f"{given['value'].strip()[:LONGEST]} {unit}", "right" if good else "wrong", "yours")
    return [yours, Mark(answer, "right", "the answer")]


def _code(question, given, _):
    answer = Mark(f"`{question.text}`", "right", "the answer")
    if not given:
        return [answer]
    typed = " ".join(given["value"].split()).replace("`", "'")[:LONGEST]
    return [Mark(f"`{typed}`", "right" if grade.code(question, typed).right else "wrong", "yours"), answer]


MARKED = {"choice": _choice, "numeric": _numeric, "order": _order, "match": _match, "code": _code}
