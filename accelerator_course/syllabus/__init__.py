"""Syllabus: what the course is made of, as YAML: chapters and routes, tasks of panels, texts of rungs, shapes of files.

load("chapters")        the chapters, what follows them, and the routes through them
load("minutes")         how long they take to read, as counted
load("classroom")       what a class of kernels was seen to need
load("exercises")       what is asked for in an exercise, and said to known slips
load("slips")           those slips: what a worked solution says otherwise
load("controls")        what a control is called whose argument has a short name
"""

from pathlib import Path

from accelerator_lib import data

FOLDER = Path(__file__).parent


@data.kept
def load(name):
    """The content of `name`.yaml as dicts and lists that cannot be written to."""
    return data.parse(FOLDER / f"{name}.yaml")


def chapters():
    """{topic: chapter} in order: number, label ("10b"), title, needs (labels), `name` of its notebook and quiz, `room`
    of its models; minutes of its core, of what is deeper, of its exercise, and `minutes` of core and exercise together,
    all 0 where it is planned."""
    return {entry["topic"]: _whole(entry) for entry in load("chapters")["chapters"]}


def rooms():
    """The rooms in which the models and views of the chapters stand, in order."""
    return list(dict.fromkeys(entry["room"] for entry in chapters().values()))


def _whole(entry):
    """A chapter with what follows from its line, and its counted minutes."""
    label = f"{entry['number']}{entry.get('part', '')}"
    name = f"{entry['number']:02d}{entry.get('part', '')}_{entry['topic']}"
    counted = load("minutes").get(entry["topic"])
    read = {**counted, "exercise": entry["exercise"]} if counted else {"core": 0, "deeper": 0, "exercise": 0}
    found = {"room": entry["topic"], **entry, "label": label, "name": name, "needs": tuple(map(str, entry["needs"]))}
    return {**found, **read, "minutes": read["core"] + read["exercise"]}
