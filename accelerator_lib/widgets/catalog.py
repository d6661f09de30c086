"""The tables of 00_start_here: which chapters exist, and whether this environment can run them."""

import importlib.util
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from IPython.display import Markdown

from accelerator_lib import data
from accelerator_lib.quiz import progress

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
NEEDED = {
    "numpy": "every model",
    "matplotlib": "every picture",
    "ipywidgets": "every slider",
    "anywidget": "predictions and quizzes",
    "jax": "the “your machine” sections",
}


def chapters():
    """The chapters as a table: link, title, minutes; those that are not written yet are listed without a link."""
    return Markdown(table(lambda name: f"{name}.ipynb"))


def table(link):
    """The chapters as a Markdown table; `link` makes the address of a notebook that exists from its name."""
    rows = ["| chapter | title | minutes |", "|---:|:---|---:|"]
    for entry in data.load("chapters")["chapters"]:
        name = f"{entry['number']:02d}_{entry['topic']}"
        there = (NOTEBOOKS / f"{name}.ipynb").exists()
        title = f"[{entry['title']}]({link(name)})" if there else f"{entry['title']} (planned)"
        rows.append(f"| {entry['number']} | {title} | {entry['minutes']} |")
    return "\n".join(rows)


def environment():
    """One line where everything is there; one line for each thing that is missing."""
    lines = [f"Python {platform.python_version()}"]
    missing = []
    for name, use in NEEDED.items():
        if importlib.util.find_spec(name) is None:
            missing.append(f"{name} is missing ({use}): run  pip install -r requirements.txt  and restart the kernel.")
            continue
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(name)
    if not progress.record({"kind": "opened"}):
        missing.append(f"Progress cannot be saved: {progress.path().parent} is not writable.")
    text = "Ready: " + ", ".join(lines) + "." if not missing else "\n\n".join(missing)
    return Markdown(text)
