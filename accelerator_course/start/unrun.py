"""Unrun: a cell that is run before the cells it needs says so in one calm line, not in a red NameError.

It speaks only in a notebook of the course that a front end has opened, and of names that one of its cells makes.
"""

import ast
import html
import json
import os
from pathlib import Path

from accelerator_course.start.folders import NOTEBOOKS

RUN = {"commands": ["notebook:run-all-above", "notebook:run-cell"]}
NOTE = (
    '<p role="status" style="margin:0;padding:8px 12px;max-width:720px;color:#1a1a1a;background:#eef5fb;'
    'border-left:4px solid #0066a6">Run the cells above first, then this one: one of them makes <code>{name}</code>. '
    '<button data-commandlinker-command="apputils:run-all-enabled" data-commandlinker-args="{run}" '
    'class="jp-mod-styled" style="margin:0 8px">Run them and this one</button> '
    "<em>or menu Run → Run All Above Selected Cell</em></p>"
)


def load_ipython_extension(shell):
    """Answer every NameError of this kernel."""
    shell.set_custom_exc((NameError,), answer)


def load():
    """Load the extension into the kernel that runs this, if there is one."""
    from IPython import get_ipython

    if shell := get_ipython():
        load_ipython_extension(shell)


def unload_ipython_extension(shell):
    """Leave NameErrors to IPython again."""
    shell.set_custom_exc((), None)


def answer(shell, kind, error, trace, tb_offset=None):
    """Show the calm line, or the usual traceback."""
    name = getattr(error, "name", None)
    if kind is NameError and name in names(opened()):
        from IPython.display import HTML, display

        display(HTML(NOTE.format(name=html.escape(name), run=html.escape(json.dumps(RUN)))))
    else:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def opened():
    """The chapter that is open in this kernel's front end, as a notebook of the course; None elsewhere."""
    name = Path(os.environ.get("JPY_SESSION_NAME", "")).stem
    found = [path for path in NOTEBOOKS.glob("*.ipynb") if name.startswith(path.stem)]
    return found[0] if found else None


def names(path):
    """What the cells of a notebook import, define or assign."""
    if path is None:
        return set()
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return {name for source in code for statement in ast.parse(source).body for name in _made(statement)}


def _made(statement):
    if isinstance(statement, ast.Import | ast.ImportFrom):
        yield from ((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
    elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.For | ast.With | ast.AugAssign | ast.AnnAssign):
        yield from (n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
