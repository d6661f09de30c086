"""QTI 1.2, what Canvas imports, by way of text2qti: our questions in its plain-text form, its archive as the result.

QTI as text2qti writes it knows neither units nor matching. So a number names its unit, a match becomes one choice for
every line (half a point each; text2qti knows whole and half points), and an order a choice among four orders.
"""

import random

from accelerator_lib.quiz import grade, quantity
from accelerator_lib.quiz.moodle import reason


def write(found):
    """The zip archive for export.Variants, as bytes. Raises ImportError naming what to install."""
    import tempfile
    from pathlib import Path

    try:
        from text2qti.config import Config
        from text2qti.qti import QTI
        from text2qti.quiz import Quiz
    except ImportError:
        raise ImportError("the format qti needs one more package: pip install text2qti") from None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "quiz.zip"
        QTI(Quiz(text(found), config=Config(), source_name="quiz")).save(target)
        return target.read_bytes()


def text(found):
    """The questions in text2qti's form, which is Markdown with a few marks at the beginning of lines."""
    chapters = ", ".join(dict.fromkeys(variant.chapter for variant in found))
    blocks = [f"Quiz title: AI accelerators, {chapters}"]
    for variant in found:
        blocks += [_block(name, *parts) for name, *parts in _questions(variant)]
    return "\n\n".join(blocks) + "\n"


def _questions(variant):
    """(title, question, answers: lines, general feedback, points) of each question that a variant becomes."""
    q = variant.question
    if q.type == "numeric":
        value, unit = quantity.natural(q.answer, q.unit)
        tolerance = abs(value) * q.rel_tol
        yield variant.name, f"{q.ask} (Answer in {unit}.)", [f"=   {value:.6g} +- {max(tolerance, 1e-9):.6g}"], q.why, 1
    elif q.type == "code":
        yield variant.name, f"{q.ask}\n\n```\n{q.code}\n```", [f"*   {q.text}"], q.why, 1
    elif q.type == "choice":
        lines = [(text, entry.get("right", False), reason(entry)) for text, entry in q.options]
        yield variant.name, q.ask, _choices(lines), q.why, 1
    elif q.type == "match":
        for number, (left, right) in enumerate(q.options, 1):
            lines = [(target, target == right, "") for target in q.targets]
            ask = f"{q.ask}\n\n{left}: which one?"
            yield f"{variant.name}, line {number}", ask, _choices(lines), q.why, 0.5
    else:
        yield variant.name, q.ask, _choices([(order, right, "") for order, right in _orders(q)]), q.why, 1


def _orders(q):
    """Four orders of the lines as text, one of them right, in a fixed random order."""
    draw, lines, found = random.Random(q.id), list(q.options), {grade.shown(q): True}
    while len(found) < 4:
        draw.shuffle(lines)
        ranks = [rank for _, rank in lines]
        if ranks != sorted(ranks):
            found[" < ".join(text for text, _ in lines)] = False
    orders = list(found.items())
    draw.shuffle(orders)
    return orders


def _choices(lines):
    made = []
    for letter, (answer, right, why) in zip("abcdefgh", lines, strict=False):
        made.append(_indented(f"{'*' if right else ''}{letter}) ", answer))
        made += [_indented("... ", why)] if why else []
    return made


def _block(title, ask, answers, why, points):
    head = [f"Title: {title}", f"Points: {points}", _indented("1.  ", ask), _indented("... ", why)]
    return "\n".join([*head, *answers])


def _indented(mark, content):
    """A mark, then the text with its further lines below the first; a dollar is no formula here."""
    return mark + content.replace("$", "\\$").replace("\n", "\n" + " " * max(4, len(mark))).replace("\n    \n", "\n\n")
