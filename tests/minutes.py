"""Minutes: how long a chapter takes, counted from what stands in it; data/chapters.yaml states them, rounded.

    minutes = words / 200 + 1.5 for each panel + 1 for each question (5 of a quiz, 3 of a warm-up)
    whole   = core + deeper + 8 for each exercise + 25 for each kernel to be written

200 words a minute is slow reading, as text with numbers needs it; the others are estimates. Words are those that are
seen: prose, and what cells write under the panels. What is deeper: the sections whose first cell has the tag `depth`.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
WORDS, PANEL, EXERCISE, KERNEL = 200, 1.5, 8, 25
QUESTIONS = {"predict": 1, "quick_check": 1, "decision": 1, "explain": 1, "quiz": 5, "warm_up": 3}


@dataclass(frozen=True)
class Minutes:
    core: float
    whole: float


def counted(name):
    """Minutes of the notebook of this name."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    core = whole = 0.0
    depth = None  # level of the heading that a deeper section stands under
    for cell in cells:
        source = "".join(cell["source"])
        heading = re.match("(#+) ", source) if cell["cell_type"] == "markdown" else None
        if heading:
            level = len(heading[1])
            depth = None if depth is not None and level <= depth else depth
            depth = level if "depth" in cell["metadata"].get("tags", ()) else depth
        spent = len(_seen(cell["cell_type"], source).split()) / WORDS
        if cell["cell_type"] == "code":
            spent += PANEL * len(re.findall(r"\b(?:explore|step)\(", source))
            spent += sum(many * len(re.findall(rf"\b{name}\(", source)) for name, many in QUESTIONS.items())
            whole += EXERCISE * ("exercises.check(" in source) + KERNEL * len(
                re.findall(r"^(?:bench|kernel)\(", source, re.M)
            )
        core += spent if depth is None else 0
        whole += spent
    return Minutes(core, whole)


def _seen(kind, source):
    """The words of a cell that a reader sees; a number that is computed counts as a word."""
    if kind == "markdown":
        return re.sub(r"\$\$?[^$]*\$\$?|<[^>]*>|\]\([^)]*\)", " ", source)
    if "Markdown(" not in source:
        return ""
    said = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Markdown"
    ]
    return " ".join(text for call in said for argument in call.args for text in _texts(argument))


def _texts(node):
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
        yield from _texts(node.right)
