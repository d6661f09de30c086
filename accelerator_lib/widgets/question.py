"""One question on the page: a legend, options or a number with its unit, and a reply that is announced.

The key stays in Python: the page sends what was answered and receives words. Used by predictions and quizzes.
"""

import html
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent


class Question(anywidget.AnyWidget):
    """Calls `on_answer` with what the reader gave, and `on_ask(name)` for buttons.

    choice {"option": i}; numeric {"value": text, "unit": unit}; code {"value": text}; order {"value": [positions]};
    match {"value": [position of the target of each line]}, the targets being `units`.
    """

    _esm = HERE / "question.js"
    _css = HERE / "style.css"
    kicker = traitlets.Unicode("").tag(sync=True)
    ask = traitlets.Unicode("").tag(sync=True)
    kind = traitlets.Unicode("choice").tag(sync=True)
    options = traitlets.List([]).tag(sync=True)  # texts: choices, or lines to order or to match
    units = traitlets.List([]).tag(sync=True)  # of a number; targets of a match
    code = traitlets.Unicode("").tag(sync=True)
    action = traitlets.Unicode("Check").tag(sync=True)
    asides = traitlets.List([]).tag(sync=True)  # further buttons: [name, label]
    closed = traitlets.Bool(False).tag(sync=True)
    verdict = traitlets.Unicode("").tag(sync=True)  # right, wrong, hint, told
    feedback = traitlets.List([]).tag(sync=True)  # paragraphs

    def __init__(self, on_answer, on_ask, **traits):
        super().__init__(**traits)
        self._on_answer, self._on_ask = on_answer, on_ask
        self.on_msg(lambda _, content, __: self.receive(content))

    def receive(self, content):
        """Handle what the page sent; public so that tests and the sweep can play the reader."""
        if "ask" in content:
            self._on_ask(content["ask"])
        elif not self.closed:
            self._on_answer(content)

    def say(self, verdict, *paragraphs, closed=False):
        """Show a reply; `closed` ends the question."""
        with self.hold_sync():
            self.verdict, self.feedback, self.closed = verdict, [p for p in paragraphs if p], closed

    def _repr_mimebundle_(self, **more):
        """The live question; where no widgets run (a print), its text."""
        options = "".join(f"<li>{html.escape(option)}</li>" for option in self.options)
        printed = f"<p><strong>{html.escape(self.ask)}</strong></p><ol type='a'>{options}</ol>"
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        return {**live, "text/html": printed, "text/plain": self.ask}, metadata

    def actions(self):
        """(name, callable) of everything a reader can do here: for the sweep of the notebooks."""
        lines = list(range(len(self.options)))
        answers = {
            "choice": [{"option": line} for line in lines],
            "numeric": [{"value": value, "unit": unit} for value in ("0", "1e3", "much") for unit in self.units],
            "code": [{"value": value} for value in ("", "1", "8 0.5")],
            "order": [{"value": lines}, {"value": lines[::-1]}, {"value": []}],
            "match": [{"value": lines}, {"value": lines[::-1]}, {"value": []}],
        }[self.kind]
        for content in answers:
            yield f"answer {content}", lambda content=content: self.receive(content)
        for name, label in self.asides:
            yield f"press {label!r}", lambda name=name: self.receive({"ask": name})
