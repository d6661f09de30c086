"""What widgets bring to the page: their script behind the shared helpers, and the one style sheet."""

from pathlib import Path

HERE = Path(__file__).parent
STYLE = HERE / "style.css"


def script(*names):
    """The JavaScript module of a widget: dom.js, what else it shares with others (links.js), then its own file."""
    return "".join((HERE / file).read_text(encoding="utf-8") for file in ("dom.js", *names))
