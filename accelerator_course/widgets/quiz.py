"""quiz: questions drawn from a chapter's pool, each new try a new draw; quick_check: one, which counts for no quiz."""

import secrets

import ipywidgets
import traitlets

from accelerator_course import settings, syllabus
from accelerator_course.quiz import bank, beliefs, draw, progress, sheet, standing
from accelerator_course.widgets import page, printed
from accelerator_course.widgets.item import Item
from accelerator_course.widgets.lecture import Lecture
from accelerator_course.widgets.question import Question, seen
from accelerator_lib.checks.inputs import whole
from accelerator_lib.units import number

ITEMS = 5
PASS = 0.7
CARD, BOX = "acc-card", "acc-deck"  # classes of a card, and of the box that holds the cards and this row


class Deck(page.Live):
    """`states` says how each card went: "" (open), right, part, wrong. Behind them lies one card more, the result."""

    _esm = page.script("deck.js")
    states = traitlets.List([]).tag(sync=True)
    note = traitlets.Unicode("").tag(sync=True)
    last = traitlets.Unicode("Result").tag(sync=True)  # what the card behind the last is called


class Quiz:
    """`items` questions of a chapter, one card at a time; `points` so far. `seed` makes the draw repeatable."""

    kicker, again = "Question {place} of {of}", "New questions"
    heading, last = "Your result", "Result"  # of the card behind the questions
    fresh = staticmethod(lambda: secrets.token_hex(4))  # a seed

    def __init__(self, name, count, seed=None):
        self.name, self.count = name, count
        shown = {"kind": "none", "ask": self.heading, "asides": [["again", self.again]]}
        self.result = Question(lambda _: None, self._pressed, **shown)
        self.result.add_class(CARD)
        self.box = ipywidgets.VBox()
        self.box.add_class(BOX)
        self.deal(seed)

    def draw(self, before):
        """[(chapter, item)] of a fresh set; `before` are the ids of the set before."""
        return [(self.name, item) for item in draw.choose(bank.load(self.name)["quiz"], self.count, self.seed, before)]

    def deal(self, seed=None, before=()):
        """Draw a fresh set, avoiding the items of the set before as far as the pool allows; then go to its first."""
        self.seed, self.kept = self.fresh() if seed is None else str(seed), None
        self.items, drawn = [], self.draw(before)
        for i, (chapter, item) in enumerate(drawn):
            label = syllabus.chapters()[chapter]["label"]
            kicker = self.kicker.format(place=i + 1, of=len(drawn), number=label)
            self.items.append(self._item(chapter, item, kicker, arrive=bool(before and i == 0)))
            self.items[-1].widget.add_class(CARD)
        self.deck = Deck(states=[""] * len(self.items), last=self.last)
        self._lay_out()
        self.tell()

    def _lay_out(self):
        self.box.children = [*(item.widget for item in self.items), self.result, self.deck]

    def _item(self, chapter, item, kicker, arrive):
        return Item(chapter, item, draw.question(item, self.seed), kicker, self.tell, arrive=arrive)

    def _pressed(self, _):
        self.deal(before=[item.question.id for item in self.items])

    points = property(lambda self: sum(item.points or 0 for item in self.items))

    def tell(self):
        """Say how it stands; the result of a finished set is kept, and kept again where it rose."""
        done, of = sum(item.points is not None for item in self.items), len(self.items)
        self.deck.states = [item.state for item in self.items]
        so_far = "1 point" if self.points == 1 else f"{number(self.points)} points"
        self.deck.note = f"{so_far} so far" if self.points and done < of else ""
        text, verdict = f"{done} of {of} answered.", "hint"
        if done == of:
            passed = self.points >= PASS * of
            verdict = "right" if passed else "wrong"
            text = f"**{number(self.points)} of {of} points.** "
            text += "Passed." if passed else f"{number(PASS * of)} are needed to pass: try fresh questions."
            if self.points != self.kept:  # mended on the second try, a question earns half a point more
                result = {"points": self.points, "of": of, "passed": passed, "seed": self.seed}
                progress.record({"kind": "quiz", "chapter": self.name, **result})
            self.kept = self.points
        look, best = self._look() if done == of else [], standing.chapter(progress.events(), self.name).best
        best = "" if best is None else f"Your best so far: {number(best * self.count)} of {self.count} points."
        self.result.say(verdict, text, best, *look, self._unsaved())

    def _look(self):
        """What is worth another look: beliefs that two answers have in common, and a panel for each question lost."""
        asked, told = {item.question.id for item in self.items}, []
        for name, items in beliefs.diagnosed(progress.events()).items():
            if asked & set(items):
                told += [beliefs.told(name, items), seen(bank.misconceptions()[name]["panel"])]
        lost = [seen(item.question.see) for item in self.items if item.points < 0.5]
        lost = [part for i, part in enumerate(lost) if part and part not in [*told, *lost[:i]]]
        return [*told, *(["**Worth another look:**", *lost] if lost else [])]

    def _unsaved(self):
        lost = not all(item.stored for item in self.items)
        return f"Your answers could not be saved: {progress.folder()} cannot be written." if lost else ""

    def _repr_mimebundle_(self, **_):
        live, metadata = page.live(self._shown(), self.result)
        plain = sheet.text([item.question for item in self.items])
        text = printed.questions([item.widget for item in self.items])
        return {**live, "text/html": text, "text/plain": plain}, metadata

    def _shown(self):
        return self.box


class QuickCheck(Quiz):
    """A single item inside a chapter; it counts for no quiz, and "Again" asks it anew."""

    kicker, again = "Quick check", "Again"

    def __init__(self, id, seed=None):
        self.entry = bank.find(id)
        super().__init__(self.entry[0], 1, seed)

    def draw(self, before):
        return [self.entry]

    def _lay_out(self):
        self.box.children = [self.items[0].widget]

    def _item(self, chapter, item, kicker, arrive):
        asked = draw.question(item, self.seed)
        return Item(chapter, item, asked, kicker, self.tell, again=lambda: self.deal(before=[asked.id]), arrive=arrive)

    def tell(self):
        """Nothing is counted."""


def quiz(chapter, seed=None, items=ITEMS, lecture=False):
    """`items` questions of a chapter; `lecture` shows them large, with votes. Raises UnknownName or BadQuiz."""
    if lecture or settings.hall():
        return Lecture(chapter, seed, most=items if settings.hall() else None)
    return Quiz(bank.load(chapter)["chapter"], whole("items", items, 1), seed)


def quick_check(id, seed=None):
    """One item of any chapter's pool, by its id. Raises UnknownName or BadQuiz."""
    if settings.hall():
        chapter, item = bank.find(id)
        return Lecture(chapter, seed, [item])
    return QuickCheck(id, seed)
