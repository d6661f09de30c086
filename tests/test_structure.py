"""The house: imports point down, a chapter knows only chapters before it, the law stands in the cell, tests mirror."""

import ast
import inspect
import json
import re
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from accelerator_course import syllabus

ROOT = Path(__file__).parents[1]
LIBRARY, COURSE = "accelerator_lib", "accelerator_course"
CHAPTERS = [topic for topic in syllabus.rooms() if topic != "kernels"]  # its machine stands below chapter 6
# in the order in which they may be imported; the reader's machine is measured with the roofline
MODELS = [*CHAPTERS[:3], "machine", *CHAPTERS[3:6], "kernels rtl", *CHAPTERS[6:]]
RANKS = ["units settings data", "checks", "recorded hardware", *MODELS]
RANK = {room: rank for rank, rooms in enumerate(RANKS) for room in rooms.split()}
COURSE_RANKS = ["syllabus settings time_limit handed_in start", "ladder league quiz frames", "measure views"]
COURSE_RANKS += ["exercises", "widgets", "pages"]
RANK |= {room: rank for rank, rooms in enumerate(COURSE_RANKS) for room in rooms.split()}
HEAVY = {"matplotlib": "views", "ipywidgets": "widgets", "anywidget": "widgets", "traitlets": "widgets"}


def name_of(path):
    """accelerator_lib/gpu/simt.py -> accelerator_lib.gpu.simt; a package's face is accelerator_lib.gpu."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for package in (LIBRARY, COURSE) for path in sorted((ROOT / package).rglob("*.py"))}
SOURCES = {name: path.read_text(encoding="utf-8") for name, path in NAMES.items()}
TREES = {name: ast.parse(source) for name, source in SOURCES.items()}
TAG = re.compile(r"</?(div|p|span|svg|td|b|i|code)\b")


def room(name):
    """The part of a package in which a module stands: accelerator_lib.gpu.simt -> gpu; of the package itself, none."""
    return "".join(name.split(".")[1:2])


@cache
def imports(name):
    """(module, name or None, at import time) of every import statement of a module."""
    found = []
    for node, at_import in statements(TREES[name]):
        for one in [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            whole = one if isinstance(node, ast.Import) else f"{node.module}.{one}"
            plain = isinstance(node, ast.Import) or whole in NAMES
            found.append((whole, None, at_import) if plain else (node.module, one, at_import))
    return found


def statements(node, at_import=True):
    """(statement, whether it runs at import time) of all below a node; expressions are not gone into."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
            yield child, at_import
            yield from statements(child, at_import and not isinstance(child, ast.FunctionDef))


EVERY = [(name, one) for name in NAMES for one in imports(name)]  # (module, one of its imports)


def test_imports_point_down_and_a_chapter_knows_only_chapters_before_it():
    for name, (module, _, at_import) in EVERY:
        if module in NAMES and (room(name) != "start" or at_import):  # what is missing is asked before all else
            if module.split(".")[0] == name.split(".")[0]:
                assert room(module) == room(name) or RANK[room(module)] < RANK[room(name)], f"{name} imports {module}"
            else:
                assert name.startswith(COURSE), f"{name} imports {module}: the library knows nothing of the course"


def test_the_library_draws_nothing_and_heavy_libraries_stay_where_they_belong():
    for name, (module, _, at_import) in EVERY:
        library = module.split(".")[0]
        assert COURSE in name or library not in {*HEAVY, "IPython"}, f"{name} imports {module}"
        if name.endswith("pages.live.headless"):
            continue  # it stands in for them
        if library in HEAVY and (at_import or library != "traitlets"):  # a server's settings are such, too
            assert room(name) == HEAVY[library], f"{name} imports {library}"
        assert not at_import or library not in ("jax", "jsonschema", "PIL"), f"{name} imports {library} at import time"
    html = [name for name in NAMES if name.startswith(LIBRARY) and re.search(TAG, SOURCES[name])]
    assert not html, f"HTML in {html}"


def test_imports_run_in_no_circle_and_a_module_opens_with_its_sentence():
    faces = {name for name, path in NAMES.items() if path.name == "__init__.py"}
    graph = {name: {module for module, _, _ in imports(name) if module in NAMES} - {name} for name in NAMES}
    for name, needed in graph.items():
        own = {n for n in needed & faces if name.startswith(f"{n}.") and room(n) in MODELS}
        assert not own, f"{name} imports its own face"
    TopologicalSorter(graph).prepare()
    assert not [name for name, tree in TREES.items() if not ast.get_docstring(tree)]


