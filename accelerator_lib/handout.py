"""Handout: a chapter on paper, every panel as the picture at its starting position.

python -m accelerator_lib.handout 03_roofline        -> build/handouts/03_roofline.html, and .pdf with Chromium
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDGET = "application/vnd.jupyter.widget-view+json"


def chromium():
    """Path of Chromium or Chrome on this machine (CHROMIUM names another one), or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def static(notebook):
    """The executed notebook with pictures and printed questions where live panels were; hidden code stays hidden."""
    notebook.cells = [cell for cell in notebook.cells if "run" not in cell.metadata.get("tags", [])]
    for cell in notebook.cells:
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata["transient"] = {"remove_source": True}
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            data.pop(WIDGET, None)
            if list(data) == ["text/plain"] and data["text/plain"].split("(")[0] in ("HBox", "VBox"):
                data["text/plain"] = ""
    notebook.metadata.pop("widgets", None)
    return notebook


def write(name, folder=ROOT / "build" / "handouts"):
    """Run a notebook and print it; returns the files written. Raises FileNotFoundError in one line."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    path = ROOT / "notebooks" / f"{name}.ipynb"
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.ipynb")))
        raise FileNotFoundError(f"there is no chapter {name!r}; there are: {known}")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    page, _ = HTMLExporter().from_notebook_node(static(notebook))
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{name}.html"]
    written[0].write_text(page, encoding="utf-8")
    browser = chromium()
    if browser:
        written.append(folder / f"{name}.pdf")
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
