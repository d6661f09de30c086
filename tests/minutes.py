"""Minutes: how long a chapter takes to read, counted from what stands in it; syllabus/minutes.yaml holds them.

    minutes = words / 200 + 1.5 for each panel + 1 for each question (5 of a quiz, 3 of a warm-up)

Words are those that are seen: prose, and what cells write under the panels; 200 a minute is slow reading. What is deeper: sections
whose first cell has the tag `depth`. An exercise takes what syllabus/chapters.yaml estimates, and is counted apart.
"""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path

from accelerator_course import syllabus

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
FILE = syllabus.FOLDER / "minutes.yaml"
HEAD = "# Minutes of reading, as tests/minutes.py counts them in the notebooks; written by `make readme`.\n"
WORDS, PANEL = 200, 1.5
PANELS = re.compile(r"\b(?:explore|step|bench|workshop)\(")
QUESTIONS = re.compile(r"\b(?:predict|quick_check|decision|explain)\(")
TESTS = {5: re.compile(r"^quiz\(", re.M), 3: re.compile(r"^warm_up\(", re.M)}


@dataclass(frozen=True)
class Counted:
    words: int = 0
    panels: int = 0
    questions: int = 0

    def __add__(self, other):
        return Counted(self.words + other.words, self.panels + other.panels, self.questions + other.questions)

    @property
    def minutes(self):
        return round(self.words / WORDS + PANEL * self.panels + self.questions)


def cells(name):
    """(cell, its source, whether it is deeper) of a notebook, in order."""
    depth = None  # level of the heading that a deeper section stands under
    for cell in json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        heading = re.match("(#+) ", source) if cell["cell_type"] == "markdown" else None
        if heading:
            level = len(heading[1])
            depth = None if depth is not None and level <= depth else depth
            if depth is None and "depth" in cell["metadata"].get("tags", ()):
                depth = level
        yield cell, source, depth is not None


def counted(name):
    """(core, deeper) of the notebook of this name."""
    found = [Counted(), Counted()]
    for cell, source, deeper in cells(name):
        code = source if cell["cell_type"] == "code" else ""
        asked = len(QUESTIONS.findall(code)) + sum(many * len(test.findall(code)) for many, test in TESTS.items())
        words = len(seen(cell["cell_type"], source).split())
        found[deeper] += Counted(words, len(PANELS.findall(code)), asked)
    return tuple(found)


def table():
    """What minutes.yaml should hold now."""
    lines = []
    for topic, entry in syllabus.chapters().items():
        if (NOTEBOOKS / f"{entry['name']}.ipynb").exists():
            core, deeper = counted(entry["name"])
            lines.append(f"{topic}: {{core: {core.minutes}, deeper: {deeper.minutes}}}\n")
    return HEAD + "".join(lines)


def seen(kind, source):
    """The words of a cell that a reader sees; a number that is computed counts as a word."""
    if kind == "markdown":
        return re.sub(r"\$\$?[^$]*\$\$?|<[^>]*>|\]\([^)]*\)", " ", source)
    calls = (
        [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)] if "Markdown(" in source else ()
    )
    said = (call for call in calls if getattr(call.func, "id", "") == "Markdown")
    return " ".join(text for call in said for argument in call.args for text in _texts(argument))


def _texts(node):
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
    elif isinstance(node, ast.BinOp):
        yield from _texts(node.left)
        yield from _texts(node.right)
