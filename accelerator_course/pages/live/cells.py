"""Cells: what each code cell of a chapter makes and needs, so that a panel runs two or three cells, not sixty."""

import ast
import builtins
import json


def chapter(path):
    """The code of a notebook, and what each cell needs: {"cells": {id: source}, "needs": {id: cells}}."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = {cell["id"]: "".join(cell["source"]) for cell in found if cell["cell_type"] == "code"}
    return {"cells": code, "needs": needs(code)}


def needs(sources):
    """{cell: the cells before it that it needs, in order} of {cell: source}; what is no Python needs nothing."""
    makers, found, place = {}, {}, {id: i for i, id in enumerate(sources)}
    for id, source in sources.items():
        made, read = names(source)
        wanted = {one for name in read if name in makers for maker in makers[name] for one in (maker, *found[maker])}
        found[id] = sorted(wanted - {id}, key=place.get)
        for name in made:  # one that changes a name stands beside the one that made it
            makers[name] = [*(makers.get(name, ()) if name in read else ()), id]
    return found


def names(source):
    """(made, read) of a cell: the names that it binds, those that it takes from elsewhere."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # an exercise that is not written yet
        return set(), set()
    made, read = set(), set()
    for one in ast.walk(tree):
        if isinstance(one, ast.Name):
            (made if isinstance(one.ctx, ast.Store) else read).add(one.id)
        elif isinstance(one, ast.FunctionDef | ast.ClassDef):
            made.add(one.name)
        elif isinstance(one, ast.Import | ast.ImportFrom):
            made |= {(alias.asname or alias.name).partition(".")[0] for alias in one.names}
    return made, read - set(dir(builtins))
