"""explain: say it in your own words, which are kept; then compare with a model answer. Nobody judges."""

import traitlets

from accelerator_course import settings
from accelerator_course.quiz import bank, progress
from accelerator_course.quiz.fields import TEXT
from accelerator_course.quiz.markdown import html, words
from accelerator_course.quiz.sheet import LINES
from accelerator_course.widgets.page import Live, script


class Explain(Live):
    """The box of a chapter: saved when the writer pauses, and on leaving it. Raises UnknownName or BadQuiz."""

    _esm = script("explain.js")
    ask = traitlets.Unicode("").tag(sync=True)  # HTML
    text = traitlets.Unicode("").tag(sync=True)  # what is kept
    saved = traitlets.Enum(("", "before", "yes", "no"), "").tag(sync=True)
    model = traitlets.Unicode("").tag(sync=True)  # HTML; empty until something was written

    def __init__(self, chapter):
        self.chapter, self._entry = chapter, bank.explain(chapter)
        kept = [e["text"] for e in progress.events("explain") if e.get("chapter") == chapter and "text" in e]
        super().__init__(ask=html(self._entry["ask"]))
        self._keep(kept[-1] if kept else "", "before" if kept else "")
        self.on_msg(lambda _, content, __: self.receive(content))

    def receive(self, content):
        """Handle what the page sent, {"text": ...}; public so that tests and the sweep can play the writer."""
        text = str(content["text"])[:TEXT]
        if text != self.text or self.saved == "no":
            stored = progress.record({"kind": "explain", "chapter": self.chapter, "text": text})
            self._keep(text, "yes" if stored else "no")

    def _keep(self, text, saved):
        with self.hold_sync():
            self.text, self.saved = text, saved
            self.model = html(self._entry["model"]) if text.strip() or settings.hall() else ""

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        printed = f"<p><strong>{self.ask}</strong></p>{LINES}"
        return {**live, "text/html": printed, "text/plain": words(self.ask)}, metadata

    def actions(self):
        """(name, callable) of everything a writer can do here: for the sweep of the notebooks."""
        for text in ("", "Because of the bytes.", "Because of the bytes.", "<b>" * 50):
            yield f"write {text[:10]!r}", lambda text=text: self.receive({"text": text})
