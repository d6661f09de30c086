"""Still: an executed notebook as a page without a kernel can show it: for a handout and for the book."""

from accelerator_course.pages import formulas

WIDGET = "application/vnd.jupyter.widget-view+json"


def static(notebook):
    """The executed notebook without what only a live page shows, its formulas drawn."""
    notebook.cells = [cell for cell in notebook.cells if not _only_live(cell)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = formulas.drawn(cell.source)
        outputs = cell.get("outputs", [])
        cell["outputs"] = [out for out in outputs if set(out.get("data", {})) != {WIDGET, "text/plain"}]
        for data in (out["data"] for out in cell["outputs"] if "text/markdown" in out.get("data", {})):
            data["text/markdown"] = formulas.drawn(data["text/markdown"])
    notebook.metadata.pop("widgets", None)
    return notebook


def _only_live(cell):
    """Whether a cell makes sense on the page alone: ways to other notebooks, buttons, a drawn warm-up."""
    skipped = cell.metadata.get("slideshow", {}).get("slide_type") == "skip"
    live = any(WIDGET in out.get("data", {}) for out in cell.get("outputs", []))
    return cell.source.startswith("Previous:") or "run" in cell.metadata.get("tags", []) or (skipped and live)
