"""Elasticities: dual numbers, jax.grad and small steps agree; a staircase has no slope."""

from dataclasses import replace

import pytest

from accelerator_lib import design
from accelerator_lib.design import elasticities, explore

MINE = design.Design(128, 20, 128, 6, 1.5e9, 300e9, node=5)
OTHERS = (
    design.Design(256, 6, 64, 6, 2.4e9, 300e9),
    design.Design(64, 100, 32, 3, 0.9e9, 900e9, node=7),
    design.Design(16, 640, 16, 5, 1e9, 100e9),
)


def test_the_numbers_of_twenty_arrays():
    found = explore.elasticities(MINE)
    assert {name: round(found[name], 2) for name in ("edge", "clock_hz", "arrays")} == {
        "edge": 0.85,
        "clock_hz": 0.52,
        "arrays": 0.43,
    }
    assert found["stacks"] == pytest.approx(0.395, abs=1e-3)
    built = explore.elasticities(MINE, smooth=False)
    assert built["arrays"] == 0 and built["edge"] == pytest.approx(-0.004, abs=5e-4)
    apart = explore.stepped(MINE)
    assert apart["arrays"] == pytest.approx(0.43, abs=5e-3) and apart["edge"] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("mine", [MINE, *OTHERS])
def test_two_ways_to_differentiate_agree(mine, smooth):
    assert explore.elasticities(mine, smooth) == pytest.approx(elasticities.by_jax(mine, smooth), rel=2e-3, abs=2e-4)


@pytest.mark.parametrize("mine", [MINE, *OTHERS, replace(OTHERS[0], dtype="fp8"), replace(MINE, dtype="int8")])
def test_where_nothing_is_rounded_the_slope_is_that_of_a_small_step(mine):
    """The clock is rounded nowhere."""
    slope = explore.elasticities(mine, smooth=False)["clock_hz"]
    faster, slower = (design.score(replace(mine, clock_hz=mine.clock_hz * f)).score for f in (1.001, 0.999))
    assert slope == pytest.approx((faster / slower - 1) / 0.002, rel=0.02)
    assert explore.stepped(mine, step=0.001)["clock_hz"] == pytest.approx(slope, rel=0.02)


def test_a_design_that_cannot_do_a_job_has_no_slope():
    none = replace(MINE, stacks=0)
    assert set(explore.elasticities(none).values()) == set(explore.stepped(none).values()) == {0.0}
    assert explore.elasticities(none, mix={"vision": 1})["clock_hz"] > 0.5


def test_bad_input_is_answered_in_one_line():
    with pytest.raises(TypeError, match="Design or the id"):
        explore.elasticities(3)
    with pytest.raises(TypeError, match="True or False"):
        explore.elasticities(MINE, smooth=1)
    with pytest.raises(ValueError, match="step = 1"):
        explore.stepped(MINE, step=1)
