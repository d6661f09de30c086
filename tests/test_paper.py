"""What a chapter asks of its reader, in words for paper: nothing needs a mouse, the questions stay."""

import json
import re

import pytest

from accelerator_course.pages import paper
from accelerator_course.start import folders

MOUSE = r"\b(play it|click a|drag|press|slide|tick|flip|step through|step forward)\b"


@pytest.mark.parametrize(
    "screen, told",
    [
        ("*Play it. Slide the batch to 256: what binds now?*", "*Take the batch to 256: what binds now?*"),
        ("*Switch overlap on: what happens to the valleys?*", "*With overlap on: what happens to the valleys?*"),
        ("*Click a PE to follow it: in which cycle does it begin?*", "*In which cycle does it begin?*"),
        ("*Play it with 9 blocks: when are they through?*", "*Take 9 blocks: when are they through?*"),
        ("*Play it. Then allow 8 bad units. Why?*", "*Allow 8 bad units. Why?*"),
        ("Before.\n\n*Flip the switch above and watch the total.*\n\nAfter.", "Before.\n\nAfter."),
        ("*Step through the blocks. When is it right?*", "*Think through the blocks. When is it right?*"),
        ("No *word* and no **sentence set here in bold** is touched; `*play it, in some code*` neither.",) * 2,
    ],
)
def test_an_instruction_for_the_screen_is_one_for_paper(screen, told):
    assert paper.worded(screen) == told


@pytest.mark.parametrize("path", sorted(folders.NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_chapter_asks_for_a_mouse_on_paper_and_every_question_is_kept(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        text = "".join(cell["source"])
        told = paper.worded(text)
        assert told.count("?") == text.count("?"), cell["id"]
        said = [found["asked"] for found in paper.ASKED.finditer(told) if found["asked"]]
        assert not [one for one in said if re.search(MOUSE, one, re.I)], cell["id"]
        assert not [one for one in said if re.search(r"^\W|[.?:] [,:.]|\s{2}", one)], cell["id"]
