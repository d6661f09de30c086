"""What widgets bring to the page: their script behind the shared helpers, and the one style sheet."""

from pathlib import Path

HERE = Path(__file__).parent
STYLE = HERE / "style.css"


def script(name):
    """The JavaScript module of a widget: what all share, then its own file."""
    return "".join((HERE / file).read_text(encoding="utf-8") for file in ("dom.js", "links.js", name))
