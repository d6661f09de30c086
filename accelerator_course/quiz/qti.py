"""QTI 1.2, what Canvas imports, by way of text2qti: a match becomes a choice for every line, an order one of four.

text2qti passes HTML on and packs files that pictures name: it sees marks alone, which our inert HTML replaces.
"""

import hashlib
import io
import random
import re
import tempfile
import zipfile
from html import escape
from pathlib import Path
from string import ascii_lowercase

from accelerator_course.quiz import grade, quantity
from accelerator_course.quiz.grade import reason
from accelerator_course.quiz.markdown import html
from accelerator_course.quiz.moodle import safe

DRAWS = 1000  # of an order; of three lines, two of them tied, four of six orders are wrong
MARK = re.compile("(&lt;p&gt;)?(q[0-9a-f]{32}q)(&lt;/p&gt;)?")


def write(found):
    """The zip archive for export.Variants, as bytes. Raises ImportError naming what to install."""
    try:
        from text2qti.config import Config
        from text2qti.qti import QTI
        from text2qti.quiz import Quiz
    except ImportError:
        raise ImportError("the format qti needs one more package: pip install text2qti") from None
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "quiz.zip"
        QTI(Quiz(text(found, texts), config=Config(), source_name="quiz")).save(target)
        return _filled(target, texts)


def _filled(path, texts):
    out = io.BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for member in archive.infolist():
            content = archive.read(member).decode("utf-8")
            made.writestr(member, MARK.sub(lambda match: _put(*match.groups(), texts), content))
    return out.getvalue()


def _put(before, mark, after, texts):
    """What stands for a mark: HTML inside XML; with a paragraph around it where it is no block of its own."""
    content = texts[mark]
    bare = bool(before) and re.match("<(p|pre|ul|ol|blockquote|h[1-6]|table)[ >]", content)
    return escape(safe(content)) if bare else f"{before or ''}{escape(safe(content))}{after or ''}"


def text(found, texts):
    """The questions in text2qti's form, a mark for every text of an author; `texts` is filled: {mark: HTML}."""

    def mark(content, page=None):
        page = html(content) if page is None else page
        told = f"{len(texts)} {page}".encode("utf-8", "replace")  # the same words may stand in two questions
        name = f"q{hashlib.sha256(told).hexdigest()[:32]}q"
        texts[name] = page
        return name

    chapters = ", ".join(dict.fromkeys(variant.chapter for variant in found))
    blocks = [f"Quiz title: AI accelerators, {chapters}"]
    for title, points, ask, why, answers in (parts for variant in found for parts in _questions(variant, mark)):
        blocks.append("\n".join([f"Title: {title}", f"Points: {points}", f"1.  {ask}", f"... {why}", *answers]))
    return "\n\n".join(blocks) + "\n"


def _questions(variant, mark):
    """(title, points, question, general feedback, answers: lines) of each question that a variant becomes."""
    q = variant.question
    why = mark(q.why)
    if q.type == "numeric":
        value, unit = quantity.natural(q.answer, q.unit)
        tolerance = abs(value) * q.rel_tol
        lines = [f"=   {value:.6g} +- {max(tolerance, 1e-9):.6g}"]
        yield variant.name, 1, mark(f"{q.ask} (Answer in {unit}.)"), why, lines
    elif q.type == "code":
        listing = f"{html(q.ask)}<pre>{escape(q.code, quote=False)}</pre>"
        yield variant.name, 1, mark("", listing), why, [f"*   {mark('', q.text)}"]
    elif q.type == "choice":
        lines = [(mark(text), entry.get("right", False), mark(reason(entry))) for text, entry in q.options]
        yield variant.name, 1, mark(q.ask), why, _choices(lines)
    elif q.type == "match":
        for number, (left, right) in enumerate(q.options, 1):
            lines = [(mark(target), target == right, "") for target in q.targets]
            ask = mark("", f"{html(q.ask)}<br><br>{html(left)}: which one?")
            yield f"{variant.name}, line {number}", 0.5, ask, why, _choices(lines)
    else:
        yield variant.name, 1, mark(q.ask), why, _choices([(mark(order), right, "") for order, right in _orders(q)])


def _orders(q):
    """Four orders of the lines as text, one of them right, in a fixed random order."""
    draw, lines, found = random.Random(q.id), list(q.options), {grade.shown(q): True}
    for _ in range(DRAWS):
        if len(found) == 4:
            break
        draw.shuffle(lines)
        ranks = [rank for _, rank in lines]
        if ranks != sorted(ranks):
            found.setdefault(grade.in_order([text for text, _ in lines]), False)
    orders = list(found.items())
    draw.shuffle(orders)
    return orders


def _choices(lines):
    made = []
    for letter, (answer, right, why) in zip(ascii_lowercase, lines, strict=False):
        made += [f"{'*' if right else ''}{letter}) {answer}", *([f"... {why}"] if why else [])]
    return made
