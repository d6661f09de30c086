"""The tables "given, wanted" above the exercises: every row is what the worked solution gives, in that notebook."""

import ast
import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from accelerator_course import exercises

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
ROW = re.compile(r"^\| `(.+)` \| `(.+)` \|$", re.M)


def specified():
    """(exercise, function's name, text above it, what the notebook imports and the cell gives) of every exercise whose
    table has rows in code; that of a longer one may be in words, and its properties are what is checked."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        imports = []
        for above, cell in pairwise(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            source, text = "".join(cell["source"]), "".join(above["source"])
            body = ast.parse(source).body if cell["cell_type"] == "code" else ()
            imported = (ast.unparse(node) for node in body if isinstance(node, ast.Import | ast.ImportFrom))
            imports += [line for line in imported if "jax" not in line]
            found = re.search(r'exercises\.check\("(.+?)", (\w+)\)', source) if body else None
            if found and ROW.search(text):
                given = [ast.unparse(node) for node in body if isinstance(node, ast.Assign)]
                yield pytest.param(*found.groups(), text, (*imports, *given), id=found[1])


def same(got, wanted):
    """Names, None and whole numbers exactly; other numbers to the six digits that are printed; shapes as they are."""
    if isinstance(wanted, (list, tuple)):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, float):
        return got == pytest.approx(wanted, rel=2e-6)
    return got is None if wanted is None else np.ndim(got) == 0 and got == wanted


@pytest.mark.parametrize("id, name, text, imports", list(specified()))
def test_what_is_given_gives_what_is_wanted(id, name, text, imports):
    space = {}
    exec("\n".join(imports), space)
    space[name] = exercises.find(id).solution
    rows = ROW.findall(text)
    assert rows
    for given, wanted in rows:
        got, value = eval(given, space), ast.literal_eval(wanted)
        assert same(got, value), (given, got)
        assert not isinstance(value, tuple) or isinstance(got, tuple)  # a tuple is wanted where one is written


def test_a_wrong_row_would_be_seen():
    assert same((1, None, "a", [2.0]), (1, None, "a", [2.0]))
    for got, wanted in ((2, 1), ([1], [1, 2]), (0, None), (np.ones((1, 2)), [1.0, 1.0]), (0.3085, 0.3084)):
        assert not same(got, wanted)
