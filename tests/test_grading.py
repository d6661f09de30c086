"""Grading at its edges: what is just within the tolerance, just outside it, and in which unit it is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.quiz import draw, grade, quantity

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


@pytest.mark.parametrize("factor, said", [
    (0.7, "30 % too small."), (1.45, "45 % too large."), (1.03, "3 % too large."), (0.5, "2 times too small"), (1.6, "1.6 times too large"), (100, "100 times too large"),
])  # fmt: skip
def test_a_wrong_value_is_told_how_far_it_is_off(factor, said):
    verdict = grade.numeric(draw.question(ITEM, 1), repr(1800 * factor), "s")
    assert not verdict.right and said in verdict.text


@pytest.mark.parametrize("value, unit, told", [
    (7200, "s", (7200, "s")), (18_000, "s", (5, "h")), (0.25, "s", (250, "ms")), (2e-9, "s", (2, "ns")), (3.6e7, "s", (10_000, "h")),
    (5e13, "B/s", (50, "TB/s")), (3e15, "B", (3000, "TB")), (0.0075, "ms", (7.5, "ms")), (7.5e-6, "ms", (7.5, "µs")), (0.5, "%", (50, "%")), (12, "warps", (12, "warps")),
])  # fmt: skip
def test_a_quantity_takes_the_unit_that_leaves_a_number_one_can_read(value, unit, told):
    number, chosen = quantity.natural(value, unit)
    assert (pytest.approx(number), chosen) == told
