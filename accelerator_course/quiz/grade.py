"""Grading: what was answered, against what the library computed, with the reason: a wrong unit, a known mistake."""

import re
from dataclasses import dataclass
from itertools import combinations

from accelerator_course.quiz import quantity
from accelerator_lib.units import DIMENSIONS, number, significant


@dataclass(frozen=True)
class Verdict:
    """`right` in a word, `text` with the reason, and the misconception from which the answer follows, if from one."""

    right: bool
    text: str
    misconception: str | None = None
    modelled: bool = False  # a wrong value that a known mistake explains: mended, it earns half
    see: str = ""  # the exploration that refutes this option
    score: float | None = None  # partial credit of an order or a match; None: all or nothing

    # what the answer is worth, 0 to 1
    points = property(lambda self: float(self.right) if self.score is None else self.score)


def reason(entry):
    """Why an option or a mistake is right or wrong; of one that follows from a belief, what would have to be true."""
    if "if" not in entry:
        return entry["why"]
    return f"That would be right if {entry['if']}. It is not, because {entry['why']}"


def slip(mistake):
    """What is said to the value of a modelled mistake; there may be other ways to it."""
    return f"One way to this value: {mistake['name']}. {reason(mistake)}"


def choice(question, position):
    """Grade a choice by the position of the option on the page."""
    _, option = question.options[position]
    right = option.get("right", False)
    return Verdict(right, reason(option), option.get("misconception"), see=option.get("see", ""))


def numeric(question, text, unit):
    """Grade a typed number with its unit; raises ValueError where it is no number, or right but for its comma."""
    value = quantity.read(text) * quantity.scale(unit)
    own, given = quantity.dimension(question.unit), quantity.dimension(unit)
    if own != given:
        return Verdict(False, f"{unit} measures {given}; the question asks for {own}. Look at the unit first.")
    if _near(value, question.answer, question.rel_tol):
        return Verdict(True, question.why)
    other = quantity.with_decimal_comma(text)
    if other is not None and _near(other * quantity.scale(unit), question.answer, question.rel_tol):
        read = f"“{text.strip()}” is {value / quantity.scale(unit):.0f}"
        raise ValueError(f"a comma stands between thousands: {read}; write decimals with a point")
    met = [(wrong, mistake) for wrong, mistake in question.mistakes if _near(value, wrong, question.rel_tol)]
    if met:  # two may lie close to each other: the nearest
        _, mistake = min(met, key=lambda pair: abs(value - pair[0]))
        return Verdict(False, slip(mistake), mistake.get("misconception"), True)
    if value <= 0:
        return Verdict(False, "The answer is positive.")
    typed = value / quantity.scale(unit)
    if any(_near(typed * size, question.answer, question.rel_tol) for size in DIMENSIONS.get(own, {}).values()):
        return Verdict(False, "The digits are right: look at the unit.")
    factor = value / question.answer
    side = "too large" if factor > 1 else "too small"
    times = significant(max(factor, 1 / factor), 1)  # more digits are the answer
    size = f"about {number(times)} times {side}" if times > 1 else f"{side}, by less than a factor of two"
    exact = "" if question.rel_tol else " This number must be exact."
    return Verdict(False, f"Your value is {size}.{exact}")


def order(question, places):
    """Grade an order: `places` are positions on the page, first to last. Worth max(0, 2f - 1) of f pairs in order."""
    if sorted(places) != list(range(len(question.options))):
        raise ValueError("Put every line into the order once.")
    pairs = list(combinations((question.options[place] for place in places), 2))
    inverted = [(a, b) for a, b in pairs if a[1] > b[1]]
    if not inverted:
        return Verdict(True, question.why, score=1.0)
    (above, _), (below, _) = max(inverted, key=lambda pair: pair[0][1] - pair[1][1])
    share, good = 1 - len(inverted) / len(pairs), len(pairs) - len(inverted)
    text = f"{good} of {len(pairs)} pairs are in order. Furthest off: “{above}” stands before “{below}”."
    return Verdict(False, text, score=max(0.0, 2 * share - 1))


def match(question, targets):
    """Grade a match: for each line of the page the position of its target. Worth the share that is right."""
    if len(targets) != len(question.options) or not all(0 <= t < len(question.targets) for t in targets):
        raise ValueError("Choose a match for each line.")
    chosen = [question.targets[target] for target in targets]
    wrong = [(left, own) for (left, right), own in zip(question.options, chosen, strict=True) if own != right]
    if not wrong:
        return Verdict(True, question.why, score=1.0)
    (left, own), good = wrong[0], len(chosen) - len(wrong)
    text = f"{good} of {len(chosen)} are right. Not so: “{left}” with “{own}”."
    return Verdict(False, text, score=1 - len(wrong) / len(chosen))


def code(question, text):
    """Grade what a piece of code prints, whatever the blanks between it and beside its brackets, commas and colons."""
    given = _printed(text)
    if not given:
        raise ValueError("Type what the code prints.")
    if given == _printed(question.text):
        return Verdict(True, question.why)
    for wrong, mistake in question.mistakes:
        if given == _printed(wrong):
            return Verdict(False, reason(mistake), mistake.get("misconception"), True)
    return Verdict(False, "It prints something else. Run it in your head, or in a cell.")


def _printed(text):
    return re.sub(r" ?([][(){},:]) ?", r"\1", " ".join(text.split()))


def answer(question, content):
    """Grade what the page sent, by the question's type; raises ValueError where it is no answer yet."""
    if question.type == "numeric":
        return numeric(question, content["value"], content["unit"])
    check = {"choice": choice, "order": order, "match": match, "code": code}[question.type]
    return check(question, content["option" if question.type == "choice" else "value"])


def in_order(texts):
    """Lines as one text, first to last; where the sign between them stands in a line too, they are numbered."""
    if any(" < " in f" {' '.join(text.split())} " for text in texts):
        return ", ".join(f"({place}) {text}" for place, text in enumerate(texts, 1))
    return " < ".join(texts)


def shown(question):
    """The right answer as text; that of a number, typed back, is right."""
    if question.type == "order":
        return in_order([text for text, _ in sorted(question.options, key=lambda option: option[1])])
    if question.type == "match":
        return "; ".join(f"{left}: {right}" for left, right in question.options)
    if question.type == "code":
        return question.text
    if question.type == "choice":
        return next(text for text, option in question.options if option.get("right"))
    _, unit = quantity.natural(question.answer, question.unit)
    return quantity.told(question.answer, unit, question.rel_tol)


def _near(value, target, rel_tol):
    return abs(value - target) <= rel_tol * abs(target) + 1e-12 * abs(target)
