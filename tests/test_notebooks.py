"""The notebooks as files: clean, stable, linked. nbval runs them; test_browser looks at them."""

import ast
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from sweep import Sweep

from accelerator_course import syllabus
from accelerator_course.quiz import bank
from accelerator_course.widgets import catalog
from accelerator_course.widgets.review import CHECKPOINTS
from accelerator_lib import hardware

FOLDER = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
CHAPTERS = {entry["name"]: entry for entry in syllabus.chapters().values()}


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def text(nb):
    return "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")


def test_committed_without_outputs_and_with_stable_ids(notebook):
    """And slides: a cell without a type continues the slide before it; the deck hides a cell marked "-"."""
    nbformat.validate(notebook)
    assert notebook.nbformat_minor >= 5
    assert not [cell.id for cell in code(notebook) if cell.outputs or cell.execution_count]
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids)) and all(re.fullmatch(r"[a-z0-9-]{3,40}", id) for id in ids), ids
    assert not [cell.id for cell in notebook.cells if "execution" in cell.metadata or "trusted" in cell.metadata]
    kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    assert kinds[0] == "slide" and set(kinds) <= {None, "slide", "subslide", "fragment", "skip", "notes"}
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text(notebook)):
        assert target.startswith("http") or (FOLDER / target).exists(), target


CHIPS = hardware.chips().values()
PEAKS = {peak for chip in CHIPS for peak in (*chip.matrix.values(), *chip.vector.values(), chip.bytes_per_s)}
ALLOWED = {"accelerator_lib", "accelerator_course", "numpy", "IPython", "jax"}


def test_cells_are_short_use_only_the_package_and_type_no_hardware_number(notebook):
    for cell in code(notebook):
        assert len([line for line in cell.source.splitlines() if line.strip()]) <= 12, cell.id
        for node in ast.walk(ast.parse(cell.source)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert {name.split(".")[0] for name in names} <= ALLOWED, cell.id
            value = getattr(node, "value", 0) if isinstance(node, ast.Constant) else 0
            if isinstance(value, float) and float(f"{value:.0e}") != value:
                assert value not in PEAKS, (cell.id, value)


CHAPTER_NOTEBOOKS = [path for path in PATHS if path.stem in CHAPTERS]
PARTS = "Run this chapter|chapter_bar(|predict(|You will be able to|## The answer|## What this ignores|\nquiz(|\nexplain(|## Exercise"
PARTS = [*PARTS.split("|"), "exercises.check(", "## Glossary", "## Sources", "## For instructors", "Previous:"]


@pytest.fixture(params=CHAPTER_NOTEBOOKS, ids=lambda path: path.stem)
def chapter(request):
    """(path, cells, entry of the syllabus)."""
    return request.param, nbformat.read(request.param, as_version=4).cells, CHAPTERS[request.param.stem]


def test_a_chapter_has_all_its_parts_in_order(chapter):
    """Its head and its links are written by layout.py: test_project.py."""
    path, cells, entry = chapter
    everything = "\n".join(cell.source for cell in cells)
    places = [everything.find(part) for part in PARTS]
    assert -1 not in places and places == sorted(places), dict(zip(PARTS, places, strict=True))
    assert (f'warm_up("{entry["topic"]}")' in everything) == (entry["number"] > 1)
    ends = entry["number"] in CHECKPOINTS and path == [p for p in PATHS if p.stem[:2] == path.stem[:2]][-1]
    assert (f"checkpoint({entry['number']})" in everything) == ends
    assert [cell.source for cell in cells if "explain(" in cell.source] == [f'explain("{entry["topic"]}")']


def test_a_prediction_stands_with_its_panel_and_what_was_seen_follows(chapter):
    """The cell that follows stays folded until the guess, so it must be the takeaway, by the words it opens with."""
    _, cells, entry = chapter
    asked = []
    for cell, following in pairwise(cells):
        asks = cell.cell_type == "code" and re.search(r"(?<![.\w])predict\((.*)", cell.source)  # not a model's predict
        if asks:
            topic, *ids = re.findall(r'"([a-z0-9-]+)"', asks[1])
            assert topic == entry["topic"] and "**What you saw.**" in following.source, cell.id
            assert all(f'id="{bank.item(topic, id, "predict")["show"]["panel"]}"' in cell.source for id in ids)
            asked += ids
    assert sorted(asked) == sorted(one["id"] for one in bank.load(entry["topic"])["predict"])


def test_ids_of_panels_are_unique_in_the_course():
    sources = [cell.source for path in PATHS for cell in code(nbformat.read(path, 4))]
    ids = [id for source in sources for id in re.findall(r'\bid="([^"]+)"', source)]
    assert len(ids) == len(set(ids)), [id for id in ids if ids.count(id) > 1]


def test_every_question_leads_to_a_panel_of_its_chapter(chapter):
    """Named by its id, found at run time: its cell, and the heading it stands under."""
    path, all_cells, entry = chapter
    cells = {cell.id: cell.source for cell in all_cells}
    for item in bank.items(entry["topic"]):
        for see in (item["see"], *(option["see"] for option in item.get("options", []) if "see" in option)):
            there = catalog.exploration(see)
            assert see == f"{path.stem}#{there['panel']}" and there["notebook"] == path.name, (item["id"], see)
            assert re.search(rf'(explore|step|workshop)\([^#]*\bid="{there["panel"]}"', cells[there["cell"]], re.S)
            assert any(re.search(rf"^#+ {re.escape(there['heading'])}$", source, re.M) for source in cells.values())


PLANTED = """from accelerator_course import views
from accelerator_course.widgets import explore
def model(n=1):
    assert n != {broken}, 'planted'
    return {{'a': n, 'b': n + 1}}
explore(model, views.Bars('time', 's', (0.1, 100)), n=(1, 7));"""
COMMAND = ["-m", "pytest", "-p", "sweep_plugin", "--nbval-lax", "--nbval-current-env", "-c", "/dev/null", "--rootdir"]


@pytest.mark.parametrize("broken, ended", [(4, 1), (99, 0)])
def test_a_planted_broken_callback_fails_the_run(tmp_path, broken, ended):
    """The sweep finds an error that no cell provokes: here at one position in the middle of a slider."""
    cells, path = [nbformat.v4.new_code_cell(PLANTED.format(broken=broken))], tmp_path / "planted.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    own = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (Path(__file__).parent, FOLDER.parent)))}
    command = [sys.executable, *COMMAND, tmp_path, path]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=own)
    assert run.returncode == ended, run.stdout
    assert ("planted" in run.stdout and "Slider('" in run.stdout) == (broken == 4)


def test_the_sweep_fails_rather_than_stops_at_its_limit():
    run = Sweep(limit=1)
    run.act("one", lambda: None)
    with pytest.raises(AssertionError, match="more than 1 positions"):
        run.act("two", lambda: None)
