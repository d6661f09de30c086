"""What a design takes and is worth: areas, dollars, limits, score; one die with six edges."""

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import law

from accelerator_lib import data, design, hardware, silicon
from accelerator_lib.design import bill, edges
from accelerator_lib.design.machine import assumed, process
from accelerator_lib.design.merit import sites

D = design.Design(edge=256, arrays=6, sram_mb=64, stacks=6, clock_hz=2.4e9, link_bytes_per_s=300e9)


def test_areas_by_hand():
    assert [design.pe_um2(edge) for edge in (64, 128, 256, 512)] == [3490.0, 2500.5, 2500.5, 2500.5]
    assert design.pe_um2(128, 0.0) == design.pe_um2(128, 1.0) == design.pe_um2(128)
    assert design.pe_um2(64, 0.0, 0.0) == 596 + 1830 and design.pe_um2(64, 1.0, 0.0) == 596 + 2 * 1830
    h100 = design.real("h100-sxm5")
    assert design.area_mm2(h100) == pytest.approx(816.12724, rel=1e-8)
    assert design.area_mm2("tpu-v4") == pytest.approx(8 * 128**2 * 2500.5e-6 + 0.775 * 160 + 56 * 4)
    bare = replace(D, stacks=0)
    assert design.area_mm2(D) - design.area_mm2(bare) == pytest.approx(6 * 56 / 1.2)
    assert sum(bill.areas(D.machine())) == design.area_mm2(D)
    edges = np.array([16.0, 256.0])
    assert bill.pe(edges, 0.5, 16).tolist() == [design.pe_um2(16), design.pe_um2(256)]


def test_below_128_wires_set_the_area_and_at_one_image_small_arrays_are_busier():
    """CACM 63(7), 2020: sixteen arrays of 64 need more area than four of 128, which take about as much as one of 256."""
    for share, rows in ((0.0, 1.0), (0.5, 16.0), (1.0, 64.0)):
        sixteen, four, one = (65_536 * design.pe_um2(edge, share, rows) for edge in (64, 128, 256))
        assert sixteen > four == one
    found = {edge: edges.one_image(edge) for edge in (256, 128, 64)}
    assert [round(found[edge], 2) for edge in (256, 128, 64)] == [0.27, 0.42, 0.55]
    for row in data.load("design")["simulated"]:
        low, high = row["busy"]
        assert low <= found[row["edge"]] <= high + 0.04  # 64: a little too kind


@given(st.floats(50, 858), st.sampled_from((5, 7)))
def test_a_good_die_costs_what_chapter_9_says(area, node):
    dies, works = silicon.dies_per_wafer(area), silicon.die_yield(area, 0.1)
    assert bill.die_usd(area, process(node)) == pytest.approx(process(node).wafer_usd / (dies * works))


def test_dollars_by_hand():
    known = data.load("design")["prices"]["estimates"]
    assert design.chip_usd("h100-sxm5") == pytest.approx(3116.12440, rel=1e-8)
    assert design.chip_usd("h100-sxm5") == pytest.approx(known["h100-sxm5"]["usd"], rel=0.07)
    low, high = known["b200"]["between"]
    assert low < design.chip_usd("b200") < high and round(design.chip_usd("b200")) == 5779
    two = replace(D, arrays=14, dies=2)
    one = bill.usd(D.machine(), design.area_mm2(D)) - assumed().package_usd
    assert design.chip_usd(two) > 2 * bill.die_usd(design.area_mm2(two) / 2, process(5))
    assert design.chip_usd(two) < design.chip_usd(replace(two, dies=1)) and one > 0
    assert design.usd_per_hour(D, 1000) - design.usd_per_hour(D, 500) == pytest.approx(0.065)
    assert design.usd_per_hour("h100-sxm5", 430.39105) == pytest.approx((3116.1244 + 3000) / 35040 + 0.13 * 0.43039105)


def test_scores_by_hand():
    found = design.score(D)
    assert found.score == pytest.approx(1.37235450, rel=1e-8) and found.value == pytest.approx(1.17509440, rel=1e-8)
    assert found.watts == pytest.approx(635.813490, rel=1e-8)
    assert design.score("b200", {"decode": 3}).score == pytest.approx(design.score("b200").ratios["decode"])
    assert design.score("h100-sxm5", {"vision": 1, "decode": 0}).results.keys() == {"vision"}
    assert design.score(replace(design.real("h100-sxm5"), dtype="fp8")).score == pytest.approx(1)
    bare = replace(D, stacks=0)
    assert design.score(bare).score == design.score(bare).value == 0
    assert design.score(bare, {"vision": 1}).score > 0
    bare = design.Design(64, 60, 64, 0, 2.2e9, 300e9)
    assert design.score(bare, {"vision": 1}).value > 1.3 * design.score("b200", {"vision": 1}).value
    dear = design.score(D, given=assumed()._replace(host_usd=30_000))
    assert dear.score == design.score(D).score and dear.value != design.score(D).value


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
    dearer = found.usd_per_hour / design.score("h100-sxm5", mix).usd_per_hour
    assert found.value == pytest.approx(found.score / dearer)


def broken(one, **brief):
    return [violation.limit.split(" (")[0] for violation in design.violations(one, **brief)]


def test_limits_by_hand():
    assert not design.violations(D, watts=700) and len(design.limits(D)) == 6
    assert broken(D, watts=590) == ["power"]
    hot = design.Design(128, 16, 16, 2, 2.5e9, 900e9)
    assert "heat" in broken(replace(hot, clock_hz=8e9), watts=1e6)
    bare = design.Design(64, 60, 64, 0, 2.2e9, 300e9)
    assert broken(bare) == ["jobs that 1,024 chips cannot hold"]
    assert not design.violations(bare, mix={"vision": 1})
    assert "prefill, training" in str(design.violations(bare)[-1])
    assert str(design.violations(D, watts=500)[0]) == "power: 635.8 W, at most 500"


