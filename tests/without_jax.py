"""Run the notebooks where JAX is not installed:  python tests/without_jax.py [--touched] [--sweep] [03_roofline ...]

All code cells of each, or with --touched those that would use JAX and what they need. JAX, and what only tests or JAX
bring, is hidden from this Python. Prints a line for each notebook and for each cell that failed; the exit code tells.
"""

# ruff: noqa: E402  what stands before the imports decides what they find
import sys

HIDDEN = ("jax", "jaxlib", "ml_dtypes", "absl", "nbval", "pytest", "hypothesis")
sys.modules.update(dict.fromkeys(HIDDEN))

import ast
import json
import os
import subprocess
import time
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from accelerator_course.start import calm
from accelerator_course.start.unrun import _made
from accelerator_lib import data, recorded

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TOUCHED = data.parse(Path(__file__).with_suffix(".yaml"))


def needed(cells, wanted):
    """The cells of some ids, and before each whatever makes the names that it uses, in their order."""
    makes = {cell["id"]: {name for s in ast.parse(cell["code"]).body for name in _made(s)} for cell in cells}
    uses = {cell["id"]: {n.id for n in ast.walk(ast.parse(cell["code"])) if isinstance(n, ast.Name)} for cell in cells}
    order, found, open_ = [cell["id"] for cell in cells], set(), list(wanted)
    while open_:
        id = open_.pop()
        if id not in found:
            found.add(id)
            above = order[order.index(id) - 1 :: -1] if order.index(id) else []
            makers = (next((other for other in above if name in makes[other]), None) for name in uses[id])
            open_ += filter(None, makers)
    return [cell for cell in cells if cell["id"] in found]


def run(path, wanted=None, sweep=False):
    """(cells run, [what failed], whether a line said that JAX is not here)."""
    InteractiveShell.clear_instance()
    shell, failed, said = InteractiveShell.instance(), [], ""
    shell.showtraceback = lambda *_, **__: None
    recorded.show = print  # not that of a notebook before this one
    calm.load()  # as a chapter's bar does
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    cells = [{"id": cell["id"], "code": "".join(cell["source"])} for cell in cells if cell["cell_type"] == "code"]
    cells = cells if wanted is None else needed(cells, wanted)
    if sweep:
        cells.append({"id": "widget-sweep", "code": "from sweep import sweep; sweep()"})
    for cell in cells:
        with capture_output() as out:
            ran = shell.run_cell(cell["code"])
        error = ran.error_before_exec or ran.error_in_exec
        said += out.stdout + "".join(one.data.get("text/plain", "") for one in out.outputs)
        if error is not None:
            failed.append(f"{cell['id']}: {type(error).__name__}: {error}")
    return len(cells), failed, "JAX is not here" in said


def main(arguments):
    """1 where anything failed. A sweep has a process for each notebook: what lives of the last one is not swept again."""
    options = [one for one in arguments if one.startswith("--")]
    touched, sweep = "--touched" in options, "--sweep" in options
    every = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb")) if path.stem in TOUCHED or not touched]
    names = [one for one in arguments if not one.startswith("--")] or every
    if sweep and len(names) > 1:
        return max(subprocess.call([sys.executable, __file__, *options, name]) for name in names)
    os.chdir(NOTEBOOKS)
    return max(tried(name, TOUCHED.get(name), touched, sweep) for name in names)


def tried(name, wanted, touched, sweep):
    """Whether anything in a notebook failed; a line for it, and for each failure."""
    begin = time.perf_counter()
    cells, failed, said = run(NOTEBOOKS / f"{name}.ipynb", wanted if touched else None, sweep)
    if bool(wanted) != said:
        failed.append("a line says that JAX is not here, or should")
    print(f"{name}: {cells} cells, {time.perf_counter() - begin:.1f} s", *failed, sep="\n    ", flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
