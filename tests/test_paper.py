"""What a chapter asks of its reader, in words for paper: nothing needs a mouse, the questions stay."""

import json
import re
from pathlib import Path

import pytest

from accelerator_course.pages import paper
from accelerator_course.start import folders
from accelerator_lib import data

MOUSE = r"\b(play it|click a|drag|press|slide|tick|flip|step through|step forward)\b"


@pytest.mark.parametrize("screen, told", data.parse(Path(__file__).with_suffix(".yaml")).items())
def test_an_instruction_for_the_screen_is_one_for_paper(screen, told):
    assert paper.worded(screen) == told


@pytest.mark.parametrize("path", sorted(folders.NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_chapter_asks_for_a_mouse_on_paper_and_every_question_is_kept(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for text in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"):
        told = paper.worded(text)
        said = [found["asked"] for found in paper.ASKED.finditer(told) if found["asked"]]
        odd = [one for one in said if re.search(MOUSE, one, re.I) or re.search(r"^\W|[.?:] [,:.]|\s{2}", one)]
        assert told.count("?") == text.count("?") and not odd, text
