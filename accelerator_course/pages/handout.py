"""Handout: a chapter on paper: python -m accelerator_course.pages.handout 03_roofline, a PDF too with Chromium."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from accelerator_course import pages, settings
from accelerator_course.pages import paper, still
from accelerator_course.start import folders


def chromium():
    """Path of Chromium or Chrome on this machine (CHROMIUM names another one), or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def page(notebook, title):
    """HTML of an executed notebook on paper; it loads nothing."""
    from nbconvert import HTMLExporter
    from traitlets.config import Config

    shown = ["text/html", "text/markdown", "image/svg+xml", "image/png", "text/plain"]
    config = Config({"NbConvertBase": {"display_data_priority": shown}})
    templates = pages.HERE / "nbconvert" / "templates"
    found = {key: [str(templates)] for key in ("extra_template_basedirs", "extra_template_paths")}
    exporter = HTMLExporter(config, template_name="handout", **found)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = paper.worded(cell.source)
    return exporter.from_notebook_node(still.static(notebook), {"title": title})[0]


def write(name, folder=folders.PRINTED):
    """Run a notebook and print it; returns the files written. Raises FileNotFoundError in one line."""
    import nbformat
    from nbclient import NotebookClient

    path = pages.notebook(name)
    notebook = nbformat.read(path, as_version=4)
    surroundings = os.environ | {settings.PRINT: "1"}
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}})
    client.execute(env=surroundings)
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{path.stem}.html"]
    title = notebook.cells[0].source.splitlines()[0].lstrip("# ")
    written[0].write_text(page(notebook, title), encoding="utf-8")
    browser = chromium()
    if browser:
        written.append(written[0].with_suffix(".pdf"))
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command = [browser, *options, f"--print-to-pdf={written[1]}", written[0].as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    return written


if __name__ == "__main__":
    try:
        for file in write(*sys.argv[1:2]):
            print(file)
    except (FileNotFoundError, TypeError) as error:
        sys.exit(f"handout: {error}")
