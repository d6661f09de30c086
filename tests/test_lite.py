"""The course in JupyterLite: all that a browser loads is pinned, pure, and in a list; what is slow there is done ahead."""

import ast
import json
import re
import shutil
import sys
from importlib import metadata
from pathlib import Path

import nbformat
import pytest
import yaml
from refused import refused

from accelerator_course import syllabus
from accelerator_course.pages import lite, runtime
from accelerator_course.quiz import bank
from accelerator_course.start import folders
from accelerator_lib import data
from accelerator_lib.data import ahead

ROOT = Path(__file__).parents[1]
TOOLS = (ROOT / "binder" / "site-requirements.in").read_text(encoding="utf-8")
PACKAGES = runtime.read(lite.PINNED)
OURS = {"accelerator_lib", "accelerator_course"}
ELSEWHERE = "jax jaxlib ml_dtypes"  # records are shown, and the formats of chapter 7 judge themselves
ELSEWHERE += " voila jupyterlab nbformat jupyter_core nbconvert nbclient latex2mathml"  # a server, and pages on paper
ELSEWHERE += " text2qti sphinx jinja2 packaging setuptools"  # for instructors; what builds the book, and this site
ELSEWHERE = {*ELSEWHERE.split()}  # imports that no browser follows: what a learner does there never comes by them


def record(name):
    """What a wheel that the site carries would say of itself, from what is installed here."""
    lines = filter(None, map(runtime._wanted, metadata.requires(name) or []))
    return {"name": name, "version": metadata.version(name), "depends": [*lines], "imports": [name]}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return lite.course_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def carried(wheel):
    kernel = [{"name": name, "depends": ["comm", "ipython"], "imports": [name]} for name in runtime.KERNEL[:1]]
    kernel += [{"name": name, "depends": [], "imports": [name]} for name in ("ipykernel", "pyodide-kernel")]
    return [runtime.wheel(wheel, f"./{wheel.name}"), *map(record, lite.CARRIED), *kernel]


def test_everything_that_is_asked_for_is_in_the_runtime_or_on_the_site_in_an_exact_version(carried):
    found = runtime.needed(carried, PACKAGES)
    assert {"numpy", "matplotlib", "pyyaml", "ipywidgets", "anywidget", "jsonschema", runtime.COURSE} <= set(found)
    assert not set(found) & set(runtime.LEFT_OUT)
    assert set(PACKAGES) <= set(found), "no more is pinned than is needed"
    for name, packed in found.items():
        assert set(packed["depends"]) <= set(found), name
    built = [line for line in TOOLS.splitlines() if line.startswith(("jupyterlite", "setuptools"))]
    assert len(built) == 3 and all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in built)
    for name, packed in PACKAGES.items():
        assert re.fullmatch(r"[0-9a-f]{64}", packed["sha256"]) and packed["version"] in packed["file_name"], name
    for name in lite.CARRIED:
        assert re.match(rf"{name}==[\d.]+ --hash=sha256:", lite.pinned(name)) and "\\" not in lite.pinned(name)
    refused(KeyError, "pins no pyodide", lite.pinned, "pyodide")
    python, known = json.loads(lite.PINNED.read_text())["info"]["python"], runtime.ENVIRONMENT
    assert python == known["python_full_version"] and python.startswith(f"{known['python_version']}.")
    constants = pytest.importorskip("jupyterlite_pyodide_kernel.constants", reason="make lite installs JupyterLite")
    assert f"{constants.PYODIDE_CDN_URL}/" == runtime.ADDRESS  # the kernel is made for this Pyodide
    assert f"jupyterlite-pyodide-kernel=={metadata.version('jupyterlite-pyodide-kernel')}" in TOOLS


@pytest.fixture(scope="module")
def met(carried):
    """What can be imported in a browser."""
    found = runtime.needed(carried, PACKAGES)
    return {top for packed in found.values() for top in packed["imports"]} | set(sys.stdlib_module_names)


def test_every_import_of_the_package_is_met_in_a_browser_or_never_made_there(met):
    for path in sorted(path for name in OURS for path in (ROOT / name).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        late = {id(n) for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.Lambda)) for n in ast.walk(f)}
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for top in {name.partition(".")[0] for name in names} - met - OURS:
                assert top in ELSEWHERE, f"{path.name} imports {top}: no browser has it"
                assert id(node) in late or "nbconvert" in str(path), f"{path.name} imports {top} at import time"


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_imports_what_a_browser_has(path, met):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    for inside, name in re.findall(r"^( *)(?:import|from) (\w+)", code, re.M):
        assert name in met | OURS or (inside and name in ELSEWHERE), (
            name
        )  # in a function: recorded.run shows what it gave


