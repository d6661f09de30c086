"""The tables of 00_start_here: which chapters exist, and whether this environment can run them."""

import html
import importlib.util
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import ipywidgets

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
    rows = []
    for entry in data.load("chapters")["chapters"]:
        name = f"{entry['number']:02d}_{entry['topic']}"
        title = html.escape(entry["title"])
        there = (NOTEBOOKS / f"{name}.ipynb").exists()
        cell = f'<a href="{name}.ipynb">{title}</a>' if there else f"{title} (planned)"
        cells = f"<td>{entry['number']}</td><td style='text-align:left'>{cell}</td><td>{entry['minutes']}</td>"
        rows.append(f"<tr>{cells}</tr>")
    head = "<tr><th>chapter</th><th style='text-align:left'>title</th><th>minutes</th></tr>"
    return _Html(f"<table>{head}{''.join(rows)}</table>")


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
    text = "Ready: " + ", ".join(lines) + "." if not missing else "\n".join(missing)
    return _Html(f'<p role="status" style="white-space:pre-wrap">{html.escape(text)}</p>', text)


class _Html(ipywidgets.HTML):
    """An HTML widget whose plain text is readable where no widgets run."""

    def __init__(self, value, text=""):
        super().__init__(value)
        self._text = text

    def _repr_mimebundle_(self, **more):
        return {
            **(super()._repr_mimebundle_(**more) or {}),
            "text/html": self.value,
            "text/plain": self._text or "table",
        }
