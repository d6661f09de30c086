"""Where a learner stands, from the log. A topic is the panel to which a question leads (03_roofline#dot)."""

from collections import Counter
from dataclasses import dataclass

from accelerator_course.quiz import bank


@dataclass(frozen=True)
class Chapter:
    """What was done of a chapter: counts, and the best quiz as a share of its points (None: not taken)."""

    explored: int
    predicted: int
    solved: int
    best: float | None
    passed: bool
    right: int = 0  # kernels
    stars: int = 0  # of these at par


@dataclass(frozen=True)
class Row:
    """One chapter of a summary: what there is beside what was done."""

    label: str
    title: str
    panels: int
    exercises: int
    chapter: Chapter
    epilogue: bool = False  # after the final: it does not count
    rungs: int = 0  # kernels to write


@dataclass(frozen=True)
class Summary:
    """Everything on one page: rows, checkpoints (name, best share), seeds of passed quizzes, the token."""

    date: str
    rows: tuple
    checkpoints: tuple
    seeds: tuple
    token: str
    final: bool = False  # whether it is passed

    passed = property(lambda self: sum(row.chapter.passed for row in self.rows if not row.epilogue))
    # how many the course has, its epilogue not counted
    chapters = property(lambda self: sum(not row.epilogue for row in self.rows))

    @property
    def rungs(self):
        """(kernels that were right, those at par, all that there are)."""
        counts = ((row.chapter.right, row.chapter.stars, row.rungs) for row in self.rows)
        return tuple(map(sum, zip(*counts, strict=True)))

    # whether the whole course is passed: every chapter up to the final, and that
    complete = property(lambda self: self.final and self.passed == self.chapters)


def chapter(events, topic, panels=(), exercises=(), rungs=()):
    """Chapter of a topic; `panels`, `exercises` and `rungs` are the ids that it has."""
    quizzes = [e for e in events if e.get("kind") == "quiz" and e.get("chapter") == topic and _share(e) is not None]
    best, passed = max(map(_share, quizzes), default=None), any(e.get("passed") for e in quizzes)

    def count(kind, ids, field, name="id"):
        return len({e.get(name) for e in events if e.get("kind") == kind and (not field or e.get(field))} & set(ids))

    predicted = len({e.get("id") for e in events if e.get("kind") == "predict" and e.get("chapter") == topic})
    explored, solved = count("explore", panels, "", "panel"), count("exercise", exercises, "right")
    kernels = count("rung", rungs, "right"), count("rung", rungs, "star")
    return Chapter(explored, predicted, solved, best, passed, *kernels)


def _share(quiz):
    """Points over the points there are; None for an event that is not a result."""
    points, of = quiz.get("points"), quiz.get("of")
    sound = all(isinstance(n, (int, float)) for n in (points, of)) and of > 0
    return min(max(points / of, 0), 1) if sound else None


def first_answers(events):
    """(time, chapter, topic, right) of every first answer, as asked, to a question that is still in the bank."""
    for e in events:
        place = bank.panels().get(e.get("item")) if e.get("kind") == "answer" and e.get("try") == 1 else None
        if place:
            yield e.get("time", 0), *place, bool(e.get("right"))


def scores(events):
    """{chapter: (right, asked)} over first answers."""
    asked, right = Counter(), Counter()
    for _, chapter, _, good in first_answers(events):
        asked[chapter] += 1
        right[chapter] += good
    return {chapter: (right[chapter], asked[chapter]) for chapter in bank.topics() if asked[chapter]}


def missed(events):
    """Topics whose last first answer was wrong, oldest miss first: what to revisit."""
    last = {topic: (when, good) for when, _, topic, good in first_answers(events)}
    return [topic for topic, (when, good) in sorted(last.items(), key=lambda entry: entry[1][0]) if not good]
