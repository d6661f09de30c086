"""The notebooks as files: clean, stable, linked. nbval runs them; test_browser looks at them."""

import ast
import os
import re
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from accelerator_course import syllabus

FOLDER = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
CHECKPOINTS = import_module("accelerator_course.widgets.review").CHECKPOINTS
CHAPTERS = {entry["name"]: entry for entry in syllabus.chapters().values()}


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def text(nb):
    return "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


def test_committed_without_outputs_and_with_stable_ids(notebook):
    nbformat.validate(notebook)
    assert notebook.nbformat_minor >= 5
    assert not [cell.id for cell in code(notebook) if cell.outputs or cell.execution_count]
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"[a-z0-9-]{3,40}", id) for id in ids), ids
    assert not [cell.id for cell in notebook.cells if "execution" in cell.metadata or "trusted" in cell.metadata]


def test_cells_are_short_and_use_only_the_package(notebook):
    allowed = {"accelerator_lib", "accelerator_course", "numpy", "IPython", "jax"}
    for cell in code(notebook):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= 12, cell.id
        for node in ast.walk(ast.parse(cell.source)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= allowed, cell.id


def test_no_hardware_number_is_typed_into_a_code_cell(notebook):
    known = {chip_value for chip in __import__("accelerator_lib.hardware").hardware.chips().values()
             for chip_value in (*chip.matrix.values(), *chip.vector.values(), chip.bytes_per_s) if chip_value}  # fmt: skip
    for cell in code(notebook):
        for node in ast.walk(ast.parse(cell.source)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, float)
                and float(f"{node.value:.0e}") != node.value
            ):
                assert node.value not in known, (cell.id, node.value)


def test_links_lead_to_files_that_exist(notebook):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text(notebook)):
        assert target.startswith("http") or (FOLDER / target).exists(), target


def test_headings_open_slides_and_the_first_cell_is_one(notebook):
    """A cell without a slide type continues the slide before it; the deck hides a cell marked "-"."""
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    assert kinds[0] == "slide" and set(kinds) <= {None, "slide", "subslide", "fragment", "skip", "notes"}


CHAPTER_NOTEBOOKS = [path for path in PATHS if path.stem in CHAPTERS]


