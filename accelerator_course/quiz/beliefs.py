"""Beliefs: what two wrong answers have in common.

One is spoken of when answers to two questions followed from it, until one that could show it is right at first sight.
"""

import re

from accelerator_course import syllabus
from accelerator_course.quiz import bank, draw
from accelerator_lib import data

WORDS = 10  # of a question, as much as names it


@data.kept
def showing():
    """{id of a question: the beliefs from which its wrong answers follow} of the whole bank."""
    return {item["id"]: frozenset(draw.beliefs_of(item)) for topic in bank.topics() for item in bank.items(topic)}


def diagnosed(events):
    """{belief: ids of the questions, two at least, whose answers followed from it}, oldest first."""
    shown = {}
    for e in events:
        if e.get("kind") != "answer":
            continue
        could, name = showing().get(e.get("item"), ()), e.get("misconception")
        if e.get("right") and e.get("try") == 1:
            for belief in could:
                shown.pop(belief, None)
        elif name in could and not e.get("right"):
            shown.setdefault(name, {})[e["item"]] = True
    return {belief: tuple(items) for belief, items in shown.items() if len(items) > 1}


def told(belief, items):
    """What is said of a diagnosed belief, in Markdown: the questions, the belief, and the numbers that refute it."""
    entry = bank.misconceptions()[belief]
    *others, last = map(_called, items)
    listed = f"{', '.join(others)} and {last}"
    return f"Your answers to {listed} would be right if this were true: **“{entry['says']}”** But {entry['seen']}."


def _called(id):
    chapter, item = bank.find(id)
    words = re.sub(r"\{\w+\}", "…", item["ask"]).split()
    short = " ".join(words[:WORDS]) + ("" if len(words) <= WORDS else " …")
    return f"“{short}” (chapter {syllabus.chapters()[chapter]['label']})"