@pytest.mark.parametrize(
    "change, limit", [({"arrays": 8}, "die"), ({"arrays": 4}, "memory stacks"), ({"link_bytes_per_s": 901e9}, "links")]
)
def test_one_limit_at_a_time(change, limit):
    assert limit in broken(replace(D, **change))


# a GPU uses five of six
@pytest.mark.parametrize("id, places", [("tpu-v4", 4), ("a100-80gb-sxm", 6), ("h100-sxm5", 6)])
def test_the_room_of_a_stack_reproduces_real_chips(id, places):
    die = hardware.chip(id).die_mm2
    assert sites(die) == places == silicon.hbm_sites(die / 26, 10)
    assert places - design.real(id).stacks in (0, 1)


def test_two_dies_have_the_places_of_chapter_9_and_a_smaller_tpu_two_stacks():
    assert sites(data.load("design")["area"]["array_share"]["tpu-v4i"]["most_mm2"] - 1) == 2
    sold = {part["chip"]: part for part in data.load("silicon")["shores"]}["B200"]
    assert sites(sold["dies"] * sold["die_mm2"], sold["dies"]) == sold["places"] == silicon.hbm.shore("two").stacks == 8
    assert sites(1600, 2) < 2 * sites(800) == 12  # where they are joined none can stand
    assert sites(1000, 2) == 2 * sites(500) == 4


def gains(**more):
    return {one.edge: one.gain for one in edges.filled(**more)}


def test_what_each_job_likes():
    found = [round(gain / 1000, 1) for gain in gains().values()]
    assert found == [13.7, 23.1, 35.4, 47.0, 39.9, 26.5] and edges.filled()[-1].arrays == 1
    assert edges.best_edge(job="vision") == edges.best_edge() == edges.best_edge(job="prefill") == 128
    decode = list(gains(job="decode").values())
    assert max(decode[:5]) == pytest.approx(min(decode[:5]))
    none, whole = gains(share=0.0), gains(share=1.0)
    assert sorted(none, key=none.get)[-2:] == [128, 64] and none[64] < 1.01 * none[128]
    assert max(whole, key=whole.get) == 128 and whole[64] < 0.7 * whole[128]
    for one in edges.filled(job="mix"):
        assert one.gain == design.score(one.design).value
    assert all(one.design is None for one in edges.filled(50.0, sram_mb=200))


def test_for_the_money_128_and_256_tie_and_64_up_to_a_share():
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        found = gains(job="mix", share=share)
        assert max(found, key=found.get) == 128 and found[256] > 0.9 * found[128] > found[512]
        assert (found[64] > 0.9 * found[128]) == (share < 0.5)
    share = edges.tied_up_to()
    for along, tied in ((share, True), (share + 0.05, False)):
        gain = {one.edge: one.gain for one in edges.filled(800.0, "mix", along)}
        assert (gain[64] > 0.9 * gain[128]) == tied


@settings(max_examples=40, deadline=None)
@given(st.floats(60, 858), st.floats(0, 1), st.floats(0, 64), st.integers(0, 6))
def test_a_die_is_full_and_not_more_than_full(die, share, rows, stacks):
    for one in edges.filled(die, "vision", share, rows, stacks=stacks):
        if one.design is None:
            assert one.gain == one.arrays == 0
            continue
        each = design.pe_um2(one.edge, share, rows) * one.edge**2 / 1e6 / 1.84
        rest = 0.775 * 64 / 1.35 + 56 * one.design.stacks / 1.2
        assert one.arrays_mm2 == pytest.approx(one.arrays * each)
        assert one.arrays_mm2 + rest <= die * (1 + 1e-9) and one.arrays_mm2 + rest + each > die * (1 - 1e-9)
        assert one.room == pytest.approx(1 - rest / die)
        assert 0 < one.multiplying <= 1 and 0 < one.busy <= 1 and one.design.stacks <= stacks


def test_the_law_in_the_cell_counts_arrays_by_hand():
    which_edge = law("capstone", "edge-function", "which_edge")
    for die, along, rows in ((800.0, 0.5, 16.0), (500.0, 0.2, 0.0), (858.0, 1.0, 64.0)):
        found, job = which_edge("vision", die, along, rows)
        stacks = min(6, 2 * (die / 26 // 10))
        room = die - 0.775 * 64 / 1.35 - 56 * stacks / 1.2
        by_hand = [596 * (1 + rows / e) + 1830 * (1 - along + 128 * along / e) for e in (16, 32, 64, 128, 128, 128)]
        arrays = [int(room // (e**2 * pe / 1e6 / 1.84)) for e, pe in zip(edges.EDGES, by_hand, strict=True)]
        assert job == "vision" and [one.arrays for one in found] == arrays


def test_arrays_on_an_equal_area_and_tiles_come_whole():
    found = edges.on_equal_area(0.55, 3490, 0.42, 2500)
    assert found.times == pytest.approx(0.42 / 2500 / (0.55 / 3490)) and found.word == "a tie"
    assert edges.on_equal_area(0.6, 2500, 0.42, 2500).word == "a lead"
    assert edges.tiles(4096, 1000, 128) == 32 * 8 and edges.rounds(70, 20) == 4 and edges.rounds(80, 20) == 4
    assert edges.slope_of_arrays(128, 20) == 0
