"""Review: questions from several chapters, those first that are due or were missed: review, warm_up, checkpoint."""

import time

from accelerator_course import syllabus
from accelerator_course.quiz import bank, beliefs, draw, progress, schedule, standing
from accelerator_course.widgets.fold import fold
from accelerator_course.widgets.item import Item
from accelerator_course.widgets.quiz import Quiz
from accelerator_lib.checks.inputs import whole

CHECKPOINTS = {3: 10, 7: 10, 11: 10, 13: 20}  # after a chapter: how many items
FINAL = max(CHECKPOINTS)


class WarmUp(Quiz):
    """Three items of the chapters before: what is due, then on beliefs that answers showed, then missed, then any."""

    kicker, again = "Warm-up {place} of {of} · from chapter {number}", "Three others"
    heading, last = "Until next time", "Done"

    def __init__(self, chapter, seed=None):
        super().__init__(chapter, 3, seed)
        self.folded = fold("Warm-up: 3 questions from earlier chapters", self.box)

    def draw(self, before):
        events, chapters = progress.events(), _before(self.name)
        waiting = [schedule.cards()[card] for card in schedule.due(events, time.time())]
        come = [pair for pair in waiting if pair[0] in chapters and pair[1]["id"] not in before][: self.count]
        wanted = dict.fromkeys([*beliefs.diagnosed(events), *standing.missed(events)])
        pool = [pair for pair in _pool(chapters) if pair not in come]
        return [*come, *draw.revisit(pool, wanted, self.count - len(come), self.seed, before)]

    def tell(self):
        self.deck.states = [item.state for item in self.items]
        self.result.say("hint", f"Not graded. {schedule.told(progress.events(), time.time())}", self._unsaved())

    def _item(self, chapter, item, kicker, arrive):
        seed = schedule.seed(progress.events(), item) if item.get("params") else self.seed
        return Item(chapter, item, draw.question(item, seed), kicker, self.tell, arrive=arrive)

    def _shown(self):
        return self.folded


class Review(WarmUp):
    """What is due of all chapters, ten minutes a day: one button begins."""

    kicker, again = "{place} of {of} · from chapter {number}", "Begin"
    heading, last = "What is due", "Done"

    def __init__(self):
        Quiz.__init__(self, "review", schedule.DAILY)
        self.result.add_class("acc-at-due")

    def draw(self, before):
        waiting, fit = schedule.today(progress.events(), time.time())
        return [schedule.cards()[card] for card in waiting[: fit or self.count]] if before else []

    def _pressed(self, _):
        self.deal(before=["begun"])

    def tell(self):
        self.deck.states = [item.state for item in self.items]
        now, events = time.time(), progress.events()
        ready = schedule.due(events, now) and all(self.deck.states)
        self.result.asides = [["again", self.again]] if ready else []
        said = schedule.told(events, now) or "Nothing answered yet. What you answer comes back before you forget it."
        self.result.say("hint", said, self._unsaved())

    def _shown(self):
        return self.box


class Checkpoint(Quiz):
    """Ten items of chapters 1 to `after`; the final: numbers of every chapter. Raises ValueError or BadQuiz."""

    kicker = "Question {place} of {of} · chapter {number}"

    def __init__(self, after, seed=None):
        if whole("after", after, 1) not in CHECKPOINTS:
            raise ValueError(f"there are checkpoints after chapters {', '.join(map(str, CHECKPOINTS))}; got {after}")
        missing = [syllabus.chapters()[t]["title"] for t in _upto(after) if t not in bank.topics()]
        if missing:
            raise bank.BadQuiz(f"this checkpoint needs the questions of {len(missing)} more chapters: {missing[0]} ...")
        self.after = after
        super().__init__(f"checkpoint-{after}", CHECKPOINTS[after], seed)

    def draw(self, before):
        events = progress.events()
        wanted = dict.fromkeys([*beliefs.diagnosed(events), *standing.missed(events)])
        if self.after == FINAL:
            numbers = [pair for pair in _pool(_upto(FINAL)) if pair[1].get("params")]  # drawn anew for everyone
            return draw.spread(numbers, wanted, self.count, self.seed, before)
        return draw.revisit(_pool(_upto(self.after)), wanted, self.count, self.seed, before, share=2 / 3)


def _pool(chapters):
    return [(topic, item) for topic in bank.topics() if topic in chapters for item in bank.load(topic)["quiz"]]


def _upto(number):
    return [topic for topic, entry in syllabus.chapters().items() if entry["number"] <= number]


def _before(topic):
    """The chapters before one; beyond the course's end, those that it builds on."""
    known = syllabus.chapters()
    if known[topic]["number"] <= FINAL:
        order = list(known)
        return order[: order.index(topic)]
    labels = {entry["label"]: name for name, entry in known.items()}
    found, open_ = set(), [topic]
    while open_:
        new = {labels[label] for label in known[open_.pop()]["needs"]} - found
        found |= new
        open_ += new
    return found
