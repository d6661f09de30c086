"""One question on the page. The key stays in Python: the page sends what was answered and receives words.

Words are Markdown here and inert HTML on the page.
"""

from functools import partial

import traitlets

from accelerator_course import settings
from accelerator_course.quiz.markdown import html, plain, words
from accelerator_course.widgets import printed
from accelerator_course.widgets.catalog import exploration
from accelerator_course.widgets.page import STYLE, Leading, script, style


class Question(Leading):
    """Calls `on_answer` with what the reader gave, and `on_ask(name)` for buttons.

    {"option": i}; numeric {"value": text, "unit": unit}; code {"value": text}; order, match {"value": [positions]}.
    """

    _esm = script("votes.js", "ballot.js") if settings.hall() else script("question.js")
    _css = style("lecture.css") if settings.hall() else STYLE
    kicker = traitlets.Unicode("").tag(sync=True)
    ask = traitlets.Unicode("").tag(sync=True)  # HTML
    kind = traitlets.Unicode("choice").tag(sync=True)
    options = traitlets.List([]).tag(sync=True)  # HTML: choices, or lines to order or to match
    units = traitlets.List([]).tag(sync=True)  # of a number; targets of a match
    code = traitlets.Unicode("").tag(sync=True)
    action = traitlets.Unicode("Check").tag(sync=True)
    asides = traitlets.List([]).tag(sync=True)  # further buttons while it is open: [name, label]
    after = traitlets.List([]).tag(sync=True)  # buttons once it is closed
    closed = traitlets.Bool(False).tag(sync=True)
    arrive = traitlets.Bool(False).tag(sync=True)  # whether view and focus go to it when it appears
    marks = traitlets.List([]).tag(sync=True)  # {html, sign, note}: of each option, or the rows that replace the fields
    room = traitlets.List([]).tag(sync=True)  # rows as long as any that may come: room is kept for them
    verdict = traitlets.Unicode("").tag(sync=True)  # right, wrong, hint, told
    feedback = traitlets.List([]).tag(sync=True)  # {"html": ...}, {"code": ...} or {"see": catalog.exploration}
    reserve = traitlets.List([]).tag(sync=True)  # letters of each paragraph of the replies: room is kept for them

    def __init__(self, on_answer, on_ask, ask="", options=(), units=(), room=(), **traits):
        self._on_answer, self._on_ask = on_answer, on_ask
        traits |= {"ask": html(ask), "options": [html(text) for text in options], "room": _rows(room)}
        super().__init__(units=[plain(text) for text in units], **traits)
        self.on_msg(lambda _, content, __: self.receive(content))

    def receive(self, content):
        """Handle what the page sent; public so that tests and the sweep can play the reader."""
        if "ask" in content:
            offered = [name for name, _ in (self.after if self.closed else self.asides)]
            if content["ask"] in offered:  # a click may be on its way while the question closes
                self._on_ask(content["ask"])
        elif "hands" in content:
            self.vote(content["hands"])
        elif not self.closed:
            self._on_answer(content)

    def vote(self, hands):
        """A hall's answer, so many hands for each option: it is told the right one."""
        self._on_ask("show")

    def mark(self, marks):
        """Mark the options, or put these rows in place of the fields."""
        self.marks = _rows(marks)

    def say(self, verdict, *paragraphs, see="", code="", closed=False):
        """Show a reply in Markdown or links (`seen`), lines of Python, where to see it; `closed` ends the question."""
        parts = [text if isinstance(text, dict) else {"html": html(text)} for text in paragraphs if text]
        parts += [{"code": code}] if code else []
        parts += filter(None, [seen(see)])
        with self.hold_sync():
            self.verdict, self.feedback, self.closed = verdict, parts, closed

    @property
    def said(self):
        """The reply as text: what a screen reader says."""
        return "\n".join(words(part.get("html", "")) or part.get("code", "") for part in self.feedback).strip()

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        return {**live, "text/html": printed.question(self), "text/plain": words(self.ask)}, metadata

    def actions(self):
        """(name, callable) of everything a reader can do here: for the sweep of the notebooks."""
        lines = list(range(len(self.options)))
        answers = [{"value": value} for value in (lines, lines[::-1], [])]  # of an order, of a match
        if self.kind in ("choice", "none"):
            answers = [{"option": line} for line in lines]
        elif self.kind == "numeric":
            answers = [{"value": value, "unit": unit} for value in ("0", "1e3", "much") for unit in self.units]
        elif self.kind == "code":
            answers = [{"value": value} for value in ("", "1", "8 0.5")]
        yield from ((f"answer {content}", partial(self.receive, content)) for content in answers)
        for name, label in [*self.asides, *self.after]:
            yield f"press {label!r}", partial(self.receive, {"ask": name})


def seen(see):
    """The part of a reply that leads to a panel, `03_roofline#dot`; None where there is none."""
    place = exploration(see) if see else None
    return place and {"see": place}


def _rows(marks):
    return [{"html": html(mark.text), "sign": mark.sign, "note": mark.note} for mark in marks]
