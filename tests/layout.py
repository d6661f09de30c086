"""What every chapter's notebook begins with, which of its cells are folded, and where it ends: written, and tested.

title · a button that runs it · the bar · goals · warm-up, imports ...  links to the neighbours
"""

import ast
import json
import re

from accelerator_course import syllabus
from accelerator_course.widgets import catalog

# A button that JupyterLab obeys, in Markdown, so that it is there before anything has run; elsewhere it is hidden.
BUTTON = '<button class="jp-mod-styled jp-mod-accept" data-commandlinker-command="notebook:run-all-cells">▶ {}</button>'
KEYS = "*or, in the menu: Run → Run All Cells*"
SKIP = {"slideshow": {"slide_type": "skip"}}
RUN = {**SKIP, "tags": ["run"]}
BUILDERS = "chapter_bar chapters checkpoint decision explain explore kernel predict progress quick_check quiz routes step to_scale warm_up"
BUILDERS = {*BUILDERS.split(), "workshop", "print(needs.check())"}
DEEPER = "◇ Deeper: this may wait for a second reading."  # below the heading of a cell with the tag "depth"
MINUTES = r"^\d+ minutes[ ,][^\n]*(?:\n(?!\n)[^\n]*)*"  # the paragraph that says how long a chapter takes
COMPUTED = "# the numbers below are computed here"  # the first line of a cell that writes a sentence


def laid_out(text, topic):
    """A notebook, as text, as it should be; `topic` is None for 00_start_here."""
    notebook = json.loads(text)
    cells = [cell for cell in notebook["cells"] if cell["id"] not in ("run", "bar")]
    named, words = (f'"{topic}"', "Run this chapter") if topic else ("", "Run this notebook")
    run = {"cell_type": "markdown", "id": "run", "metadata": RUN, "source": _lines(f"{BUTTON.format(words)} {KEYS}")}
    bar = {"cell_type": "code", "execution_count": None, "id": "bar", "metadata": SKIP, "outputs": []}
    bar["source"] = _lines(f"from accelerator_course.widgets import chapter_bar\n\nchapter_bar({named})")
    cells[1:1] = [run, bar]
    ids = [cell["id"] for cell in cells]
    if "warm-up" in ids:
        moved = cells.pop(ids.index("warm-up"))
        cells.insert([cell["id"] for cell in cells].index("objectives") + 1, moved)
    old = "answer" not in ids  # what is deeper still stands between
    for cell in cells:
        if cell["cell_type"] == "code":
            own = {key: value for key, value in cell["metadata"].items() if key != "jupyter"}
            hidden = {"jupyter": {"source_hidden": True}} if folded("".join(cell["source"])) else {}
            cell["metadata"] = {**hidden, **own}
        if cell["id"] == "links":
            cell["source"] = [catalog.links(topic)]
        if cell["id"] == "title" and topic:
            title = "# {label} · {title}".format(**syllabus.chapters()[topic])
            text = title + "".join(cell["source"])[len(cell["source"][0].rstrip("\n")) :]
            cell["source"] = _lines(re.sub(MINUTES, lambda _: minutes(topic), text, count=1, flags=re.M))
        _mark(cell, old)
    notebook["cells"] = cells
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def minutes(topic):
    """How long a chapter takes, and what it assumes, in a line."""
    entry = syllabus.chapters()[topic]
    work = {"kernels": "its kernels", "blocks": "its kernels", "capstone": "the project"}.get(topic, "the exercise")
    deeper = f", {entry['deeper']} for what goes deeper" if entry["deeper"] else ""
    *first, last = entry["needs"] or [""]
    assumed = f"chapters {', '.join(first)} and {last}" if first else f"chapter {last}" if last else "nothing"
    return (
        f"{entry['core']} minutes, {entry['exercise']} more for {work}{deeper} · assumes {assumed} · no hardware needed"
    )


def folded(source):
    """Whether a cell only builds what is seen below it: a panel, a question, a sentence, or imports."""
    if source.startswith(COMPUTED):
        return True
    *before, last = ast.parse(source).body
    call = last.value if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) else None
    name = ast.unparse(call.func) if call else ""
    built = (name if name != "print" else ast.unparse(call)) in BUILDERS
    return all(map(_prepares, before)) and (built or isinstance(last, ast.Import | ast.ImportFrom))


def _prepares(statement):
    """Whether a statement is an import, a name for a view or a wording, or the sentence of a panel: none holds a law."""
    if isinstance(statement, ast.FunctionDef):
        return statement.name.endswith("_said")
    return isinstance(statement, ast.Import | ast.ImportFrom | ast.Assign)


def _mark(cell, old):
    """Say below its heading that a section is not of the core, where its tag says so."""
    if cell["cell_type"] != "markdown":
        return
    text = "".join(cell["source"]).replace(f"\n\n{DEEPER}", "")
    text = re.sub(r"\n\nSections marked ◇ .* minutes\.$", "", text)
    if old and "depth" in cell["metadata"].get("tags", ()):
        heading, _, rest = text.partition("\n")
        text = f"{heading}\n\n{DEEPER}\n{rest}"
    cell["source"] = _lines(text)


def _lines(text):
    return text.splitlines(keepends=True)
