"""Where a learner stands, computed from the log: chapters, beliefs that caught them, what is due for review.

Every function takes the events of `progress.events()` and returns plain records; nothing is stored twice. A belief
(M1 ...) climbs one box with each first answer that is right while it is due, and falls to the first with a wrong one:

    due again after 1, 3, 7, 21 days
"""

from collections import Counter
from dataclasses import dataclass

DAY = 86_400
BOXES = (1, 3, 7, 21)  # days


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

    number: int
    title: str
    panels: int
    exercises: int
    chapter: Chapter
    epilogue: bool = False  # after the final: it does not count
    rungs: int = 0  # kernels to write


@dataclass(frozen=True)
class Summary:
    """Everything on one page: rows, checkpoints (name, best share), seeds of passed quizzes, the token; and whether
    the final, the last of the checkpoints, is passed."""

    date: str
    rows: tuple
    checkpoints: tuple
    seeds: tuple
    token: str
    final: bool = False

    @property
    def passed(self):
        return sum(row.chapter.passed for row in self.rows if not row.epilogue)

    @property
    def chapters(self):
        """How many the course has, its epilogue not counted."""
        return sum(not row.epilogue for row in self.rows)

    @property
    def rungs(self):
        """(kernels that were right, those at par, all that there are)."""
        return tuple(
            map(sum, zip(*((row.chapter.right, row.chapter.stars, row.rungs) for row in self.rows), strict=True))
        )

    @property
    def complete(self):
        """Whether the whole course is passed: every chapter up to the final, and that."""
        return self.final and self.passed == self.chapters


def chapter(events, topic, panels=(), exercises=(), rungs=()):
    """Chapter of a topic; `panels`, `exercises` and `rungs` are the ids that it has."""
    quizzes = [e for e in events if e.get("kind") == "quiz" and e.get("chapter") == topic and _share(e) is not None]
    return Chapter(
        explored=len({e.get("panel") for e in events if e.get("kind") == "explore"} & set(panels)),
        predicted=len({e.get("id") for e in events if e.get("kind") == "predict" and e.get("chapter") == topic}),
        solved=len({e.get("id") for e in events if e.get("kind") == "exercise" and e.get("right")} & set(exercises)),
        best=max(map(_share, quizzes), default=None),
        passed=any(e.get("passed") for e in quizzes),
        right=len({e.get("id") for e in events if e.get("kind") == "rung" and e.get("right")} & set(rungs)),
        stars=len({e.get("id") for e in events if e.get("kind") == "rung" and e.get("star")} & set(rungs)),
    )


def _share(quiz):
    """Points over the points there are; None for an event that is not a result."""
    points, of = quiz.get("points"), quiz.get("of")
    sound = all(isinstance(n, (int, float)) for n in (points, of)) and of > 0
    return min(max(points / of, 0), 1) if sound else None


def first_answers(events):
    """(time, tags, right) of every first answer to an item, as asked; tries after it do not count."""
    for e in events:
        if e.get("kind") == "answer" and e.get("try") == 1 and isinstance(e.get("tags"), list):
            yield e.get("time", 0), [tag for tag in e["tags"] if isinstance(tag, str)], bool(e.get("right"))


def scores(events):
    """{misconception: (right, asked)} over first answers."""
    asked, right = Counter(), Counter()
    for _, tags, good in first_answers(events):
        asked.update(tags)
        right.update(tags if good else [])
    return {tag: (right[tag], asked[tag]) for tag in sorted(asked, key=_number)}


def missed(events):
    """Misconceptions whose last first answer was wrong, oldest miss first: what to revisit."""
    last = {}
    for when, tags, good in first_answers(events):
        for tag in tags:
            last[tag] = (when, good)
    return [tag for tag, (when, good) in sorted(last.items(), key=lambda entry: entry[1][0]) if not good]


def believed(events):
    """Misconceptions that an answer showed, and no first answer since has put right, oldest first."""
    shown = {}
    for e in events:
        if e.get("kind") == "answer" and e.get("misconception") and not e.get("right"):
            shown[e["misconception"]] = True
        elif e.get("kind") == "answer" and e.get("try") == 1 and e.get("right"):
            for tag in e.get("tags", []):
                shown.pop(tag, None)
    return list(shown)


def boxes(events):
    """{misconception: (box 0 to 3, when it is due [s since 1970])}."""
    place = {}
    for when, tags, good in first_answers(events):
        for tag in tags:
            box, due = place.get(tag, (-1, when))
            if good and when < due:
                continue  # right again on the same day proves little
            box = min(box + 1, len(BOXES) - 1) if good else 0
            place[tag] = (box, when + BOXES[box] * DAY)
    return place


def due(events, now):
    """Misconceptions due for review at a time [s], longest overdue first."""
    return [tag for tag, (_, when) in sorted(boxes(events).items(), key=lambda entry: entry[1][1]) if when <= now]


def _number(tag):
    return int(tag[1:]) if tag[1:].isdigit() else 0
