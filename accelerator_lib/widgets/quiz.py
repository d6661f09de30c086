"""quiz and its relatives: questions drawn from the pools, each answer with its reason.

quiz("roofline")                 five of a chapter; 70 % of the points pass, and every new try is a new draw
quick_check("ridge-point")       one item inside a chapter; counts for no quiz
warm_up("tiling")                three from earlier chapters, those first that are due for review; not graded
checkpoint(3), checkpoint(13)    ten from chapters 1 to 3, and the final: twenty with numbers of their own
"""

import secrets
import time

import ipywidgets

from accelerator_lib import data, settings
from accelerator_lib.inputs import whole
from accelerator_lib.quiz import bank, draw, progress, standing
from accelerator_lib.units import number
from accelerator_lib.widgets.item import Item
from accelerator_lib.widgets.lecture import Lecture
from accelerator_lib.widgets.question import Question

ITEMS = 5
PASS = 0.7
CHECKPOINTS = {3: 10, 7: 10, 11: 10, 13: 20}  # after a chapter: how many items


class Quiz:
    """`items` questions of a chapter; `points` so far. `seed` makes the draw repeatable (an instructor's sheet)."""

    kicker, again = "Question {place} of {of}", "New questions"

    def __init__(self, name, count, seed=None):
        self.name, self.count = name, count
        self.result = Question(lambda _: None, self._pressed, kind="none", asides=[["again", self.again]])
        self.box = ipywidgets.VBox()
        self.deal(seed)

    def draw(self, before):
        """[(chapter, item)] of a fresh set; `before` are the ids of the set before."""
        return [(self.name, item) for item in draw.choose(bank.load(self.name)["quiz"], self.count, self.seed, before)]

    def deal(self, seed=None, before=()):
        """Draw a fresh set, avoiding the items of the set before as far as the pool allows."""
        self.seed, self.finished = seed or secrets.token_hex(4), False
        drawn = self.draw(before)
        self.items = [
            self._item(chapter, item, self._kicker(i, len(drawn), chapter)) for i, (chapter, item) in enumerate(drawn)
        ]
        self.box.children = [*(item.widget for item in self.items), self.result]
        self.tell()

    def _item(self, chapter, item, kicker):
        return Item(chapter, item, draw.question(item, self.seed), kicker, self.tell)

    def _kicker(self, i, of, chapter):
        return self.kicker.format(place=i + 1, of=of, number=data.chapters()[chapter]["number"])

    def _pressed(self, _):
        self.deal(before=[item.question.id for item in self.items])

    @property
    def points(self):
        return sum(item.points or 0 for item in self.items)

    def tell(self):
        """Say how it stands; the result of a finished set is kept once."""
        done, of = sum(item.points is not None for item in self.items), len(self.items)
        text, verdict = f"**{done} of {of} answered, {number(self.points)} points.**", "hint"
        if done == of:
            passed = self.points >= PASS * of
            verdict = "right" if passed else "wrong"
            text += " Passed." if passed else f" {number(PASS * of)} are needed: try fresh questions."
            if not self.finished:
                result = {"points": self.points, "of": of, "passed": passed, "seed": self.seed}
                progress.record({"kind": "quiz", "chapter": self.name, **result})
            self.finished = True
        lost = [item for item in self.items if item.points is not None and item.points < 0.5]
        revisit = [bank.belief(tag) for tag in dict.fromkeys(tag for i in lost for tag in i.item.get("tags", []))]
        see = [item.question.see for item in lost] if done == of else []
        told = ["Worth another look:", *revisit] if see else []
        self.result.say(verdict, text, self._best(), *told, self._unsaved(), see=see)

    def _best(self):
        best = standing.chapter(progress.events(), self.name).best
        return "" if best is None else f"Your best so far: {number(best * self.count)} of {self.count} points."

    def _unsaved(self):
        lost = not all(item.stored for item in self.items)
        return f"Your answers could not be saved: {progress.folder()} cannot be written." if lost else ""

    def _repr_mimebundle_(self, **more):
        plain = "\n".join(f"{place}. {item.question.ask}" for place, item in enumerate(self.items, 1))
        return {**(self.box._repr_mimebundle_(**more) or {}), "text/plain": plain}


