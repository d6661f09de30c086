"""The exercises of a chapter as an assignment for nbgrader: class/source/03_roofline/03_roofline.ipynb.

An answer and its test in two cells, the worked solution between two comments; without the kernels that a bench judges.
Metadata follow schema 3.
"""

import argparse
import ast
import inspect
import json
import sys
from pathlib import Path

from accelerator_course import exercises, pages, settings

SCHEMA, POINTS = 3, 4
CONFIG = """# Written by python -m accelerator_course.pages.classroom; yours to change.
c = get_config()
c.CourseDirectory.course_id = "accelerators"
c.ClearSolutions.code_stub = {"python": "..."}  # what an unsolved exercise of the course is
c.ExecutePreprocessor.timeout = 120  # seconds for one cell
"""


def assignment(name):
    """The notebook, as a dict, for a chapter's name. Raises FileNotFoundError; ValueError where it has no exercises."""
    notebook = json.loads(pages.notebook(name).read_text(encoding="utf-8"))
    ids = [cell["id"] for cell in notebook["cells"]]
    asked = [place for place, cell in enumerate(notebook["cells"]) if _checked(cell)]
    if not asked:
        raise ValueError(f"{name} has no exercises")
    title, imports = _text(notebook["cells"][0]).partition("\n")[0], _text(notebook["cells"][ids.index("imports")])
    head = f"{title}: exercises\n\nReplace each `...` and run the cell below it. Then validate, and submit."
    cells = [_markdown("title", head), _marked(_code("imports", imports), locked=True)]
    for cell in _gradable(notebook["cells"][ids.index("exercises") : asked[-1] + 1]):
        cells += _split(cell) if cell["cell_type"] == "code" else [_markdown(cell["id"], _text(cell))]
    return {**notebook, "cells": cells}


def write(names, folder):
    """Write the assignments of chapters into a course folder of nbgrader; returns their paths."""
    written = []
    for name in names:
        path = Path(folder) / "source" / name / f"{name}.ipynb"
        content = json.dumps(assignment(name), indent=1, ensure_ascii=False) + "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        written.append(path)
    config = Path(folder) / "nbgrader_config.py"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return written


def _checked(cell):
    return "exercise" in cell["metadata"].get("tags", ())


def _gradable(cells):
    benches = {n for n, cell in enumerate(cells) if cell["cell_type"] == "code" and not _checked(cell)}
    return [cell for n, cell in enumerate(cells) if n not in benches and n + 1 not in benches]


def _split(cell):
    """An exercise as two cells: the answer, with the worked solution between nbgrader's marks, and its test."""
    source = _text(cell)
    before, _, check = source.rpartition("exercises.check(")
    function = next(node for node in reversed(ast.parse(source).body) if isinstance(node, ast.FunctionDef))
    id = ast.literal_eval(check.partition(",")[0])
    asserted = f"answer = exercises.check({check.rstrip()}\ndisplay(answer)\nassert answer.right, answer.text"
    answer = _marked(_code(cell["id"], _solved(before.rstrip(), function, id)), solution=True)
    return answer, _marked(_code(f"{cell['id']}-test", asserted), grade=True, locked=True, points=POINTS)


def _solved(source, function, id):
    """The answer's cell with the library's own solution called, and its text to read, where the learner finds `...`."""
    arguments = ", ".join(each.arg for each in function.args.args)
    text = inspect.getsource(exercises.find(id).solution).rstrip()
    shown = [f"    # {line}".rstrip() for line in text.splitlines()]
    call = f'    return exercises.find("{id}").solution({arguments})'
    solved = "\n".join(["    ### BEGIN SOLUTION", *shown, call, "    ### END SOLUTION"])
    stub = "\n".join(source.splitlines()[function.body[-1].lineno - 1 : function.body[-1].end_lineno])
    return source.replace(stub, solved)


def _marked(cell, grade=False, solution=False, locked=False, points=None):
    mark = {"schema_version": SCHEMA, "grade_id": cell["id"], "grade": grade, "solution": solution, "locked": locked}
    mark |= {"task": False} | ({"points": points} if grade else {})
    return {**cell, "metadata": {"nbgrader": mark}}


def _text(cell):
    return "".join(cell["source"])


def _markdown(id, text):
    return {"cell_type": "markdown", "id": id, "metadata": {}, "source": text}


def _code(id, text):
    return {"cell_type": "code", "execution_count": None, "id": id, "metadata": {}, "outputs": [], "source": text}


def main(arguments=None):
    """Run the command; returns the exit code."""
    settings.any_console()
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser("python -m accelerator_course.pages.classroom", description=about)
    parser.add_argument("chapters", nargs="+", help="such as 03_roofline 04_tiling")
    parser.add_argument("--out", type=Path, default=Path("class"), help="the course folder of nbgrader (default class)")
    options = parser.parse_args(arguments)
    try:
        written = write(options.chapters, options.out)
    except (OSError, ValueError) as error:
        print(f"classroom: {error}", file=sys.stderr)
        return 1
    print("\n".join(map(str, written)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
