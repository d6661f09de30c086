"""Imports point down, heavy libraries load late, and the package starts quickly."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "accelerator_lib"
RANK = {"units": 0, "inputs": 0, "data": 0, "hardware": 1, "workload": 1}
RANK |= {"quiz": 3, "exercises": 3, "views": 3, "widgets": 4, "environment": 4, "handout": 4}
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = {"matplotlib": "views", "ipywidgets": "widgets", "anywidget": "widgets", "traitlets": "widgets"}


def rank(dotted):
    """Rank of accelerator_lib.x...; a model is 2."""
    parts = dotted.split(".")
    return RANK.get(parts[1], 2) if len(parts) > 1 else -1


def name_of(path):
    parts = ["accelerator_lib", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path):
    """(module, at import time) of every import statement."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.Lambda)) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) not in inside
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                known = node.module == "accelerator_lib" and f"accelerator_lib.{alias.name}"
                yield known or node.module, id(node) not in inside


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_from_below_or_beside(path):
    own = name_of(path)
    for module, _ in imports(path):
        if module.startswith("accelerator_lib."):
            same_package = module.split(".")[1] == own.split(".")[1] if len(own.split(".")) > 1 else False
            beside = rank(module) == rank(own) == 2
            beside |= own.startswith("accelerator_lib.hardware") or own.startswith("accelerator_lib.workload")
            beside |= own.startswith("accelerator_lib.exercises") and module.startswith("accelerator_lib.quiz")
            assert rank(module) < rank(own) or same_package or beside, f"{own} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_heavy_libraries_stay_where_they_belong(path):
    own = name_of(path).split(".")
    for module, at_import in imports(path):
        library = module.split(".")[0]
        if library in HEAVY:
            assert HEAVY[library] in own, f"{'.'.join(own)} imports {library}"
        if library in ("jax", "jsonschema", "PIL"):
            assert not at_import, f"{'.'.join(own)} imports {library} at import time"


def test_the_first_chip_needs_only_numpy_and_yaml():
    code = (
        "import sys; from accelerator_lib import roofline, hardware; hardware.chip('h100-sxm5');"
        "print(sorted({'matplotlib', 'ipywidgets', 'jax', 'IPython', 'jsonschema'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_opens_with_its_sentence_and_can_be_read_in_one_sitting(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), path
    assert len(text.splitlines()) <= 250
