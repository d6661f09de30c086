"""Remarks: what is said of texts for arrays, by hand."""

import pytest

from accelerator_course import ladder
from accelerator_course.ladder.hints import hints


@pytest.mark.parametrize("id, number, words, at", [
    ("feed", 0, "go out and come back for 3,384 cycles", "run(first, min(first + ROOM, m))"),
    ("feed", 1, "768 cycles pass (par: 16)", "swap()"),
    ("feed", 2, "have 1 of 16 columns", "load(b, 0, j + EDGE)"),
    ("network", 0, "begin or end one of 450 blocks", "layer(i, WEIGHTS, OUTPUTS, 32, 32, 32)"),
    ("network", 1, "what streams is shorter than 32 rows of PEs", "layer(i, WEIGHTS, OUTPUTS, 64, 64, 64)"),
])  # fmt: skip
def test_what_is_said(id, number, words, at):
    rung = ladder.rung(id)
    step = rung.steps[number]
    hint = hints(rung, rung.run(step.text, rung.scoring))[0]
    assert words in hint.text and hint.counter == step.fault
    assert step.text.splitlines()[hint.line - 1].strip() == at


@pytest.mark.parametrize("change, counter, words", [
    (("layer(1, OUTPUTS, OUTPUTS, 64, 64, 64)", "layer(1, OUTPUTS, OUTPUTS, 8, 64, 192)"), "again", "its weights come 98 times"),
    (("layer(1, OUTPUTS, OUTPUTS, 64, 64, 64)", "layer(1, OUTPUTS, WEIGHTS, 64, 64, 64)"), "again", "its sums leave and come back"),
    (("layer(1, OUTPUTS, OUTPUTS, 64, 64, 64)", "layer(1, OUTPUTS, OUTPUTS, 112, 32, 64)"), "empty", "50% of 1,024 PEs"),  # 32 of 64 columns
    (("array(16, 64)", "array(8, 64)"), "empty", "50% of 1,024 PEs have nothing to multiply while rows stream through an array of 8 x 64"),
])  # fmt: skip
def test_other_faults_of_a_mapping_are_told(change, counter, words):
    rung = ladder.rung("network")
    found = hints(rung, rung.run(rung.worked.text.replace(*change), rung.scoring))
    assert any(hint.counter == counter and words in hint.text for hint in found), found