@pytest.mark.parametrize("path", CHAPTER_NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_has_all_its_parts_in_order(path):
    nb, chapter = nbformat.read(path, as_version=4), CHAPTERS[path.stem]
    title = nb.cells[0].source
    assert title.startswith(f"# {chapter['label']} · {chapter['title']}\n") and f"{chapter['core']} minutes, " in title
    everything = "\n".join(cell.source for cell in nb.cells)
    parts = ["Run this chapter", "chapter_bar(", "predict(", "You will be able to", "## The answer", "## What this ignores",
             "\nquiz(", "\nexplain(", "## Exercise", "exercises.check(", "## Glossary", "## Sources", "## For instructors", "Previous:"]  # fmt: skip
    if not any(cell.id == "answer" for cell in nb.cells):  # not yet walked: test_path.py names these
        parts = [
            "Run this chapter",
            "chapter_bar(",
            "You will be able to",
            "predict(",
            "exercises.check(",
            "## Glossary",
            "Previous:",
        ]
    places = [everything.find(part) for part in parts]
    assert -1 not in places and places == sorted(places), dict(zip(parts, places, strict=True))
    topic, halves = chapter["topic"], [path for path in PATHS if path.stem.startswith(f"{chapter['number']:02d}")]
    assert (f'warm_up("{topic}")' in everything) == (chapter["number"] > 1)
    ends = chapter["number"] in CHECKPOINTS and path == halves[-1]
    assert (f"checkpoint({chapter['number']})" in everything) == ends


@pytest.mark.parametrize("path", CHAPTER_NOTEBOOKS, ids=lambda path: path.stem)
def test_a_prediction_stands_with_its_panel_and_what_was_seen_follows(path):
    """The cell that follows stays folded until the guess, so it must be the takeaway, by the words it opens with."""
    from accelerator_course.quiz import bank

    cells, asked = nbformat.read(path, as_version=4).cells, []
    for cell, following in pairwise(cells):
        asks = cell.cell_type == "code" and re.search(r"(?<![.\w])predict\((.*)", cell.source)  # not a model's predict
        if asks:
            chapter, *ids = re.findall(r'"([a-z0-9-]+)"', asks[1])
            assert chapter == CHAPTERS[path.stem]["topic"] and "**What you saw.**" in following.source, cell.id
            for id in ids:
                assert f'id="{bank.item(chapter, id, "predict")["show"]["panel"]}"' in cell.source
            asked += ids
    assert sorted(asked) == sorted(entry["id"] for entry in bank.load(CHAPTERS[path.stem]["topic"])["predict"])


def test_ids_of_panels_are_unique_in_the_course():
    ids = [
        id
        for path in PATHS
        for cell in code(nbformat.read(path, 4))
        for id in re.findall(r'\bid="([^"]+)"', cell.source)
    ]
    assert len(ids) == len(set(ids)), [id for id in ids if ids.count(id) > 1]


@pytest.mark.parametrize("path", CHAPTER_NOTEBOOKS, ids=lambda path: path.stem)
def test_every_question_leads_to_a_panel_of_its_chapter(path):
    """Named by its id, found at run time: its cell, and the heading it stands under."""
    from accelerator_course.quiz import bank
    from accelerator_course.widgets import catalog

    cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    for item in bank.items(CHAPTERS[path.stem]["topic"]):
        for see in (item["see"], *(option["see"] for option in item.get("options", []) if "see" in option)):
            there = catalog.exploration(see)
            assert see == f"{path.stem}#{there['panel']}" and there["notebook"] == path.name, (item["id"], see)
            assert re.search(rf'(explore|step|workshop)\([^#]*\bid="{there["panel"]}"', cells[there["cell"]], re.S)
            assert any(re.search(rf"^#+ {re.escape(there['heading'])}$", source, re.M) for source in cells.values())


@pytest.mark.parametrize("path", CHAPTER_NOTEBOOKS, ids=lambda path: path.stem)
def test_an_explanation_takes_its_prompt_from_the_questions(path):
    cells = [cell.source for cell in code(nbformat.read(path, as_version=4)) if "explain(" in cell.source]
    assert cells == [f'explain("{CHAPTERS[path.stem]["topic"]}")']


def test_a_planted_broken_callback_fails_the_run(tmp_path):
    """The sweep finds an error that no cell provokes: here at one position in the middle of a slider."""
    source = (
        "from accelerator_course import views\nfrom accelerator_course.widgets import explore\n"
        "def model(n=1):\n    assert n != {broken}, 'planted'\n    return {{'a': n, 'b': n + 1}}\n"
        "explore(model, views.Bars('time', 's', (0.1, 100)), n=(1, 7));"
    )
    for broken, code in ((4, 1), (99, 0)):
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source.format(broken=broken))])
        path = tmp_path / f"planted_{broken}.ipynb"
        nbformat.write(nb, path)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "sweep_plugin",
            "--nbval-lax",
            "--nbval-current-env",
            "-c",
            "/dev/null",
        ]
        run = subprocess.run(
            [*command, "--rootdir", str(tmp_path), str(path)], capture_output=True, text=True, cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (Path(__file__).parent, FOLDER.parent)))},
        )  # fmt: skip
        assert run.returncode == code, run.stdout
        assert ("planted" in run.stdout and "Slider('" in run.stdout) == (broken == 4)


def test_the_sweep_fails_rather_than_stops_at_its_limit():
    from sweep import Sweep

    run = Sweep(limit=1)
    run.act("one", lambda: None)
    with pytest.raises(AssertionError, match="more than 1 positions"):
        run.act("two", lambda: None)
