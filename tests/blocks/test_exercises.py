"""The slip of the rungs: what lies past the edge of an array enters a sum."""

import pytest

from accelerator_course import ladder


@pytest.mark.parametrize("id", ["product", "fused"])
def test_numbers_from_past_the_edge_in_a_sum_are_refused_by_name(id):
    text = ladder.rung(id).worked.text
    bare = text.replace("jnp.where(across, a_ref[...], 0.0)", "a_ref[...]").replace(
        "jnp.where(down, b_ref[...], 0.0)", "b_ref[...]"
    )
    verdict = ladder.judge(id, bare)
    assert bare != text and not verdict.right and "past the edge of an array" in str(verdict)
