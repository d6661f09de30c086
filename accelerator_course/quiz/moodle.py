"""Moodle XML, as Moodle documents it: numbers with tolerance, units and modelled mistakes; orders as matching."""

from html import escape
from xml.etree import ElementTree as xml

from accelerator_course.quiz import quantity
from accelerator_course.quiz.grade import reason, slip
from accelerator_course.quiz.intake import printable
from accelerator_course.quiz.markdown import html


def write(found):
    """The text of one XML file for export.Variants; a category for every chapter."""
    quiz, category = xml.Element("quiz"), None
    for variant in found:
        if variant.chapter != category:
            category = variant.chapter
            head = xml.SubElement(quiz, "question", type="category")
            _text(xml.SubElement(head, "category"), f"$course$/top/AI accelerators/{category}")
        quiz.append(_question(variant))
    xml.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(quiz, encoding="unicode") + "\n"


def _question(variant):
    q = variant.question
    kind = {"choice": "multichoice", "numeric": "numerical", "code": "shortanswer"}.get(q.type, "matching")
    element = xml.Element("question", type=kind)
    _text(xml.SubElement(element, "name"), variant.name)
    listing = f"<pre>{escape(q.code, quote=False)}</pre>" if q.code else ""
    _html(element, "questiontext", html(q.ask) + listing)
    _html(element, "generalfeedback", html(q.why))
    for name, value in (("defaultgrade", "1"), ("penalty", "0.25"), ("hidden", "0"), ("idnumber", variant.name)):
        xml.SubElement(element, name).text = safe(value)
    {"choice": _choice, "numeric": _numeric, "code": _code, "order": _pairs, "match": _pairs}[q.type](element, q)
    _html(element, "hint", html(q.hint))
    tags = xml.SubElement(element, "tags")
    _text(xml.SubElement(tags, "tag"), variant.item.get("see", ""))
    return element


def _choice(element, q):
    xml.SubElement(element, "single").text = "true"
    xml.SubElement(element, "shuffleanswers").text = "true"
    xml.SubElement(element, "answernumbering").text = "abc"
    for text, entry in q.options:
        _answer(element, html(text), 100 if entry.get("right") else 0, reason(entry), "html")


def _numeric(element, q):
    value, unit = quantity.natural(q.answer, q.unit)
    size = quantity.scale(unit)
    answers = [(value, 100, q.why), *((wrong / size, 0, slip(m)) for wrong, m in q.mistakes)]
    for number, fraction, feedback in answers:
        answer = _answer(element, f"{number:.6g}", fraction, feedback, "moodle_auto_format")
        xml.SubElement(answer, "tolerance").text = f"{abs(number) * q.rel_tol:.6g}"
    for name, content in (("unitgradingtype", "1"), ("unitpenalty", "1.0"), ("showunits", "2"), ("unitsleft", "0")):
        xml.SubElement(element, name).text = content
    units = xml.SubElement(element, "units")
    own = [u for u in q.units if quantity.dimension(u) == quantity.dimension(q.unit)]
    for name in sorted(own, key=lambda u: u != unit):  # the unit of the answer first: multiplier 1
        made = xml.SubElement(units, "unit")
        xml.SubElement(made, "multiplier").text = f"{size / quantity.scale(name):g}"
        xml.SubElement(made, "unit_name").text = name


def _code(element, q):
    xml.SubElement(element, "usecase").text = "0"
    _answer(element, q.text, 100, q.why, "moodle_auto_format")
    for wrong, entry in q.mistakes:
        _answer(element, wrong, 0, reason(entry), "moodle_auto_format")


def places(q):
    """[(line, place from "1")] of an order question, as shuffled; tied lines share a place."""
    ranks = sorted(rank for _, rank in q.options)
    return [(text, str(1 + ranks.index(rank))) for text, rank in q.options]


def paired(q):
    """[(left, right)] of an order, the right being places, or of a match; an empty left side is a decoy to Moodle."""
    rights = {right for _, right in q.options}
    return places(q) if q.type == "order" else [*q.options, *(("", t) for t in q.targets if t not in rights)]


def _pairs(element, q):
    xml.SubElement(element, "shuffleanswers").text = "true"
    for left, right in paired(q):
        made = _html(element, "subquestion", html(left))
        _text(xml.SubElement(made, "answer"), right)


def _answer(element, text, fraction, feedback, form):
    answer = xml.SubElement(element, "answer", fraction=str(fraction), format=form)
    _text(answer, text)
    _html(answer, "feedback", html(feedback))
    return answer


def _html(parent, name, content):
    made = xml.SubElement(parent, name, format="html")
    _text(made, content)
    return made


def _text(parent, content):
    xml.SubElement(parent, "text").text = safe(content)


def safe(text):
    """Text without the signs that XML cannot hold."""
    return "".join(filter(printable, text))
