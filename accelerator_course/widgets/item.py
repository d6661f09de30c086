"""One question of a quiz and what the learner has done with it: tries, a hint, points.

The first answer counts; a modelled mistake mended on the second try earns half a point; a hint caps at 0.75.
"""

from accelerator_course.quiz import grade, keys, marks, progress
from accelerator_course.widgets.question import Question

ORDERED = {"order": "Here is the right order.", "match": "Here are the right pairs."}


class Item:
    """`points` is None until something counted. `done` is called after every step, `again` by a button."""

    def __init__(self, chapter, item, question, kicker, done, again=None, arrive=False):
        self.chapter, self.item, self.question, self._done, self._again = chapter, item, question, done, again
        self.points, self.tries, self.hinted, self.mendable, self.stored = None, 0, False, False, True
        self.met = False  # whether the first answer was right
        self._given, self._tried = None, []  # the last answer; positions of a choice that were wrong
        self._reply = ()  # what was said to the last answer, where it was wrong: a hint leaves it there
        shown = {"kicker": kicker, "ask": question.ask, "kind": question.type, "code": question.code, "arrive": arrive}
        shown |= {"options": [text for text, _ in question.options], "units": question.units or question.targets}
        shown |= {"reserve": [[n for n in reply if n] for reply in self._replies()], "room": marks.room(question)}
        shown |= {"asides": [["hint", "Hint"], ["show", "Show the answer"]]}
        self.widget = Question(self._answered, self._asked, after=[["again", "Again"]] if again else [], **shown)

    @property
    def state(self):
        """How the first answer went: "" (none yet), right, part or wrong."""
        if self.points is None:
            return ""
        return "right" if self.met else "part" if self.points else "wrong"

    def _answered(self, content):
        try:
            verdict = grade.answer(self.question, content)
        except ValueError as error:  # not a number: no try is used up
            return self.widget.say("hint", str(error))
        self.tries, self._given = self.tries + 1, content
        if self.points is None or (self.tries == 2 and self.mendable):
            self._score(verdict)
        self._keep(verdict)
        if verdict.right:
            why = self.question.why if verdict.text != self.question.why else ""
            self._close("right", f"**{self._right()}** {verdict.text}", why)
        else:
            self._wrong(verdict, content)
        self._done()

    def _right(self):
        if self.tries == 1 or self._again:  # a quick check counts for nothing
            return "Right."
        return f"Right now; {'half a point' if self.points == 0.5 else 'the first try counts'}."

    def _wrong(self, verdict, content):
        if self.question.type == "choice":
            self._tried.append(content["option"])
            self.widget.mark(marks.tried(self.question, self._tried))
        see = verdict.see or self.question.see
        self._reply = (f"**Not yet.** {verdict.text}",)
        self.widget.say("wrong", *self._reply, "Try again, or ask for the answer.", see=see)

    def _keep(self, verdict):
        event = {"kind": "answer", "chapter": self.chapter, "item": self.question.id, "try": self.tries}
        event |= {"right": verdict.right, "points": self.points, "misconception": verdict.misconception}
        event |= {"seed": self.question.seed} if self.item.get("params") else {}
        self.stored = progress.record(event)

    def _score(self, verdict):
        full = 0.75 if self.hinted else 1.0
        self.met = verdict.right and self.tries == 1
        self.points = min(full, verdict.points if self.tries == 1 else 0.5 if verdict.right else 0.0)
        self.mendable = verdict.modelled

    def _asked(self, name):
        if name == "hint":
            self.hinted = True
            return self.widget.say("hint", *self._reply, f"**Hint.** {self.question.hint}")
        if name == "again":
            return self._again()
        if self.points is None:  # an answer that was asked for is a first answer that was not known
            self.points, self.tries = 0.0, 1
            self._keep(grade.Verdict(False, ""))
        self._close("told", f"**{self._told()}**", self.question.why)
        self._done()

    def _told(self):
        return ORDERED.get(self.question.type) or grade.shown(self.question)

    def _close(self, verdict, *paragraphs):
        self.widget.mark(marks.marks(self.question, self._given, self._tried))
        code = keys.runnable(self.question.calls)
        self.widget.say(verdict, *paragraphs, code=code, see=self.question.see, closed=True)

    def _replies(self):
        """Letters of every paragraph of the longest replies there can be, of each kind; links and folds are short."""
        q, short = self.question, 20
        wrong = [entry for _, entry in (*(q.options if q.type == "choice" else ()), *q.mistakes)]
        for e in wrong:
            yield [len(grade.reason(e)) + len(e.get("name", "")) + 12, max(short, len(q.hint)), short]
        lines = sorted((len(text) for text, _ in q.options), reverse=True) if q.type in ("order", "match") else [0]
        yield [60 + sum(lines[:2]), short, short]  # the worst inversion, the first wrong pair
        right = max((len(e["why"]) for e in wrong), default=0) if q.type == "choice" else 0
        yield [right + short, len(q.why), short, short]
        yield [round(1.15 * len(self._told())), len(q.why), short, short]  # bold letters are wider
