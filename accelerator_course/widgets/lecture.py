"""One question for the hall, large, in steps: stem, options, a vote, discussion, a second vote, the verdict."""

import secrets
from functools import partial

import traitlets

from accelerator_course.quiz import bank, draw, grade, progress
from accelerator_course.quiz.markdown import html, words
from accelerator_course.widgets.page import Live, script, style

STEPS = ("stem", "options", "discuss", "verdict")
MOST_HANDS = 10_000


class Lecture(Live):
    """Multiple-choice items of a chapter (at most `most`), or `items`; a key comes with its verdict."""

    _esm = script("votes.js", "lecture.js")
    _css = style("lecture.css")
    place = traitlets.Unicode("").tag(sync=True)
    first = traitlets.Bool(True).tag(sync=True)  # of the questions
    last = traitlets.Bool(False).tag(sync=True)
    ask = traitlets.Unicode("").tag(sync=True)  # HTML
    options = traitlets.List([]).tag(sync=True)  # HTML
    step = traitlets.Enum(STEPS, "stem").tag(sync=True)
    votes = traitlets.List([]).tag(sync=True)  # counts of the votes taken so far: at most two lists
    reasons = traitlets.List([]).tag(sync=True)  # with the verdict: {"right": bool, "html": why}

    def __init__(self, chapter, seed=None, items=(), most=None):
        super().__init__()
        self.chapter, self.seed = chapter, seed or secrets.token_hex(4)
        pool = [item for item in bank.load(chapter)["quiz"] if item["type"] == "choice"]
        self.deck = list(items) or draw.choose(pool, min(len(pool), most or len(pool)), self.seed)
        self._left = {}  # {number of a question: how it was left}
        self._show(0)
        self.on_msg(lambda _, content, __: self.receive(content))

    def _show(self, at):
        self.at, self.question = at, draw.question(self.deck[at], self.seed)
        of = len(self.deck)
        offered = self.question.options if self.question.type == "choice" else []
        with self.hold_sync():
            self.place = f"Question {at + 1} of {of}" if of > 1 else "Quick check"
            self.first, self.last = at == 0, at + 1 == of
            self.ask, self.options = html(self.question.ask), [html(text) for text, _ in offered]
            self.step, self.votes, self.reasons = self._left.pop(at, ("stem", [], []))

    def receive(self, content):
        """Handle what the page sent: {"go": step, "next" or "back"}, {"votes": counts}."""
        if "votes" in content:
            self._count(content["votes"])
        elif content.get("go") in ("next", "back"):
            self._leave(self.at + (1 if content["go"] == "next" else -1))
        elif content.get("go") == "verdict":
            self._tell()
        elif content.get("go") in STEPS:
            self.step = content["go"]

    def _leave(self, at):
        self._left[self.at] = self.step, self.votes, self.reasons
        if at == len(self.deck):
            self._left, at = {}, 0
        self._show(max(0, at))

    def _count(self, counts):
        """Take a vote: whole numbers of hands, one for each option; anything else counts as none."""
        hands = [int(n) if isinstance(n, (int, float)) and 0 <= n < MOST_HANDS else 0 for n in counts]
        hands = (hands + [0] * len(self.options))[: len(self.options)]
        first = not self.votes
        with self.hold_sync():
            self.votes = [hands] if first else [self.votes[0], hands]
            self.step = "discuss"
        if not first:
            self._tell()

    def _tell(self):
        entries = [entry for _, entry in self.question.options] if self.options else ()
        told = [(entry.get("right", False), grade.reason(entry)) for entry in entries]
        told = told or [(True, f"**{grade.shown(self.question)}**\n\n{self.question.why}")]
        with self.hold_sync():
            self.reasons, self.step = [{"right": right, "html": html(text)} for right, text in told], "verdict"
        if not entries:
            return
        right = next(i for i, entry in enumerate(entries) if entry.get("right"))
        shares = [vote[right] / max(1, sum(vote)) for vote in self.votes]
        progress.record({"kind": "vote", "chapter": self.chapter, "item": self.question.id, "right": shares})

    def _repr_mimebundle_(self, **more):
        live, metadata = super()._repr_mimebundle_(**more) or ({}, {})
        return {**live, "text/html": f"<strong>{self.ask}</strong>", "text/plain": words(self.ask)}, metadata

    def actions(self):
        """(name, callable) of everything a lecturer can do here: for the sweep of the notebooks."""
        counts = list(range(len(self.options)))
        steps = [{"go": "options"}, {"votes": counts}, {"votes": counts[::-1]}]
        steps += [{"go": step} for step in ("verdict", "next", "back")]
        yield from ((f"lecture {content}", partial(self.receive, content)) for content in steps)