NO_PYODIDE = {None: "is missing", "[]": "no list", "{": "no list", "{}": "no list"}


@pytest.mark.parametrize("content", NO_PYODIDE)
def test_what_is_missing_stops_the_build_in_one_line(content, carried, tmp_path):
    if content is not None:
        (tmp_path / "pyodide-lock.json").write_text(content)
    said = f"^[^\n]*{NO_PYODIDE[content]}[^\n]*$"
    refused(SystemExit, said, lite.main, ["--out", str(tmp_path / "out"), "--runtime", str(tmp_path)])
    assert not (tmp_path / "out").exists()
    without = {name: packed for name, packed in PACKAGES.items() if name not in ("rpds-py", "pillow")}
    said = r"^(?=[^\n]*pillow \(needed by accelerator-course\))[^\n]*rpds-py[^\n]*$"
    refused(runtime.Unresolved, said, runtime.needed, carried, without)
    said = "numpy-2-cp314-cp314-linux.whl is not pure Python"  # one machine alone runs it
    refused(ValueError, said, runtime.wheel, tmp_path / "numpy-2-cp314-cp314-linux.whl", "")


def test_the_kernel_loads_the_course_before_the_first_cell_and_keeps_progress_on_the_drive(tmp_path):
    path = tmp_path / "jupyter-lite.json"
    path.write_text(json.dumps({"jupyter-config-data": {"appName": "course"}}))
    lite._configure(path, lite.settings(runtime.ADDRESS))
    config = json.loads(path.read_text())["jupyter-config-data"]
    kernel = config["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert config["appName"] == "course" and kernel["pyodideUrl"] == f"{runtime.ADDRESS}pyodide.mjs"
    options = kernel["loadPyodideOptions"]
    assert runtime.COURSE in options["packages"] and {"comm", "ipython"} <= set(options["packages"])
    assert options["env"]["ACCELERATOR_COURSE_HOME"].startswith("/drive/")
    assert options["lockFileURL"] == "./wheels/pyodide-lock.json"


def test_the_wheel_is_pure_small_and_holds_what_was_parsed_ahead(wheel, monkeypatch, tmp_path):
    assert wheel.name.endswith("-py3-none-any.whl") and wheel.stat().st_size < 4e6
    assert not list((ROOT / "accelerator_lib" / "data").glob("ahead.json")), "nothing is left in the checkout"
    shutil.unpack_archive(wheel, tmp_path, "zip")
    monkeypatch.setattr(ahead, "LIST", tmp_path / "accelerator_lib" / "data" / "ahead.json")
    ahead._known.cache_clear()
    try:
        places = (data.FOLDER, data.FOLDER / "published", syllabus.FOLDER, bank.FOLDER)
        ready = {path: ahead.content(path) for place in places for path in place.glob("*.yaml")}
        assert sum(content is ahead.NOTHING for content in ready.values()) <= len(ready) / 10
        for path, content in ready.items():
            with open(path, encoding="utf-8") as stream:
                assert content is ahead.NOTHING or content == data.read(stream), path.name
        assert data.parse(syllabus.FOLDER / "chapters.yaml") == syllabus.load("chapters")
        changed = tmp_path / "03_roofline.yaml"
        changed.write_text("chapter: nonsense\n")
        refused(bank.BadQuiz, "", bank.read, changed)  # another file than the one that was checked
    finally:
        monkeypatch.undo()
        ahead._known.cache_clear()


def test_what_json_would_change_is_not_parsed_ahead_and_both_readers_of_yaml_read_alike(tmp_path):
    """Plain Python's, which a browser may have, takes another view of a question mark than libyaml."""
    for name, content in {"a": {"x": [1, 2.0, None, True]}, "b": {1: "number for a key"}, "c": []}.items():
        (tmp_path / name).write_text(name)
        kept = json.loads(ahead.written({tmp_path / name: content}))
        assert [*kept.values()] == ([] if name == "b" else [content])
    text = (data.FOLDER / "validation.yaml").read_text(encoding="utf-8")
    assert yaml.load(text, yaml.SafeLoader) == data.load("validation")


def test_widgets_have_a_minute_to_begin_and_the_button_of_a_notebook_may_run_it_without_asking():
    page = lite.patient("<html><head>\n<script>first()</script></head></html>")
    assert page.index("60_000") < page.index("first()") and page.startswith("<html><head><script>")
    notebook = json.loads(lite.trusted((folders.NOTEBOOKS / "03_roofline.ipynb").read_text(encoding="utf-8")))
    nbformat.validate(nbformat.from_dict(notebook))
    marked = [cell["metadata"].get("trusted") is True for cell in notebook["cells"]]
    assert marked == [cell["cell_type"] == "code" for cell in notebook["cells"]]
