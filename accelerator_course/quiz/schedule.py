"""Schedule: when an item that draws numbers is due again: where its recall falls to 90 % by FSRS, as it comes.

It is computed from the log's first answers, by the days where its reader is, and kept nowhere else.
"""

import time
from datetime import UTC, datetime, timedelta
from functools import cache

from accelerator_course.quiz import bank, draw
from accelerator_lib import data

DAILY = 10  # questions: about ten minutes
MARK = "review"  # how the seed of a draw begins that came back


@data.kept
def cards():
    """{id: (chapter, item)} of all that comes back."""
    return {item["id"]: (topic, item) for topic in bank.topics() for item in bank.items(topic) if item.get("params")}


@cache
def scheduler(recall=0.9):
    """FSRS's Scheduler: whole days, nothing drawn, so that every machine computes the same."""
    import fsrs

    plain = {"learning_steps": (), "relearning_steps": (), "enable_fuzzing": False}
    return fsrs.Scheduler(desired_retention=recall, **plain)


def _first(events):
    return [e for e in events if e.get("kind") == "answer" and e.get("try") == 1]


def memory(events):
    """{id: FSRS's Card} of all that was answered, by first answers: right with a hint is hard."""
    known = {}
    for e in _first(events):
        if (card := e.get("item")) in cards():
            import fsrs

            rating = "Again" if not e.get("right") else "Hard" if (e.get("points") or 1) < 1 else "Good"
            before, when = known.get(card) or fsrs.Card(card_id=0), _date(e.get("time", 0))
            known[card], _ = scheduler().review_card(before, fsrs.Rating[rating], when)
    return known


def due(events, now):
    """Cards that are due at a time [s], the one least likely to be recalled first."""
    at, known = _date(now), memory(events)
    waiting = [card for card, kept in known.items() if kept.due <= at]
    return sorted(waiting, key=lambda card: scheduler().get_card_retrievability(known[card], at))


def today(events, now):
    """(cards that are due, how many of them still fit into ten minutes on this day)."""
    came = [e for e in _first(events) if str(e.get("seed")).startswith(MARK)]
    done, waiting = sum(_date(e.get("time", 0)) == _date(now) for e in came), due(events, now)
    return waiting, min(len(waiting), max(0, DAILY - done))


def told(events, now):
    """What is due, in words."""
    waiting, fit = today(events, now)
    if not waiting:
        dates = [kept.due for kept in memory(events).values()]
        days = -((_date(now) - min(dates)) // timedelta(days=1)) if dates else 0
        when = "tomorrow" if days == 1 else f"in {days} days"
        return f"Nothing is due. The next question comes back {when}." if dates else ""
    if not fit:
        return f"Enough for today. {len(waiting)} more can wait until tomorrow."
    many, minutes = ("1 question is", "a minute") if fit == 1 else (f"{fit} questions are", f"{fit} minutes")
    return f"{many} due: about {minutes}." + (f" {len(waiting) - fit} more can wait." if len(waiting) > fit else "")


def seed(events, item):
    """The seed of an item's next draw: its text differs from the last two, as long as its numbers allow it."""
    seeds = [e["seed"] for e in events if e.get("kind") == "answer" and e.get("item") == item["id"] and "seed" in e]
    seen = {draw.question(item, one).ask for one in seeds[-2:]}
    tries = [f"{MARK} {number}" for number in range(len(seeds), len(seeds) + 50)]
    return next((one for one in tries if draw.question(item, one).ask not in seen), tries[0])


def _date(seconds):  # the day here: what was missed in the evening is due from the next morning, and a day has passed
    return datetime(*time.localtime(seconds)[:3], tzinfo=UTC)
