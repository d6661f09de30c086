"""Writes what follows from the chapters that exist: the table of the README, the last line of every notebook."""

import json
from pathlib import Path

from accelerator_lib import data
from accelerator_lib.widgets import catalog

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- chapters: make readme -->", "<!-- end of chapters -->"


def with_table(text):
    """The README's text with the table as it should be now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = catalog.table(lambda name: f"notebooks/{name}.ipynb")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def with_links(text, topic):
    """A notebook, as text, with the line that leads to its neighbours as it should be now."""
    notebook = json.loads(text)
    last = next(cell for cell in reversed(notebook["cells"]) if cell["id"] == "links")
    last["source"] = [catalog.links(topic)]
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def notebooks():
    """(topic, path) of the chapters that exist."""
    for topic, entry in data.chapters().items():
        path = ROOT / "notebooks" / f"{entry['name']}.ipynb"
        if path.exists():
            yield topic, path


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
    for topic, path in notebooks():
        path.write_text(with_links(path.read_text(encoding="utf-8"), topic), encoding="utf-8")
    print("README.md lists the chapters that exist, and every notebook leads to its neighbours.")
