"""Advice: what is said of Pallas texts, by hand."""

import pytest

from accelerator_course import ladder
from accelerator_course.ladder.advice import COUNTERS
from accelerator_course.ladder.hints import counter, hints

RUNGS = {id: rung for id, rung in ladder.rungs().items() if rung.machine == "pallas"}


def first(id, number=0, text=None):
    rung = RUNGS[id]
    text = text or rung.steps[number].text
    hint = hints(rung, rung.run(text, rung.scoring))[0]
    return hint, text.splitlines()[hint.line - 1].strip() if hint.line else None


@pytest.mark.parametrize("id, number, words, line", [
    ("product", 0, "a comes 8 times: 2,097,152 bytes for 262,144", "in_specs=[", ),
    ("fused", 0, "h goes to memory and comes back: 262,144 bytes out, 262,144 in again", "h = pl.pallas_call("),
    ("softmax", 0, "e goes to memory and comes back: 131,072 bytes out", "e, total = pl.pallas_call("),
    ("attention", 0, "goes to memory and comes back: 262,144 bytes out", "s = pl.pallas_call("),
    ("attention", 1, "98,304 bytes come and no step looks at them", None),
])  # fmt: skip
def test_what_is_said(id, number, words, line):
    hint, at = first(id, number)
    assert hint.text.startswith(words) or words in hint.text
    assert hint.counter == RUNGS[id].steps[number].fault and hint.counter in COUNTERS
    assert line is None or at == line or at.startswith("pl.BlockSpec")


def test_a_result_that_leaves_twice_is_told():
    """Right, but blocks of pass 0 go to memory with nothing in them."""
    hint, at = first("softmax", text=RUNGS["softmax"].worked.text.replace("(i, turn * step)", "(i, step)"))
    assert hint.counter == "twice" and hint.text.startswith("out leaves 2 times")
    assert at.startswith("out_specs=")


def test_an_empty_room_is_told():
    rung = RUNGS["product"]
    made = rung.run(rung.worked.text.replace("64, 64, 8", "32, 64, 8"), rung.scoring)
    assert counter("room", rung, made) > 1.25 * counter("room", rung, rung.best)
    assert any("larger blocks come less often" in hint.text for hint in hints(rung, made))
