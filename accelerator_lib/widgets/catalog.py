"""The table of chapters: those that exist with a link, the others as planned."""

from pathlib import Path

from IPython.display import Markdown

from accelerator_lib import data

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def chapters():
    """The chapters as a table: link, title, minutes; those that are not written yet are listed without a link."""
    return Markdown(table(lambda name: f"{name}.ipynb"))


def table(link):
    """The chapters as a Markdown table; `link` makes the address of a notebook that exists from its name."""
    rows = ["| chapter | title | minutes |", "|---:|:---|---:|"]
    for entry in data.chapters().values():
        name = entry["name"]
        there = (NOTEBOOKS / f"{name}.ipynb").exists()
        title = f"[{entry['title']}]({link(name)})" if there else f"{entry['title']} (planned)"
        rows.append(f"| {entry['number']} | {title} | {entry['minutes']} |")
    return "\n".join(rows)
