"""Syllabus: what the course is made of, as YAML: chapters and routes, tasks of panels, texts of rungs, shapes of files.

load("chapters")        the chapters, what follows them, and the routes through them
load("classroom")       what a class of kernels was seen to need
"""

from pathlib import Path

from accelerator_lib import data

FOLDER = Path(__file__).parent


@data.kept
def load(name):
    """The content of `name`.yaml as dicts and lists that cannot be written to."""
    return data.parse(FOLDER / f"{name}.yaml")


def chapters():
    """{topic: chapter} in order: number, title, minutes, and the `name` that its notebook and quiz file carry."""
    return {
        entry["topic"]: {**entry, "name": f"{entry['number']:02d}_{entry['topic']}"}
        for entry in load("chapters")["chapters"]
    }
