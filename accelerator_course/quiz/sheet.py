"""A sheet to print, with its key on a page of its own. The same seed prints the same sheet, today and next year."""

from html import escape
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from accelerator_course.quiz import draw, grade
from accelerator_course.quiz.keys import runnable
from accelerator_course.quiz.markdown import html, plain

STYLE = Path(__file__).with_name("sheet.css").read_text(encoding="utf-8")
LINES = '<p style="border-bottom: 1px solid; height: 1.6em; margin: 0">&nbsp;</p>' * 5
LINE = '<span style="display: inline-block; min-width: 9em; border-bottom: 1px solid">&nbsp;</span>'
NAME = f"<h2>Name {LINE} &nbsp; Date {LINE}</h2>"


def write(banks, seed, count, items):
    """HTML of `count` different sheets of `items` questions from banks, each followed by its key."""
    pool = [item for content in banks for item in content["quiz"]]
    pages = [_sheet(pool, f"{seed}-{number}", items) for number in range(1, count + 1)]
    return document(f"Sheets of seed {seed}", pages)


def document(title, pages):
    """HTML of pages to print, one after the other; it loads nothing."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>\n{"".join(pages)}</body></html>\n'


def questions(drawn):
    """HTML of drawn questions as a numbered list, with room to write: without the key."""
    return "<ol>" + "\n".join(f'<li class="question">{asked(q)}</li>' for q in drawn) + "</ol>"


def text(drawn):
    """The same as plain text."""
    return "\n".join(line for place, q in enumerate(drawn, 1) for line in _lines(place, q))


def _lines(place, q):
    yield f"{place}. {plain(q.ask)}"
    yield from (f"   {line}" for line in q.code.splitlines())
    letters = ascii_lowercase if q.type == "choice" else "-" * 26
    yield from (f"   {letter} {plain(option)}" for letter, (option, _) in zip(letters, q.options, strict=False))
    if q.type == "match":
        yield f"   ({'; '.join(map(plain, q.targets))})"


def _sheet(pool, seed, items):
    drawn = [draw.question(item, seed) for item in draw.choose(pool, items, seed)]
    keys = "\n".join(f'<li class="question">{known(q)}</li>' for q in drawn)
    title = f"<h1>AI accelerators</h1><small>Sheet {escape(seed)}</small>"
    key = f"<h1>Key of sheet {escape(seed)}</h1><ol>{keys}</ol>"
    return "".join(f'<section class="sheet">{part}</section>\n' for part in (f"{title}{NAME}{questions(drawn)}", key))


def asked(q):
    """HTML of one question with room for the answer."""
    listing = f"<pre>{escape(q.code)}</pre>" if q.code else ""
    return f"{html(q.ask)}{listing}{_room(q)}"


def _room(q):
    if q.type == "choice":
        return '<ol class="choices" type="a">' + "".join(f"<li>{html(text)}</li>" for text, _ in q.options) + "</ol>"
    lines = "".join(f"<tr><td>___</td><td>{html(text)}</td></tr>" for text, _ in q.options)
    if q.type == "order":
        return f"<p>Number them from 1.</p><table>{lines}</table>"
    if q.type == "match":
        lettered = zip(ascii_uppercase, q.targets, strict=False)
        targets = " &nbsp; ".join(f"{letter}) {html(text)}" for letter, text in lettered)
        return f"<table>{lines}</table><p>{targets}</p>"
    return f"<p>Answer {LINE}</p>"


def known(q):
    """HTML of its answer, why, and the call that computes it."""
    shown = grade.shown(q)
    texts = [text for text, _ in q.options] if q.type == "choice" else []
    letter = f"({ascii_lowercase[texts.index(shown)]}) " if texts else ""
    calls = f"<pre>{escape(runnable(q.calls))}</pre>" if q.calls else ""
    return f"<strong>{letter}{html(shown)}</strong><br>{html(q.why)}{calls}"
