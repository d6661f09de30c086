"""All 4,096 choices, vectorised and one by one; what fits, and what is best."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.numerics import budget

NAMES = st.tuples(*[st.sampled_from(list(budget.STORED))] * 4)


def test_the_best_choice_of_one_h100():
    found = budget.best()
    assert found.choice == ("int8 b128", "nvfp4", "nvfp4", "int8 b128") and found.fits
    assert found.snr_db == pytest.approx(15.64, abs=0.05)
    assert found.bytes_stored == pytest.approx(70.0e9, rel=1e-3)
    assert found.step_seconds == pytest.approx(20.9e-3, rel=2e-3)


def test_eight_bits_everywhere_do_not_fit():
    for name in ("int8 b128", "mxfp8", "e4m3"):
        assert not budget.spend((name,) * 4).fits


def test_a_loop_over_all_choices_finds_no_better_one():
    best = budget.best()
    for choice in product(budget.STORED, repeat=4):
        one = budget.spend(choice)
        assert not one.fits or one.snr_db <= best.snr_db + 1e-9


@given(NAMES)
def test_one_choice_is_that_of_the_table(choice):
    bytes_, snr, choices = budget.all_choices()
    at = choices.index(choice)
    one = budget.spend(choice)
    assert one.bytes_stored == pytest.approx(bytes_[at]) and one.snr_db == pytest.approx(snr[at])


def test_stored_bits_by_hand():
    wanted = [16, 8 + 16 / 128, 8 + 8 / 32, 8, 4 + 8 / 16, 4 + 8 / 32, 4 + 16 / 128, 4 + 16 / 32]
    assert [budget.stored_bits(name) for name in budget.STORED] == wanted


def test_elements_are_those_of_the_model():
    found = budget.elements()
    assert sum(found[part] for part in (*budget.PARTS[:3], "rest")) == budget.MODEL.params
    assert found["cache"] == 32 * 4096 * 2 * 80 * 8 * 128


@given(st.floats(20e9, 300e9), st.integers(1, 64))
def test_more_room_is_never_worse(limit, sequences):
    try:
        one, more = budget.best(limit, sequences), budget.best(1.2 * limit, sequences)
    except ValueError as error:
        assert "no choice fits" in str(error)
        return
    assert one.bytes_stored <= limit and more.snr_db >= one.snr_db


def test_what_is_no_choice_is_refused():
    with pytest.raises(KeyError, match="down 'int9' is unknown"):
        budget.spend(("bf16", "bf16", "int9", "bf16"))
    for choice in ("bf16", ("bf16",) * 3, None):
        with pytest.raises(ValueError, match="choice must name 4 formats"):
            budget.spend(choice)
    assert np.isclose(budget.noise("int4 b128"), 10**-1.856, rtol=0.01)


def test_an_element_without_a_scale_has_one_range():
    """E4M3 alone fades as the numbers get small; a scale for every block does not let them."""
    alone, scaled = ([budget.noise(name, sigma) for sigma in (1.0, 0.02, 0.002)] for name in ("e4m3", "mxfp8"))
    assert alone[0] < scaled[0] < alone[1] < alone[2] / 30 and np.allclose(scaled, scaled[0], rtol=0.05)
    assert all(
        np.isclose(budget.noise("int8 b128", sigma), budget.noise("int8 b128"), rtol=1e-3) for sigma in (0.02, 0.002)
    )
