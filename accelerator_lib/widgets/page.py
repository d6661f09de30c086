"""What widgets bring to the page: their script behind the shared helpers, and their style sheet."""

from pathlib import Path

HERE = Path(__file__).parent
PATIENCE = "../pages/nbconvert/templates/course/patience.js"
STYLE = HERE / "style.css"


def script(*names):
    """The JavaScript module of a widget: what all share, helpers, then its own file."""
    return _joined(PATIENCE, "dom.js", "links.js", *names)


def style(*names):
    """The style sheet that all widgets share, then those of this one."""
    return _joined(STYLE.name, *names)


def _joined(*names):
    return "".join((HERE / file).read_text(encoding="utf-8") for file in names)
