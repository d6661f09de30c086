"""A draft changes in how many steps a text is written, and not the text."""

import pytest

from accelerator_lib.llm import drafting, writing


@pytest.mark.parametrize("drafted, bits", [(0, 4), (1, 4), (4, 4), (8, 4), (4, 2), (4, 16), (3, 6)])
@pytest.mark.parametrize("prompt, output", [(4, 32), (1, 1), (16, 20)])
def test_the_text_is_the_plain_one(drafted, bits, prompt, output):
    *_, plain = writing.write(prompt, output)
    found = drafting.write(drafted, bits, prompt, output)
    assert found.text == plain.text
    assert found.steps + found.kept == output and found.kept <= found.drafted


def test_a_perfect_draft_is_always_kept_and_none_takes_a_step_a_letter():
    perfect, none = drafting.write(4, 16), drafting.write(0)
    assert perfect.kept == perfect.drafted and perfect.steps == -(-32 // 5)
    assert (none.steps, none.drafted) == (32, 0)


@pytest.mark.parametrize("bad", [{"drafted": -1}, {"drafted": 9}, {"bits": 1}, {"output": 33}, {"prompt": 0}])
def test_bad_values_are_one_line(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        drafting.write(**bad)
