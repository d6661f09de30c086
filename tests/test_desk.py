"""The learner's copies: made once, renewed while untouched, never overwritten; and what JupyterLab is opened with."""

import json

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from accelerator_course.start import copies, lab


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one notebook, and where its copy goes: (original, copy, lay_out)."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "notebooks" / "images").mkdir(parents=True)
    monkeypatch.setattr(copies, "NOTEBOOKS", tmp_path / "notebooks")
    original = tmp_path / "notebooks" / "03_roofline.ipynb"
    write(original, "ridge = 295")
    return original, tmp_path / "mine" / original.name, lambda: copies.lay_out(tmp_path / "mine")


def write(path, *sources, **metadata):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), path)


def edit(path, *sources, outputs=()):
    """What saving in JupyterLab leaves: other sources or outputs, the same metadata."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [nbformat.v4.new_code_cell(source, outputs=list(outputs)) for source in sources]
    nbformat.write(notebook, path)


def source(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_a_copy_is_made_trusted_and_one_that_was_only_run_follows_the_course(course):
    original, copy, lay_out = course
    assert lay_out() == []
    notebook = nbformat.read(copy, as_version=4)
    assert source(copy) == source(original) and NotebookNotary().check_signature(notebook)
    language = notebook.metadata.language_info
    assert language.name == "python" and language.file_extension == ".py" and language.version
    edit(copy, "ridge = 295", outputs=[nbformat.v4.new_output("stream", text="295")])
    write(original, "ridge = 296")
    assert lay_out() == [] and source(copy) == ["ridge = 296"]


def test_what_was_typed_stays_and_the_new_version_is_put_beside_it(course):
    original, copy, lay_out = course
    lay_out()
    edit(copy, "ridge = 295", "mine = 1")
    assert lay_out() == [] and source(copy) == ["ridge = 295", "mine = 1"]
    write(original, "ridge = 296")
    (line,) = lay_out()
    beside = copy.with_name("03_roofline-2.ipynb")
    assert "mine/03_roofline-2.ipynb" in line and source(beside) == ["ridge = 296"]
    assert source(copy) == ["ridge = 295", "mine = 1"] and lay_out() == []
    edit(beside, "ridge = 296", "more = 2")
    write(original, "ridge = 297")
    lay_out()
    assert source(copy)[-1] == "mine = 1" and source(beside)[-1] == "more = 2"
    assert source(copy.with_name("03_roofline-3.ipynb")) == ["ridge = 297"]


@pytest.mark.parametrize("content", ["", "{}", "[]", "not JSON", '{"cells": [], "metadata": {}}'])
def test_a_file_that_is_not_a_copy_is_left_alone(course, content):
    _, copy, lay_out = course
    copy.parent.mkdir()
    copy.write_text(content)
    (line,) = lay_out()
    assert "03_roofline-2" in line and copy.read_text() == content


def test_the_lab_opens_with_a_kernel_that_says_calmly_what_to_run(course, tmp_path):
    lab.prepare(tmp_path / "mine")
    folder = lab.settings_folder(tmp_path / "mine")
    kernel = json.loads((folder / "kernels" / "python3" / "kernel.json").read_text())
    assert kernel["argv"][0] == "python" and "--ext=accelerator_course.start.unrun" in kernel["argv"]
    assert json.loads((folder / "labconfig" / "default_setting_overrides.json").read_text()) == lab.QUIET
    assert json.loads((folder / "jupyter_server_config.json").read_text()) == lab.WATCH
