"""Score and value: an H100 is 1, weights are powers, and the published numbers of one design."""

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import design
from accelerator_lib.design.facts import assumed

D = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9)


def test_the_published_numbers_of_a_design():
    found = design.score(D)
    assert found.score == pytest.approx(1.37235450, rel=1e-8) and found.value == pytest.approx(1.17509440, rel=1e-8)
    assert found.watts == pytest.approx(635.813490, rel=1e-8)


@pytest.mark.parametrize("id, value", [("b200", 1.23), ("h100-sxm5", 1.0), ("a100-80gb-sxm", 0.56), ("tpu-v4", 0.48)])
def test_real_chips_for_the_money(id, value):
    assert design.score(id).value == pytest.approx(value, abs=0.005)


@settings(max_examples=20, deadline=None)
@given(st.dictionaries(st.sampled_from(list(design.MIX)), st.floats(0.01, 100), min_size=1))
def test_a_mix_is_a_geometric_mean(mix):
    found, whole = design.score(D, mix), sum(mix.values())
    h100 = {name: design.evaluate("h100-sxm5", name).per_chip_s for name in mix}
    rates = {name: design.evaluate(D, name).per_chip_s for name in mix}
    assert found.score == pytest.approx(prod((rates[n] / h100[n]) ** (w / whole) for n, w in mix.items()))
    assert found.watts == max(design.evaluate(D, name).watts for name in mix)
    assert min(found.ratios.values()) * (1 - 1e-9) <= found.score <= max(found.ratios.values()) * (1 + 1e-9)
    assert found.value == pytest.approx(
        found.score / (found.usd_per_hour / design.score("h100-sxm5", mix).usd_per_hour)
    )


def test_one_job_is_its_ratio():
    assert design.score("b200", {"decode": 3}).score == pytest.approx(design.score("b200").ratios["decode"])
    assert design.score("h100-sxm5", {"vision": 1, "decode": 0}).results.keys() == {"vision"}


def test_formats_are_compared_with_themselves():
    assert design.score(replace(design.real("h100-sxm5"), dtype="fp8")).score == pytest.approx(1)


def test_what_does_not_hold_a_job_scores_nothing():
    bare = replace(D, stacks=0)
    assert design.score(bare).score == design.score(bare).value == 0
    assert design.score(bare, {"vision": 1}).score > 0


def test_no_memory_wins_vision_for_the_money():
    bare = design.Design(64, 60, 64, 0, 2.2e9, 300e9)
    assert design.score(bare, {"vision": 1}).value > 1.3 * design.score("b200", {"vision": 1}).value


def test_other_assumptions_move_the_value_and_not_the_rates():
    dear = design.score(D, given=assumed()._replace(host_usd=30_000))
    assert dear.score == design.score(D).score and dear.value != design.score(D).value


@pytest.mark.parametrize(
    "wrong", [{}, {"decode": 0}, {"decode": -1}, {"decod": 1}, {"decode": float("nan")}, 3, "decode"]
)
def test_bad_mixes(wrong):
    with pytest.raises((ValueError, TypeError, KeyError)) as caught:
        design.score(D, wrong)
    assert "\n" not in str(caught.value)
