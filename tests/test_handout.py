"""A chapter on paper: pictures instead of widgets, the law but no plumbing, formulas and nothing to load."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from accelerator_course.pages import handout, still
from accelerator_course.quiz import bank
from accelerator_course.start import folders
from accelerator_course.widgets import predict

LIVE = {still.WIDGET: {"model_id": "1"}, "text/html": "<figure><img alt='a picture'></figure>", "text/plain": "said"}


def printed(*cells):
    return handout.page(new_notebook(cells=list(cells)), "a title")


def code(source, data=None, slide=None, **metadata):
    outputs = [new_output("display_data", data)] if data else []
    metadata |= {"slideshow": {"slide_type": slide}} if slide else {}
    return new_code_cell(source, outputs=outputs, metadata=metadata)


def test_a_panel_is_its_picture_the_law_is_read_and_nothing_is_loaded():
    formula = new_markdown_cell("# A\n\n$$a_1 = \\frac{b}{c}$$")
    page = printed(
        formula,
        code("explore(dot)", LIVE),
        code("def law(x):\n    return x"),
        code("from somewhere import something", slide="skip"),
        code("# computed", {"text/markdown": "**seen**"}, jupyter={"source_hidden": True}),
        code("def mine():\n    ...", {"text/html": "Not yet."}, tags=["exercise"]),
    )
    assert "a picture" in page and "law" in page and "<strong>seen</strong>" in page
    assert not re.search("explore|model_id|somewhere|# computed|Not yet", page)
    assert "mine" in page and 'class="lines' in page  # an exercise has room to write
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page) and "<script" not in page and "@import" not in page


def test_what_only_lives_on_a_page_is_left_out():
    page = printed(
        code("warm_up('roofline')", LIVE | {"text/html": "a warm-up"}, slide="skip"),
        code("watch(run)", {still.WIDGET: {}, "text/plain": "HBox(children=())"}),
        new_markdown_cell("Previous: [one](01_workload.ipynb)"),
        new_markdown_cell("## For instructors", metadata={"slideshow": {"slide_type": "notes"}}),
    )
    assert not re.search("warm-up|HBox|Previous|instructors", page)


def test_formulas_are_drawn_code_is_left_alone_and_a_printed_question_has_its_choices():
    drawn = still.drawn("so $n^2$ and `$HOME/$x`:\n\n$$\\text{peak} \\times 2$$")
    assert drawn.count("<math") == 2 and 'display="block"' in drawn and "`$HOME/$x`" in drawn and "<msup>" in drawn
    entry = bank.item("roofline", "batch-128", "predict")
    page = predict("roofline", "batch-128")._repr_mimebundle_()[0]["text/html"]
    assert page.count("<li>") == len(entry["options"]) and 'type="A"' in page


@pytest.mark.parametrize("path", sorted(folders.NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_formula_of_the_course_becomes_mathml(path):
    for cell in (cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"):
        shown = re.sub("`[^`]*`", "", still.drawn(cell.source))
        assert "$" not in shown and not re.search(r"<m[io]>\\\\", shown), cell.id
