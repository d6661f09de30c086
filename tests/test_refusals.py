"""What a room refuses: each row of tests/<room>/refused.yaml is an error, a call that raises it, and what its line says.

A call may use all modules of the library, those of the course that stand in COURSE, and `np`.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import pytest

import accelerator_lib
from accelerator_lib import data

COURSE = ("frames", "league")
NAMES = {"np": np}
for package in (accelerator_lib, *(import_module(f"accelerator_course.{name}") for name in COURSE)):
    if package is not accelerator_lib:
        NAMES[package.__name__.partition(".")[2]] = package
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            _, name, *deeper = found.name.split(".")
            NAMES |= {name: import_module(found.name)} if not deeper else {"": import_module(found.name)}
ROWS = [(file.parent.name, *row) for file in Path(__file__).parent.glob("*/refused.yaml") for row in data.parse(file)]


@pytest.mark.parametrize(("room", "error", "call", "says"), ROWS, ids=[f"{row[0]}: {row[2][:60]}" for row in ROWS])
def test_what_cannot_be_is_one_clear_line(room, error, call, says):
    with pytest.raises(Exception, match=says) as caught:
        eval(call, dict(NAMES))
    assert type(caught.value).__name__ == error and "\n" not in str(caught.value)
