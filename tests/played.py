"""A chapter whose code cells have run in this process, or do now: its names, its panels, what these show anywhere."""

import ast
import contextlib
import io
import math
import os
import random
import tempfile
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from unittest.mock import patch

import filled
import nbformat
import numpy as np
from sweep import DEAR, FEW, JOINT, spread, unseen
from watch import SEEN

import accelerator_course
import accelerator_lib
from accelerator_course import exercises, syllabus
from accelerator_course.widgets import panel as panels
from accelerator_course.widgets import veil
from accelerator_lib import data

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TOPICS = [topic for topic, entry in syllabus.chapters().items() if (NOTEBOOKS / f"{entry['name']}.ipynb").exists()]


class Played:
    """A notebook, and what a reader could see in it."""

    def __init__(self, topic):
        self.topic, self.path = topic, NOTEBOOKS / f"{syllabus.chapters()[topic]['name']}.ipynb"
        self.cells = filled.with_codes(topic, {cell.id: cell for cell in nbformat.read(self.path, as_version=4).cells})

    @cached_property
    def names(self):
        """What a cell could name after the whole notebook has run, and every module of the library."""
        before, known = set() if SEEN else {*panels.LIVE, *veil.LIVE}, {}
        texts, more = filled.codes(self.topic), filled.names(self.topic)
        self._outputs = {}
        with alone(), unseen():
            for cell in self.cells.values():
                if cell.source in SEEN:
                    *self._outputs[cell.id], names = SEEN[cell.source]
                    known |= names
                elif cell.cell_type == "code":
                    known |= {} if cell.id not in texts else {n: v for n, v in more.items() if n not in known}
                    self._outputs[cell.id] = self._run(cell, known)
        self._panels = {one.id: one for one in panels.LIVE if one not in before and one.id}  # held, so that they live
        self._veils = [one for one in veil.LIVE if one not in before]
        own = {"np": np, "rows": data.rows, "panel": self.shown, "sentence": self.said, "data": data, "math": math}
        return {**_modules(), **known, **own}

    def _run(self, cell, known):
        """Run a cell as a kernel does: what it printed, and what its last line shows."""
        tree, name = ast.parse(cell.source), f"{self.path.stem}/{cell.id}"
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(tree, name, "exec"), known)
            value = eval(compile(last, name, "eval"), known) if last else None
        return printed.getvalue(), value

    @cached_property
    def outputs(self):
        """{cell: what a reader sees below it before anything is touched}: prints, texts, what panels say."""
        _ = self.names
        return {id: printed + self._text(value) for id, (printed, value) in self._outputs.items()}

    def _text(self, value):
        if isinstance(value, (str, int, float, complex, tuple, list, dict)):
            return repr(value)
        if hasattr(value, "_repr_markdown_"):
            return value._repr_markdown_()
        panel = getattr(value, "panel", value)  # a covered one
        if any(panel is one for one in self._panels.values()):
            return self.said(panel.id).partition("\n")[0]
        return str(value) if isinstance(value, exercises.Answer) else ""

    def reached(self, id, **values):
        """(panel, the values of all its controls) as a reader would set it. Raises ValueError where none offers a value."""
        if id not in self.panels:
            raise ValueError(f"no panel {id!r}; there are {', '.join(self.panels)}")
        one = self.panels[id]
        unknown = set(values) - set(one.controls)
        if unknown:
            raise ValueError(f"panel {id} has no control {', '.join(unknown)}; there are {', '.join(one.controls)}")
        settled = dict(one.defaults)
        for name, value in values.items():
            found = offered(one.controls[name], value)
            if not found:
                raise ValueError(f"{id}: {name} cannot be set to {value}")
            settled[name] = found[0]
        return one, settled

    def shown(self, id, **values):
        """What the panel's function returns there, nothing drawn."""
        one, settled = self.reached(id, **values)
        result = one.function(**settled)
        return list(result) if one.plays else result

    def said(self, id, **values):
        """What the panel says there; all sentences of a run, a line each."""
        one, settled = self.reached(id, **values)
        if one.plays:
            return "\n".join(one.picture.view.say(state) for state in one.function(**settled))
        with unseen():
            one.set(**settled)
            sentence = one.picture.sentence
            one.reset()
        return sentence

    @cached_property
    def panels(self):
        """{id: panel} of the notebook after it has run."""
        return self.names and self._panels

    @cached_property
    def veils(self):
        """What covers panels until there is a guess."""
        return self.names and self._veils

    def settings(self, id, seed=1):
        """Settings of a panel as the sweep tries them: every control at its positions, then random joint ones."""
        one, _ = self.reached(id)
        offers = {name: choices(control) for name, control in one.controls.items()}
        for name, values in offers.items() if id not in DEAR else ():
            yield from ({name: values[i]} for i in spread(len(values), FEW - 2))
        draw = random.Random(seed)
        for _ in range(DEAR.get(id, JOINT) if offers else 0):
            yield {name: draw.choice(values) for name, values in offers.items()}


@contextlib.contextmanager
def alone():
    """Measurements are brief, predictions are covered, and nobody has answered anything."""
    own = {"ACCELERATOR_COURSE_SHORT": "1", "ACCELERATOR_COURSE_OPEN": "0"}
    with tempfile.TemporaryDirectory() as home, patch.dict(os.environ, own, ACCELERATOR_COURSE_HOME=home):
        yield


@cache
def _modules():
    """The rooms of the library and of the course, by name."""
    packages = (accelerator_lib, accelerator_course)
    names = [one.name for package in packages for one in iter_modules(package.__path__, f"{package.__name__}.")]
    return {name.split(".")[1]: import_module(name) for name in names}


def _same(option, value):
    if isinstance(option, (int, float)) and isinstance(value, (int, float)):
        return math.isclose(option, value, rel_tol=1e-9)
    return option == value


def choices(control):
    """All values that a control offers."""
    return [value for _, value in control.options] if hasattr(control, "options") else [True, False]


def offered(control, value):
    """[the value] that a control has for what a claim or a call names, by itself, its label or its id; [] where none."""
    if not hasattr(control, "options"):
        return [value]
    named = [option for label, option in control.options if value in (label, getattr(option, "id", None))]
    return [option for _, option in control.options if _same(option, value)] or named
