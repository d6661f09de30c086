"""What a room refuses: each row of tests/<room>/refused.yaml is an error, a call that raises it, and what its line says.

A call may use all modules of the library, the frames and the league of the course, `np` and `replace`.
"""

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest

from accelerator_lib import data

NAMES = {"np": np, "replace": replace}
for name in ("accelerator_lib", "accelerator_course.frames", "accelerator_course.league"):
    package = import_module(name)
    NAMES |= {name.rpartition(".")[2]: package}
    for found in walk_packages(package.__path__, f"{name}."):
        if not found.name.endswith("__main__"):
            NAMES |= {found.name.rpartition(".")[2] if found.name.count(".") == 1 else "": import_module(found.name)}
ROWS = {file.parent.name: data.parse(file) for file in sorted(Path(__file__).parent.glob("*/refused.yaml"))}


def raised(call):
    """The name of the error that a call raises, and its line; the result where it raises none."""
    try:
        return "nothing", repr(eval(call, dict(NAMES)))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("room", ROWS)
def test_what_cannot_be_is_one_clear_line(room):
    found = [(row, *raised(row[1])) for row in ROWS[room]]
    wrong = [one for one in found if one[1] != one[0][0] or not re.search(one[0][2], one[2]) or "\n" in one[2]]
    assert not wrong, wrong
