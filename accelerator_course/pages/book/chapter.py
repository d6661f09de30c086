"""A chapter of the book: an executed notebook as MyST; what a cell is, course/parts.html.j2 says."""

import re
from functools import cache
from html import escape
from itertools import chain

from accelerator_course import exercises, pages
from accelerator_course.pages import still

COVER = "acc-fold acc-cover"  # what answers a prediction (ask.py)
LIVE = "accelerator_live"  # marks an output that the live page can take over (kernel.py)
# What holds without Python in the page; live.js says it otherwise.
LOCAL = "Yours to write. It is checked where the course runs, on your machine: <code>make lab</code>."
HEAD = (
    '<p class="acc-head">Here every control answers, one at a time, and every simulation plays. Where the course runs '
)
HEAD += "they move together, answers are checked, and progress is kept: <code>make lab</code>.</p>"
LIVE_ONLY = {  # what a chapter says that holds only where it runs: what is true of the page
    "Five questions, drawn anew each time.": "Five questions, of many.",
    "Every picture is computed while you drag": "Every picture is computed",
}
KNOWN = {"text/html", "text/markdown", "text/plain", "image/png", still.WIDGET}


def source(notebook):
    """MyST of an executed notebook."""
    notebook = still.static(notebook)
    parts = list(_parts_of(notebook.cells))
    return linked("\n\n".join([*parts[:1], raw(HEAD), *parts[1:]]), "md") + "\n"


def _parts_of(cells):
    """The parts of all cells; what was seen behind a covered panel is covered as well."""
    covered = False
    for cell in cells:
        parts = list(_cell(cell))
        if any("**What you saw" in part for part in parts):
            fold = f'<details class="{COVER}"><summary>What you saw</summary>', "</details>"
            opening, closing = fold if covered else ('<div class="acc-saw">', "</div>")
            parts, covered = [raw(opening), *parts, raw(closing)], False
        elif parts:
            covered = any(COVER in part or 'class="acc-lines"' in part for part in parts)
        yield from parts


def linked(text, kind="html"):
    """Links to notebooks of the course as links to pages of the book."""
    for opening, closing in (('href="', '"'), ("](", ")")):
        ending = "html" if opening.startswith("href") else kind
        pattern = rf"({re.escape(opening)}\d\db?_\w+)\.ipynb(#[^{closing}]*)?{re.escape(closing)}"
        text = re.sub(pattern, lambda found: f"{found[1]}.{ending}{found[2] or ''}{closing}", text)  # noqa: B023
    return text


def named(notebook):
    """{id of a panel: numbers that the prose before it and just after it names}: its film is to hold them."""
    found, before, last = {}, set(), []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            numbers = set(re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", cell.source))
            before |= numbers
            for id in last:
                found[id] |= numbers
            last = []
        elif ids := re.findall(r'\bid="([^"]+)"', cell.source):
            found |= {id: set(before) for id in ids}
            before, last = set(), ids
    return {id: sorted(numbers) for id, numbers in found.items()}


def place(heading):
    """The place of a heading, as JupyterLab names it: links in notebooks lead there."""
    return heading.replace(" ", "-")


def within(text, names):
    """Links to chapters that are not among these become words: a book may hold only some."""
    keep = lambda found: found[0] if found[2] in names else found[1]  # noqa: E731
    text = re.sub(r"\[([^\]]*)\]\((\d\db?_\w+)\.md(?:#[^)]*)?\)", keep, text)
    keep = lambda found: found[0] if found[1] in names else found[2]  # noqa: E731
    return re.sub(r'<a href="(\d\db?_\w+)\.html[^"]*"[^>]*>(.*?)</a>', keep, text)


def _cell(cell):
    part = asked("kind", cell)
    if part == "left":
        return
    if cell.cell_type != "code":
        yield re.sub("|".join(map(re.escape, LIVE_ONLY)), lambda said: LIVE_ONLY[said[0]], _lit(cell.source))
        return
    outputs, code = cell.get("outputs", []), fence(cell.source, "python")
    if asked("read", cell) == "yes":
        yield code
    written = part == "exercise"
    made = [code, _exercise(cell.source)] if written else [*chain(*map(_output, outputs))]
    if written or any(output.get("metadata", {}).get(LIVE) for output in outputs):
        kind = " data-exercise" if written else ""
        made = [raw(f'<div class="acc-live" data-cell="{cell.id}"{kind}>'), *made, raw("</div>")]
    yield from made


def _output(output):
    if output.output_type == "error":
        raise ValueError(f"{output.ename}: {output.evalue}")
    if output.output_type == "stream":
        if output.name == "stdout" and output.text.strip():
            yield fence(output.text.rstrip(), "text")
        return
    kinds = set(output.data)
    if not kinds & KNOWN:
        raise ValueError(f"the book cannot show {', '.join(sorted(kinds))}")
    if "text/html" in kinds:
        if page := output.data["text/html"]:
            yield raw(page if output.metadata.get(LIVE) else f'<div class="acc-out">{page}</div>')
    elif "text/markdown" in kinds:
        text, mark = _lit(output.data["text/markdown"]), _ticks(output.data["text/markdown"], ":")
        yield f"{mark}{{container}} acc-said\n{text}\n{mark}"
    elif "image/png" in kinds:
        yield raw(f'<img alt="" src="data:image/png;base64,{output.data["image/png"].strip()}">')
    elif output.data["text/plain"]:
        yield fence(output.data["text/plain"], "text")


def _lit(text):
    """Phrases that name marks of a picture: live.js makes links of them, which light the marks."""
    return re.sub(r"\[([^\]]+)\]\(#lit-([^)]*)\)", r'<span data-lit="\2">\1</span>', text)


def _exercise(code):
    found = re.search(r"exercises\.check\(\"([\d.]+)\"", code)
    hint = escape(exercises.find(found[1]).hint) if found else ""
    fold = f'<details class="acc-fold"><summary>Hint</summary><p>{hint}</p></details>' if hint else ""
    return raw(f'<div class="acc-exercise-note"><p>{LOCAL}</p>{fold}</div>')


def raw(page):
    """HTML within MyST."""
    return fence(page, "{raw} html")


def fence(text, language):
    """Lines of code within MyST."""
    mark = _ticks(text, "`")
    return f"{mark}{language}\n{text}\n{mark}"


def _ticks(text, sign):
    longest = max((len(run) for run in re.findall(f"{re.escape(sign)}+", text)), default=0)
    return sign * max(3, longest + 1)


def asked(name, cell):
    """What the templates say of a cell: its `kind`, or whether its code is to be `read`."""
    return str(getattr(_parts(), name)(cell)).strip()


@cache
def _parts():
    from jinja2 import Environment, FileSystemLoader

    folder = pages.HERE / "nbconvert" / "templates" / "course"
    return Environment(loader=FileSystemLoader(folder), autoescape=False).get_template("parts.html.j2").module
