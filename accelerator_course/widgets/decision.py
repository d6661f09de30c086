"""decision: a case asks for a number and an interval; then what was measured is shown beside both.

The key is a published measurement, not a model; the first commitment counts, and nothing locks.
"""

from contextlib import suppress
from functools import partial

import traitlets

from accelerator_course import settings
from accelerator_course.quiz import bank, progress, quantity
from accelerator_course.quiz.estimates import estimate
from accelerator_course.quiz.markdown import html, words
from accelerator_course.quiz.sheet import LINE
from accelerator_course.widgets.page import Live, script
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.units import number

FIELDS = {"low": "the lower end", "guess": "your number", "high": "the upper end"}


class Decision(Live):
    """The decision of a chapter: three fields, a button, then a ruler. Raises UnknownName or BadQuiz."""

    _esm = script("ruler.js", "decision.js")
    ask = traitlets.Unicode("").tag(sync=True)  # HTML
    case = traitlets.Unicode("").tag(sync=True)
    unit = traitlets.Unicode("").tag(sync=True)
    given = traitlets.Dict({}).tag(sync=True)  # what was committed, as numbers; empty before, or where it was shown
    rows = traitlets.List([]).tag(sync=True)  # of the ruler: {name, low, at, high, words}; empty until then
    said = traitlets.Unicode("").tag(sync=True)  # HTML, what became of it
    wrong = traitlets.Unicode("").tag(sync=True)  # why what was typed cannot be committed

    def __init__(self, chapter):
        self.chapter, self._entry = chapter, bank.decide(chapter)
        self._row = self._entry["measured"]
        unit = self._entry.get("unit", self._row["unit"])
        super().__init__(ask=html(self._entry["ask"]), case=self._entry["case"], unit=unit)
        known = [event for event in progress.events("decide") if event.get("chapter") == chapter]
        if known and not settings.hall():  # a hall is asked anew
            self._show(known[0])
        self.on_msg(lambda _, content, __: self.receive(content))

    def receive(self, content):
        """Handle what the page sent: {"low", "guess", "high"} as typed, or {"show": True}."""
        if self.rows:
            return
        given = {}
        if not content.get("show"):
            try:
                given = {name: _read(content.get(name, ""), word) for name, word in FIELDS.items()}
                estimate(**given, measured=self._row["value"])
            except (TypeError, ValueError) as error:
                self.wrong = f"{str(error)[0].upper()}{str(error)[1:]}."
                return
        if not settings.hall():  # it is no learner's answer
            progress.record({"kind": "decide", "chapter": self.chapter, **(given or {"guess": None})})
        self._show(given)

    def _show(self, event):
        measured, unit = self._row["value"], self.unit
        given, text = {name: event.get(name) for name in FIELDS}, ""
        rows = [{"name": "measured", "low": measured, "at": measured, "high": measured}]
        try:
            made = estimate(**given, measured=measured)
            rows.insert(0, {"name": "you", "low": made.low, "at": made.guess, "high": made.high})
            held = "Your interval **holds** it" if made.held else "Your interval does **not** hold it"
            off = "right on it" if made.factor < 1.005 else f"off by a factor of {number(made.factor, 3)}"
            text = f" {held}; your number is {off}."
        except (TypeError, ValueError):
            given = {}
        foretold = self._foretold()
        if foretold:
            rows.insert(len(rows) - 1, foretold)
            at, low, high = (number(foretold[name], 3) for name in ("at", "low", "high"))
            span = f"80 % of such measurements lie between {low} and {high}"
            text += f" The models of the course say {at}, and that {span}."
        for row in rows:
            row["words"] = f"{number(row['at'], 3)} {unit}"
        said = f"**Measured: {number(measured, 3)} {unit}.**{text}\n\n{self._entry['why']}\n\n{self._entry['source']}"
        with self.hold_sync():
            self.given, self.rows, self.wrong, self.said = given if text else {}, rows, "", html(said)

    def _foretold(self):
        from accelerator_lib import validation

        with suppress(NotAvailable):
            told = validation.predict(self._row)
            return {"name": "models", "low": told.low, "at": told.value, "high": told.high}
        return None

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        printed = f"{self.ask}<p>between {LINE} and {LINE}, my number: {LINE} {self.unit}</p>"
        return {**live, "text/html": printed, "text/plain": words(self.ask)}, metadata

    def actions(self):
        """(name, callable) of everything a learner can do here: for the sweep of the notebooks."""
        for typed in (("", "", ""), ("3", "2", "1"), ("x", "1", "2"), ("1", "10", "1e3")):
            yield f"decide {typed}", partial(self.receive, dict(zip(FIELDS, typed, strict=True)))


def _read(text, word):
    if not str(text).strip():
        raise ValueError(f"{word} is missing")
    return quantity.read(str(text)[:60])
