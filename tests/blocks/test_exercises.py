"""Wrong solutions of the exercise; the slip of the rungs: what lies past the edge of an array enters a sum."""

import pytest

from accelerator_course import ladder
from accelerator_course.exercises.slips import blocks as slips

WRONG = {
    "15.2": [
        (slips.distinct, "a column comes anew"),
        (slips.every_step, "a row stays"),
        (slips.first_axis_fastest, "a row stays"),
        (slips.changes_alone, "a row stays"),
    ],
}
HARMLESS = {"15.2": []}


@pytest.mark.parametrize("id", ["product", "fused"])
def test_numbers_from_past_the_edge_in_a_sum_are_refused_by_name(id):
    text = ladder.rung(id).worked.text
    bare = text.replace("jnp.where(across, a_ref[...], 0.0)", "a_ref[...]").replace(
        "jnp.where(down, b_ref[...], 0.0)", "b_ref[...]"
    )
    verdict = ladder.judge(id, bare)
    assert bare != text and not verdict.right and "past the edge of an array" in str(verdict)
