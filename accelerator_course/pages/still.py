"""Still: an executed notebook as a page without a kernel can show it; LaTeX becomes MathML, which browsers draw."""

import re

FORMULA = re.compile(r"\$\$(?P<block>.+?)\$\$|\$(?P<inline>[^$\n]+?)\$", re.DOTALL)
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
WIDGET = "application/vnd.jupyter.widget-view+json"


def static(notebook):
    """The executed notebook without what only a live page shows, its formulas drawn."""
    notebook.cells = [cell for cell in notebook.cells if not _only_live(cell)]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = drawn(cell.source)
        outputs = cell.get("outputs", [])
        cell["outputs"] = [out for out in outputs if set(out.get("data", {})) != {WIDGET, "text/plain"}]
        for data in (out["data"] for out in cell["outputs"] if "text/markdown" in out.get("data", {})):
            data["text/markdown"] = drawn(data["text/markdown"])
    notebook.metadata.pop("widgets", None)
    return notebook


def _only_live(cell):
    """Whether a cell makes sense on the page alone: ways to other notebooks, buttons, a drawn warm-up."""
    skipped = cell.metadata.get("slideshow", {}).get("slide_type") == "skip"
    live = any(WIDGET in out.get("data", {}) for out in cell.get("outputs", []))
    return cell.source.startswith("Previous:") or "run" in cell.metadata.get("tags", []) or (skipped and live)


def drawn(markdown):
    """Markdown with its formulas as MathML; what stands in code is left as it is."""
    parts = CODE.split(markdown)
    return "".join(part if place % 2 else FORMULA.sub(_mathml, part) for place, part in enumerate(parts))


def _mathml(found):
    from latex2mathml.converter import convert

    kind = "block" if found["block"] else "inline"
    return convert((found["block"] or found["inline"]).strip(), display=kind)
