"""pytest plugin: every notebook that nbval collects gets one more cell at its end, the sweep of its controls, and
before that one for each check of its chapter that test_claims.py would make: a chapter runs once.

Uses nbval's internals (IPyNbFile.collect, IPyNbCell), so requirements.txt pins nbval to 0.11.
"""

from collections import defaultdict
from pathlib import Path

import nbformat
from nbval.plugin import IPyNbCell, IPyNbFile

SWEEP = "widget-sweep"
_collect = IPyNbFile.collect


class Added(IPyNbCell):
    """A cell that the notebook does not have, told by its name."""

    def __init__(self, name, parent, source):
        super().__init__(name, parent, -1, nbformat.v4.new_code_cell(source), defaultdict(bool, check=False))

    def reportinfo(self):
        return self.path, 0, self.nodeid

    def repr_failure(self, excinfo):
        return getattr(excinfo.value, "inner_traceback", "") or str(excinfo.value)


def collect(self):
    """nbval's cells, watched, then the sweep."""
    here = f"__import__('sys').path.insert(0, {str(Path(__file__).parent)!r})"
    yield Added.from_parent(self, name="watch", source=f"{here}; __import__('watch').watch()")
    yield from _collect(self)
    yield Added.from_parent(self, name=SWEEP, source="from sweep import sweep; sweep()")


IPyNbFile.collect = collect


def shared(items):
    """The same tests; those of a played chapter (fixture `read`) in the kernel of its notebook, where that is swept."""
    from accelerator_course import syllabus

    files, checks = {item.path.stem: item.parent for item in items if item.name == SWEEP}, {}
    for item in items:
        given = getattr(getattr(item, "callspec", None), "params", {})
        if "read" in given and (file := files.get(syllabus.chapters()[given["read"]]["name"])):
            call = f"from claims import check; check({item.path.stem!r}, {item.originalname!r}, **{given})"
            checks[item] = Added.from_parent(file, name=item.name, source=call)
    for item in items:
        yield from (one for one in checks.values() if item.name == SWEEP and one.parent is item.parent)
        yield from [] if item in checks else [item]