class QuickCheck(Quiz):
    """A single item inside a chapter; it counts for no quiz, and "Again" asks it anew."""

    kicker, again = "Quick check", "Again"

    def __init__(self, id, seed=None):
        self.entry = bank.find(id)
        super().__init__(self.entry[0], 1, seed)

    def draw(self, before):
        return [self.entry]

    def deal(self, seed=None, before=()):
        super().deal(seed, before)
        self.box.children = self.box.children[:1]

    def _item(self, chapter, item, kicker):
        return Item(chapter, item, draw.question(item, self.seed), kicker, self.tell, again=self.deal)

    def tell(self):
        """Nothing is counted."""


class WarmUp(Quiz):
    """Three items of earlier chapters: what is due for review first, then what was missed, then anything."""

    kicker, again = "Warm-up {place} of {of} · from chapter {number}", "Three others"

    def draw(self, before):
        pool = _pool(data.chapters()[self.name]["number"] - 1)
        events = progress.events()
        tags = [*standing.due(events, time.time()), *standing.missed(events)]
        return draw.revisit(pool, dict.fromkeys(tags), self.count, self.seed, before)

    def tell(self):
        waiting = len(standing.due(progress.events(), time.time()))
        words = {0: "Nothing is due for review today.", 1: "One belief is due for review."}
        due = words.get(waiting, f"{waiting} beliefs are due for review.")
        rhythm = "What you get right comes back after 3, 7 and 21 days."
        self.result.say("hint", f"Not graded. {due} {rhythm}", self._unsaved())


class Checkpoint(Quiz):
    """Chapters 1 to `after`, two thirds of it from beliefs that were missed; the final asks for numbers only."""

    kicker = "Question {place} of {of} · chapter {number}"

    def __init__(self, after, seed=None):
        if whole("after", after, 1) not in CHECKPOINTS:
            raise ValueError(f"there are checkpoints after chapters {', '.join(map(str, CHECKPOINTS))}; got {after}")
        missing = [e["title"] for t, e in data.chapters().items() if e["number"] <= after and t not in bank.topics()]
        if missing:
            raise bank.BadQuiz(f"this checkpoint needs the questions of {len(missing)} more chapters: {missing[0]} ...")
        self.after = after
        super().__init__(f"checkpoint-{after}", CHECKPOINTS[after], seed)

    def draw(self, before):
        pool = _pool(self.after, only="numeric" if self.after == max(CHECKPOINTS) else None)
        missed = standing.missed(progress.events())
        return draw.revisit(pool, missed, self.count, self.seed, before, share=2 / 3)


def _pool(last, only=None):
    """[(chapter, item)] of chapters 1 to `last` that have questions; `only` one type."""
    topics = [topic for topic in bank.topics() if data.chapters()[topic]["number"] <= last]
    return [(t, item) for t in topics for item in bank.load(t)["quiz"] if only in (None, item["type"])]


def quiz(chapter, seed=None, items=ITEMS, lecture=False):
    """A quiz of a chapter: `items` questions drawn at random; `lecture` shows them one at a time, large, with votes.

    Raises UnknownName or BadQuiz."""
    if lecture or settings.hall():
        return Lecture(chapter, seed, most=items if settings.hall() else None)
    return Quiz(bank.load(chapter)["chapter"], whole("items", items, 1), seed)


def quick_check(id, seed=None):
    """One item of any chapter's pool, by its id. Raises UnknownName or BadQuiz."""
    if settings.hall():
        chapter, item = bank.find(id)
        return Lecture(chapter, seed, [item])
    return QuickCheck(id, seed)


def warm_up(chapter, seed=None):
    """Three questions of the chapters before this one. Raises UnknownName."""
    return WarmUp(chapter, 3, seed)


def checkpoint(after, seed=None):
    """Ten questions of chapters 1 to `after` (3, 7, 11), or the final of twenty (13). Raises ValueError or BadQuiz."""
    return Checkpoint(after, seed)
