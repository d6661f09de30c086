"""Memory on a die and beside it, and facts that follow from other facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, silicon
from accelerator_lib.silicon import hbm, sram


@pytest.mark.parametrize(("node", "gigabytes"), [("N7", 2.8), ("N5", 3.6), ("N3E", 3.6), ("N2", 4.3)])
def test_a_whole_die_of_memory(node, gigabytes):
    assert sram.ceiling(1, node).capacity_bytes / 1e9 == pytest.approx(gigabytes, abs=0.05)


@given(st.floats(0.01, 1), st.sampled_from(["N7", "N5", "N3E", "N2"]), st.floats(0.3, 0.9))
def test_so_many_dies_hold_it_and_one_less_does_not(share, node, efficiency):
    found = sram.ceiling(share, node, efficiency)
    for what, need in found.need_bytes.items():
        assert (found.dies[what] - 1) * found.capacity_bytes < need <= found.dies[what] * found.capacity_bytes
        assert (found.dies[what] - 1 + found.last_fill[what]) * found.capacity_bytes == pytest.approx(need)
        assert 0 < found.last_fill[what] <= 1 and found.times[what] == pytest.approx(need / found.capacity_bytes)


def test_memory_on_a_die():
    assert silicon.sram_bytes(858, 0.021, 0.7) == pytest.approx(3.575e9)
    assert silicon.sram_bytes(1, 1, 1) == 1e6 / 8
    assert silicon.sram_bytes(0, 0.021) == 0
    macros = {row["node"]: row for row in data.load("silicon")["macros"]}
    published = 858 * macros["N5 and N3E"]["mib_per_mm2"] * 2**20 / 8
    assert silicon.sram_bytes(858, 0.021, 0.7) == pytest.approx(published, rel=0.002)
    n2 = 858 * macros["N2"]["mbit_per_mm2"] * 1e6 / 8
    assert silicon.sram_bytes(858, 0.0175, 0.7) == pytest.approx(n2, rel=0.06)
    dies = sram.ceiling(1, "N5").dies
    assert dies["Llama 2 7B, 4 bits"] == 1 and dies["Llama 2 70B, 4 bits"] == 10
    assert sram.ceiling(1, "N2", 1.0).dies["Llama 2 70B, 4 bits"] > 5
    assert sram.ceiling(0, "N5").dies["Llama 2 7B, 4 bits"] is None
    shipped = [row["sram_mb"] / row["die_mm2"] for row in FACTS["shipped_sram"]]
    assert {round(one, 1) for one in shipped} == {0.3, 0.7, 0.9, 1.0, 1.1}
    assert all(one * 858e6 < sram.ceiling(1, "N7").capacity_bytes for one in shipped)
    whole, half, stacked = (sram.ceiling(0.5, die=what).capacity_bytes for what in sram.DIES)
    assert (half / whole, stacked / whole) == (0.5, 3)  # a die on top is nothing else
    top = FACTS["stacked_sram"]  # a die that is sold holds half of what cells alone would
    assert 0.5 < top["sram_mib"] * 2**20 / silicon.sram_bytes(top["die_mm2"], 0.027) < 0.6


@given(st.floats(1, 100), st.floats(5, 20), st.integers(1, 4))
def test_sites_are_those_that_can_be_laid_along_an_edge_one_by_one(edge, pitch, edges):
    laid, at = 0, 0.0
    while at + pitch <= edge:
        laid, at = laid + 1, at + pitch
    assert abs(silicon.hbm_sites(edge, pitch, edges) / edges - laid) <= 1e-9 * edge + (laid * pitch == edge)


def test_stacks_along_an_edge():
    assert silicon.hbm_bytes_per_s(5, 5.234) == pytest.approx(hardware.chip("h100-sxm5").bytes_per_s, rel=1e-3)
    assert silicon.hbm_bytes_per_s(0, 5) == 0
    assert [hbm.shore(dies).stacks for dies in ("one", "two")] == [6, 8]
    assert [hbm.shore("one", pitch).stacks for pitch in (8, 11, 12, 14)] == [8, 6, 4, 4]
    two = hbm.shore("two")
    assert (two.edge_mm, two.width_mm) == (52, 33)
    assert [hbm.shore("two", pitch).stacks for pitch in (8, 10, 13, 14)] == [12, 8, 8, 4]
    assert two.spare_mm == pytest.approx(6) and hbm.shore().spare_mm == pytest.approx(3)
    assert two.bytes_per_s == silicon.hbm_bytes_per_s(8, 5.2)


def test_the_room_of_a_stack_is_what_the_parts_on_sale_leave_it():
    """Two roads: the area over 26 mm with the places that a part has, and a count of places at the pitch."""
    sold = {part["chip"]: part for part in FACTS["shores"]}
    edges = {name: part["die_mm2"] / 26 if part["dies"] == 1 else 26 for name, part in sold.items()}
    assert all(one["dies"] * silicon.hbm_sites(edges[name]) == one["places"] for name, one in sold.items())
    most = min(2 * edges[name] * part["dies"] / part["places"] for name, part in sold.items())
    assert hbm.PITCH_MM == int(most) == 10 < most < 11
    assert [silicon.hbm_sites(edges[name], 11) for name in ("A100", "H100")] == [4, 4]  # they have six
    dies = {chip.id: chip.die_mm2 for chip in hardware.chips().values()}
    ids = {"A100": "a100-80gb-sxm", "H100": "h100-sxm5", "H200": "h200-sxm", "TPU v4": "tpu-v4"}
    assert all(sold[name]["die_mm2"] == dies[id] for name, id in ids.items())


@given(st.sampled_from(("one", "two")), st.floats(5, 33))
def test_no_stack_stands_across_the_joint_and_none_beyond_an_edge(dies, pitch):
    shore = hbm.shore(dies, pitch)
    assert 0 <= shore.spare_mm < pitch + 1e-9 and shore.stacks == 2 * shore.dies * shore.each


FACTS = data.load("silicon")
PRICES = FACTS["wafer_prices"]


def test_facts_follow_from_each_other():
    for group in PRICES.values():
        assert group["what"] and group["basis"] and group["source"] in FACTS["sources"]
        assert all(row["usd"] > 0 and row["date"] for row in group["rows"])
        assert len({row["node"] for row in group["rows"]}) == len(group["rows"])
    for row in (FACTS["hbm_over_ddr5"], FACTS["split_die"], FACTS["ported"]):
        assert row["date"] and row["basis"] and row["source"] in FACTS["sources"]
    nodes = FACTS["nodes"]
    assert nodes["N3E"]["logic"] == pytest.approx(nodes["N5"]["logic"] * 1.6)
    assert nodes["N5"]["bitcell_um2"] == nodes["N3E"]["bitcell_um2"]
    assert nodes["N2"]["bitcell_um2"] / nodes["N5"]["bitcell_um2"] == pytest.approx(1 - 0.17, abs=0.005)
    h100, unit = FACTS["salvaged"]["h100"], FACTS["salvaged"]["h100_unit"]["mm2"]
    assert h100["units"] * unit < h100["area_mm2"] < h100["units"] * 6  # the source's 6 mm² a unit cannot hold
    wse = FACTS["salvaged"]["wse_3"]
    assert wse["area_mm2"] / wse["cores"] == pytest.approx(wse["core_mm2"], rel=0.06)
    # Two roads to the price of a wafer: within a tenth for 7 nm and 5 nm.
    rumoured = {row["node"]: row["usd"] for row in PRICES["unofficial"]["rows"]}
    modelled = {row["node"]: row["usd"] for row in PRICES["modelled"]["rows"]}
    assert modelled["7 nm"] == pytest.approx(rumoured["N7"], rel=0.1)
    assert modelled["5 nm"] == pytest.approx(rumoured["N5"], rel=0.1)
    chip, later = FACTS["test_chip"], FACTS["defects"][1]
    first = silicon.density_of(chip["mean_yield"], chip["area_mm2"])
    assert first == pytest.approx(1.27, abs=0.01) and later["between"][0] < later["value"] < later["between"][1] < first
    assert silicon.die_yield(100, first) == pytest.approx(0.32, abs=0.005)
    assert wse["area_mm2"] / 100 * 0.1 == pytest.approx(46, abs=0.5)
    assert 1e-21 < silicon.die_yield(wse["area_mm2"], 0.1, "poisson") < 1e-19
    core = wse["area_mm2"] / wse["cores"]
    assert silicon.harvested_yield(wse["area_mm2"], 0.1, wse["cores"], 80, core, "poisson") > 0.999
