"""Grading at its edges: what is just within the tolerance, just outside it, and in which unit it is typed."""

from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.quiz import draw, grade

ITEM = {
    "id": "time",
    "type": "numeric",
    "ask": "How long?",
    "answer": {"call": "product", "args": {"a": 30, "b": 60}},
    "unit": "s",
    "mistakes": [{"name": "Minutes", "call": "product", "args": {"a": 30, "b": 1}, "why": "Sixty to a minute."}],
    "hint": "h",
    "why": "w",
}


@given(st.floats(0.01, 0.99), st.floats(1.01, 1.9), st.sampled_from([-1, 1]))
def test_an_answer_counts_up_to_its_tolerance_and_no_further(inside, outside, side):
    q = draw.question(ITEM, 1)
    for target, right, modelled in (
        (1800, True, False),
        (30, False, True),
    ):  # the answer, and the mistake that is known
        near, far = (
            grade.numeric(q, repr(target * (1 + side * share * q.rel_tol)), "s") for share in (inside, outside)
        )
        assert (near.right, near.modelled) == (right, modelled) and not (far.right or far.modelled)


def test_half_an_hour_is_thirty_minutes_is_1800_seconds():
    q = draw.question(ITEM, 1)
    assert all(grade.numeric(q, text, unit).right for text, unit in (("0.5", "h"), ("1800", "s"), ("1.8e6", "ms")))
    assert grade.numeric(q, "30", "h").text == "Your value is 60 times too large."
