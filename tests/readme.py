"""Writes the table of chapters into the README, from the notebooks that exist."""

from pathlib import Path

from accelerator_lib.widgets import catalog

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- chapters: make readme -->", "<!-- end of chapters -->"


def with_table(text):
    """The README's text with the table as it should be now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = catalog.table(lambda name: f"notebooks/{name}.ipynb")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text(encoding="utf-8")), encoding="utf-8")
    print("README.md lists the chapters that exist.")
