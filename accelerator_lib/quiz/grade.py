"""Grading: what was answered, against what the library computed; always with the reason.

A wrong unit is told apart from a wrong value, and a value that a known wrong model gives is answered with that
model's mistake.
"""

from dataclasses import dataclass

from accelerator_lib.quiz import quantity
from accelerator_lib.units import number, si


@dataclass(frozen=True)
class Verdict:
    """`right` in a word, `text` with the reason, and the misconception where one was met."""

    right: bool
    text: str
    misconception: str | None = None
    modelled: bool = False  # a wrong value that a known mistake explains: mended, it earns half


def choice(question, position):
    """Grade a choice by the position of the option on the page."""
    _, option = question.options[position]
    right = option.get("right", False)
    return Verdict(right, option["why"], None if right else option.get("misconception"))


def numeric(question, text, unit):
    """Grade a typed number with its unit; raises ValueError where it is no number at all."""
    value = quantity.read(text) * quantity.scale(unit)
    own, given = quantity.dimension(question.unit), quantity.dimension(unit)
    if own != given:
        return Verdict(False, f"{unit} measures {given}; the question asks for {own}. Look at the unit first.")
    if _near(value, question.answer, question.rel_tol):
        return Verdict(True, question.why)
    for wrong, mistake in question.mistakes:
        if _near(value, wrong, question.rel_tol):
            return Verdict(False, f"{mistake['name']}: {mistake['why']}", mistake.get("misconception"), True)
    if value <= 0:
        return Verdict(False, "The answer is positive.")
    factor = value / question.answer
    if 2 / 3 < factor < 1.5:
        return Verdict(False, "Close, but not within tolerance.")
    size = f"{number(factor)} times too large" if factor > 1 else f"{number(1 / factor)} times too small"
    return Verdict(False, f"Your value is {size}.")


def shown(question):
    """The right answer as text."""
    if question.type == "choice":
        return next(text for text, option in question.options if option.get("right"))
    if question.unit == "%":
        return f"{number(100 * question.answer)} %"
    if question.unit in ("s", "FLOP/s", "B/s", "B", "FLOP"):
        return si(question.answer, question.unit)
    return f"{number(question.answer)} {question.unit}"


def _near(value, target, rel_tol):
    return abs(value - target) <= rel_tol * abs(target) + 1e-12 * abs(target)
