"""One design and every way to cut it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import silicon
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.silicon.choices import choices, priced


def test_the_cheapest_ones_as_worked_by_hand():
    best = choices(0.1, 60)[0]
    assert best.name == (1, "N7", "with I/O") and round(best.usd) == 304
    assert best.compute_mm2 == pytest.approx(504) and best.io_mm2 == pytest.approx((140 + 160 * 27 / 21) * 1.05)
    assert round(priced(1, "with units", "with units", 0.1, 60).usd) == 325
    assert choices(0.1, 120)[0].name == choices(0.05, 60)[0].name == (1, "with units", "with units")
    assert choices(0.5, 60)[0].name == (2, "N7", "with units")


@given(st.floats(0.01, 1), st.floats(0, 200))
def test_all_ways_are_tried_once_and_come_in_order(density, assembly):
    found = choices(density, assembly)
    assert len({one.name for one in found}) == len(found) == 7 * 5
    assert [one.usd for one in found] == sorted(one.usd for one in found)
    monolith = next(one for one in found if one.name == (1, "with units", "with units"))
    good = silicon.harvested_yield(780, density, 120, 8, 4)
    assert monolith.usd == pytest.approx(16000 / (int(silicon.dies_per_wafer(780)) * good))


def test_sram_cannot_go_to_a_die_that_there_is_not():
    with pytest.raises(NotAvailable, match="I/O die"):
        priced(2, "with units", "with I/O", 0.1, 60)
    with pytest.raises(ValueError, match="defects_per_cm2"):
        choices(-1)
