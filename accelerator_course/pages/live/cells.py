"""Cells: what each code cell of a chapter makes and needs, so that a panel runs two or three cells, not sixty."""

import builtins
import json
import symtable


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
        tables = [symtable.symtable(source, "cell", "exec")]
    except SyntaxError:  # an exercise that is not written yet
        return set(), set()
    symbols = tables[0].get_symbols()
    made = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}
    read = {one.get_name() for one in symbols if one.is_referenced()}
    for table in tables:  # grows: what functions and comprehensions take from the cell
        tables += table.get_children()
        read |= {one.get_name() for one in table.get_symbols() if one.is_global() and table is not tables[0]}
    return made, read - set(dir(builtins))
