"""GIFT: the short text format that Moodle and several others import. It knows no units: the question names one."""

import re
from html import escape

from accelerator_course.quiz import quantity
from accelerator_course.quiz.grade import reason, slip
from accelerator_course.quiz.markdown import html
from accelerator_course.quiz.moodle import paired


def write(found):
    """The text of one GIFT file for export.Variants."""
    blocks, category = [], None
    for variant in found:
        if variant.chapter != category:
            category = variant.chapter
            blocks.append(f"$CATEGORY: AI accelerators/{category}")
        q = variant.question
        unit = f" (Answer in {quantity.natural(q.answer, q.unit)[1]}.)" if q.type == "numeric" else ""
        listing = f"<pre>{escape(q.code, quote=False)}</pre>" if q.code else ""
        text = safe(html(q.ask + unit) + listing)
        answers = {"choice": _choice, "numeric": _numeric, "code": _code, "order": _pairs, "match": _pairs}[q.type](q)
        lines = "\n".join(f"  {line}" for line in (*answers, f"####{safe(html(q.why))}"))
        blocks.append(f"::{safe(variant.name)}:: [html]{text} {{{'#' if q.type == 'numeric' else ''}\n{lines}\n}}")
    return "\n\n".join(blocks) + "\n"


def safe(text):
    """Text with GIFT's own signs escaped; a line break is written out."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text).replace("\n", "\\n")


def _choice(q):
    for text, entry in q.options:
        yield f"{'=' if entry.get('right') else '~'}{safe(html(text))}#{safe(html(reason(entry)))}"


def _numeric(q):
    value, unit = quantity.natural(q.answer, q.unit)
    yield f"={value:.6g}:{abs(value) * q.rel_tol:.6g}#{safe(html(q.why))}"
    for wrong, entry in q.mistakes:
        number = wrong / quantity.scale(unit)
        yield f"=%0%{number:.6g}:{abs(number) * q.rel_tol:.6g}#{safe(html(slip(entry)))}"


def _code(q):
    yield f"={safe(q.text)}#{safe(html(q.why))}"
    for wrong, entry in q.mistakes:
        yield f"=%0%{safe(wrong)}#{safe(html(reason(entry)))}"


def _pairs(q):
    yield from (f"={safe(html(left))} -> {safe(right)}" for left, right in paired(q))