BANK, CHIP = "quiz import bank; bank.load('roofline')", "hardware import chip; chip('h100-sxm5')"
LOADED = {  # what is not there after it
    f"from accelerator_course.{BANK}": {"rfc3987_syntax"},
    f"from accelerator_course.{BANK}; import jsonschema": {"rfc3987_syntax"},
    f"from accelerator_lib import roofline; from accelerator_lib.{CHIP}": {*HEAVY, "jax", "IPython", "jsonschema"},
    "from accelerator_course.start import needs": {"numpy"},
    "from accelerator_course import views; views.Lines, views.gpu, views.roofline": {"matplotlib"},
}


@pytest.mark.parametrize("code", LOADED)
def test_the_first_chip_and_the_first_question_need_little(code):
    told = f"import sys; {code}; print(sorted({LOADED[code]} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_what_a_chapter_makes_public_checks_what_enters():
    for face in (import_module(f"{LIBRARY}.{topic}") for topic in MODELS if f"{LIBRARY}.{topic}" in NAMES):
        for name, shown in vars(face).items():
            if inspect.isfunction(shown) and not name.startswith("_") and inspect.signature(shown).parameters:
                assert hasattr(shown, "kinds"), f"{face.__name__}.{name} is not @checked"


def test_a_view_knows_no_model_but_the_types_of_its_results():
    """A function that a view could call would be a law where no reader looks."""
    models = {f"{LIBRARY}.{one}" for one in (*MODELS, "hardware")} | {f"{COURSE}.frames"}
    for name in (name for name in NAMES if name.startswith(f"{COURSE}.views.")):
        known = [(m, i) for m, i, _ in imports(name) if ".".join(m.split(".")[:2]) in models]
        for module, imported in known:
            found = imported and getattr(import_module(module), imported)
            assert isinstance(found, type), f"{name} imports {module}.{imported or ''}"
        called = {getattr(node.func, "id", "") for node in ast.walk(TREES[name]) if isinstance(node, ast.Call)}
        made = called & {imported for _, imported in known}
        assert not made, f"{name} makes records of its own: {made}"


def laws(expression):
    """Quotients, powers and logarithms in what is put into words."""
    for node in ast.walk(expression):
        divided = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Pow))
        if divided or (isinstance(node, ast.Call) and re.fullmatch(r"(np|math)\.log\w*", ast.unparse(node.func))):
            yield ast.unparse(node)


def test_a_picture_puts_numbers_into_words_and_computes_none():
    """What a sentence says is a field or property of the record that is shown; a change of unit is units' matter."""
    for name in (name for name in NAMES if name.startswith(f"{COURSE}.views.")):
        values = (node.value for node in ast.walk(TREES[name]) if isinstance(node, ast.FormattedValue))
        found = [law for value in values for law in laws(value)]
        speaks = (n for n in ast.walk(TREES[name]) if isinstance(n, ast.FunctionDef) and re.match("_?say", n.name))
        found += [law for each in speaks if "charts" not in name for law in laws(each)]
        assert not found, f"{name}: {found}"


COMPUTES = (ast.BinOp, ast.Compare, ast.ListComp, ast.DictComp, ast.GeneratorExp)
CASTS = {"int", "float", "str", "bool", "list", "tuple", "dict", "round", "sorted"}
LINES = 6


def explored(path):
    """(name, definition or None) of every function that a notebook gives to explore or step."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    body = [n for c in cells if c["cell_type"] == "code" for n in ast.parse("".join(c["source"])).body]
    defined = {n.name: n for n in body if isinstance(n, ast.FunctionDef)}
    for node in ast.walk(ast.Module(body, [])):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("explore", "step", "workshop") and node.args:
            yield ast.unparse(node.args[0]), defined.get(getattr(node.args[0], "id", None))


def computes(node):
    """Whether a part of a function does more than hand on what it was given."""
    call = isinstance(node, ast.Call) and getattr(node.func, "id", None) not in CASTS
    return call or isinstance(node, COMPUTES)


PATHS = pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)


@PATHS
def test_the_law_stands_in_the_cell_and_no_sentence_has_lost_its_f(path):
    """Words shown as Markdown have no {braces with a call or an index} left in them: they were meant to be computed."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for call in ast.walk(ast.parse("".join(cell["source"]))) if cell["cell_type"] == "code" else ():
            if isinstance(call, ast.Call) and getattr(call.func, "id", None) in ("Markdown", "slow_one"):
                words = [n.value for n in ast.walk(call) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                left = [found[0] for each in words for found in re.finditer(r"\{[^{}\\]*[(\[][^{}\\]*\}", each)]
                assert not left, f"{path.stem}: {left}"
    # a function of the notebook itself, of a few lines, that computes with every argument that it takes
    for name, function in explored(path):
        assert function is not None, f"{name} is not defined in the notebook: no reader sees what it does"
        assert any(computes(n) for s in function.body for n in ast.walk(s)), f"{name} computes nothing"
        used = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
        assert {a.arg for a in function.args.args} <= used, f"{name} takes an argument that it does not use"
        assert len(ast.unparse(function).splitlines()) - 1 <= LINES, f"{name} is longer than {LINES} lines"
