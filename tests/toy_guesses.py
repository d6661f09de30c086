"""Two guesses on a panel called "dot", a layer under its roof, in the place of those of chapter 3: toy_guesses.yaml.

toy_guesses.install(monkeypatch.setattr)
"""

from pathlib import Path

from accelerator_course.quiz import bank
from accelerator_course.widgets import tasks
from accelerator_lib import data

TOY = data.parse(Path(__file__).with_suffix(".yaml"))
GUESSES = tuple(TOY["guesses"])


def install(set=setattr):
    """From now on the chapter asks these."""
    load, of = bank.load, tasks.of
    lines = tuple(tasks.Task(**line) for line in TOY["lines"])
    set(
        bank,
        "load",
        lambda topic: {**load(topic), "predict": (*GUESSES, *TOY["elsewhere"])} if topic == "roofline" else load(topic),
    )
    set(tasks, "of", lambda id: lines if id == "dot" else of(id))
