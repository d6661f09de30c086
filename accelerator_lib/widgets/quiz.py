"""quiz: questions drawn from a chapter's pool, each answer with its reason.

    quiz("roofline")

The first answer counts; a modelled mistake mended on the second try earns half a point; a hint caps at 0.75.
"""

import secrets

import ipywidgets

from accelerator_lib.quiz import bank, draw, grade, progress
from accelerator_lib.units import number
from accelerator_lib.widgets.question import Question

ITEMS = 5
PASS = 0.7


class Quiz:
    """`items` questions of a chapter; `points` so far. `seed` makes the draw repeatable (an instructor's sheet)."""

    def __init__(self, chapter, seed=None, items=ITEMS):
        self.chapter, self.count = chapter, items
        self.result = ipywidgets.HTML()
        self.again = ipywidgets.Button(description="New questions", tooltip="Draw a fresh set from the pool")
        self.again.on_click(lambda _: self.deal(before=[item.question.id for item in self.items]))
        self.box = ipywidgets.VBox()
        self.deal(seed)

    def deal(self, seed=None, before=()):
        """Draw a fresh set, avoiding the items of the set before as far as the pool allows."""
        self.seed, self.finished = seed or secrets.token_hex(4), False
        drawn = self._draw(before)
        self.items = [Item(draw.question(item, self.seed), i + 1, len(drawn), self) for i, item in enumerate(drawn)]
        self.box.children = [*(item.widget for item in self.items), self.result, self.again]
        self.tell()

    def _draw(self, before):
        return draw.choose(bank.load(self.chapter)["quiz"], self.count, self.seed, before)

    @property
    def points(self):
        return sum(item.points or 0 for item in self.items)

    def tell(self):
        """Say how it stands; the result of a finished set is kept once."""
        done = sum(item.points is not None for item in self.items)
        text = f"{done} of {len(self.items)} answered, {number(self.points)} points."
        if done == len(self.items):
            passed = self.points >= PASS * len(self.items)
            text += " Passed." if passed else f" {number(PASS * len(self.items))} are needed: try fresh questions."
            if not self.finished:
                result = {"points": self.points, "of": len(self.items), "passed": passed, "seed": self.seed}
                progress.record({"kind": "quiz", "chapter": self.chapter, **result})
            self.finished = True
        self.result.value = f'<p role="status" style="font-weight:600">{text}</p>'

    def _repr_mimebundle_(self, **more):
        plain = "\n".join(f"{item.place}. {item.question.ask}" for item in self.items)
        return {**(self.box._repr_mimebundle_(**more) or {}), "text/plain": plain}


class QuickCheck(Quiz):
    """A single item inside a chapter; it counts for no quiz, and "Again" asks it anew."""

    def __init__(self, id, seed=None):
        chapter, self.item = bank.find(id)
        super().__init__(chapter, seed)
        self.again.description, self.again.tooltip = "Again", "The same question, with new numbers where it has some"

    def _draw(self, before):
        return [self.item]

    def tell(self):
        self.result.value = ""


class Item:
    """One question of a quiz and what the learner has done with it."""

    def __init__(self, question, place, of, quiz):
        self.question, self.place, self.quiz = question, place, quiz
        self.points, self.tries, self.hinted, self.mendable = None, 0, False, False
        self.widget = Question(
            self._answered,
            self._asked,
            kicker=f"Question {place} of {of}" if of > 1 else "Quick check",
            ask=question.ask,
            kind=question.type,
            options=[text for text, _ in question.options],
            units=list(question.units or question.targets),
            code=question.code,
            asides=[["hint", "Hint"], ["show", "Show the answer"]],
        )

    def _answered(self, content):
        try:
            verdict = grade.answer(self.question, content)
        except ValueError as error:  # not a number: no try is used up
            self.widget.say("hint", str(error))
            return
        self.tries += 1
        if self.tries == 1 or (self.tries == 2 and self.mendable):
            self._score(verdict)
        event = {"item": self.question.id, "right": verdict.right, "misconception": verdict.misconception}
        progress.record({"kind": "answer", "chapter": self.quiz.chapter, **event, "try": self.tries})
        if verdict.right:
            self.widget.say("right", f"**Right.** {verdict.text}", self._because(verdict), closed=True)
        else:
            belief = bank.belief(verdict.misconception)
            self.widget.say("wrong", f"**Not yet.** {verdict.text}", belief, "Try again, or ask for the answer.")
        self.quiz.tell()

    def _score(self, verdict):
        full = 0.75 if self.hinted else 1.0
        self.points = full * verdict.points if self.tries == 1 else 0.5 if verdict.right else 0.0
        self.mendable = verdict.modelled

    def _asked(self, name):
        if name == "hint":
            self.hinted = True
            self.widget.say("hint", f"**Hint.** {self.question.hint}", closed=self.widget.closed)
        else:
            self.points = self.points or 0.0
            self.widget.say("told", f"**{grade.shown(self.question)}**", self.question.why, self._call(), closed=True)
            self.quiz.tell()

    def _because(self, verdict):
        why = self.question.why if verdict.text != self.question.why else ""
        return "\n".join(part for part in (why, self._call()) if part)

    def _call(self):
        return f"In the library: `{self.question.call}`" if self.question.call else ""


def quiz(chapter, seed=None, items=ITEMS):
    """A quiz of a chapter: `items` questions drawn at random. Raises UnknownName or BadQuiz."""
    return Quiz(chapter, seed, items)


def quick_check(id, seed=None):
    """One item of any chapter's pool, by its id. Raises UnknownName or BadQuiz."""
    return QuickCheck(id, seed)
