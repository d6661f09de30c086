"""Limits: each can be broken alone, and the reference design keeps them all."""

from dataclasses import replace

import pytest

from accelerator_lib import data, design, hardware, silicon
from accelerator_lib.design import rules

D = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9)


def broken(one, **brief):
    return [violation.limit.split(" (")[0] for violation in design.violations(one, **brief)]


def test_the_reference_design_is_legal():
    assert not design.violations(D, watts=700) and len(design.limits(D)) == 6


@pytest.mark.parametrize("change, limit", [
    ({"arrays": 8}, "die"), ({"arrays": 4}, "memory stacks"), ({"link_bytes_per_s": 901e9}, "links"),
])  # fmt: skip
def test_one_limit_at_a_time(change, limit):
    assert limit in broken(replace(D, **change))


def test_power_heat_and_memory():
    assert broken(D, watts=590) == ["power"]
    hot = design.Design(128, 16, 16, 2, 2.5e9, 900e9)
    assert "heat" in broken(replace(hot, clock_hz=8e9), watts=1e6)
    bare = design.Design(64, 60, 64, 0, 2.2e9, 300e9)
    assert broken(bare) == ["jobs that 1,024 chips cannot hold"]
    assert not design.violations(bare, mix={"vision": 1})
    assert "prefill, training" in str(design.violations(bare)[-1])


@pytest.mark.parametrize(
    "id, places", [("tpu-v4", 4), ("a100-80gb-sxm", 6), ("h100-sxm5", 6)]
)  # a GPU uses five of six
def test_the_room_of_a_stack_reproduces_real_chips(id, places):
    die = hardware.chip(id).die_mm2
    assert rules.sites(die) == places == silicon.hbm_sites(die / 26, 10)
    assert places - design.real(id).stacks in (0, 1)


def test_the_smaller_tpu_has_two_stacks():
    assert rules.sites(data.load("design")["area"]["array_share"]["tpu-v4i"]["most_mm2"] - 1) == 2


def test_two_dies_have_the_places_of_chapter_9():
    sold = {part.name: part for part in silicon.hbm.shores()}["B200"]
    assert rules.sites(sold.dies * sold.die_mm2, sold.dies) == sold.places == silicon.hbm.shore("two").stacks == 8
    assert rules.sites(1600, 2) < 2 * rules.sites(800) == 12  # where they are joined none can stand
    assert rules.sites(1000, 2) == 2 * rules.sites(500) == 4


def test_a_limit_in_words():
    assert str(design.violations(D, watts=500)[0]) == "power: 635.8 W, at most 500"


@pytest.mark.parametrize("watts", [0, -5, float("nan"), "much", None, [500, 700]])
def test_bad_briefs(watts):
    with pytest.raises((ValueError, TypeError), match="watts"):
        design.violations(D, watts=watts)
