"""Memory on a die."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, silicon
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.silicon import sram


def test_cells_by_hand():
    assert silicon.sram_bytes(858, 0.021, 0.7) == pytest.approx(3.575e9)
    assert silicon.sram_bytes(1, 1, 1) == 1e6 / 8
    assert silicon.sram_bytes(0, 0.021) == 0


def test_the_models_efficiency_is_that_of_published_macros():
    macros = {row["node"]: row for row in data.load("silicon")["macros"]}
    published = 858 * macros["N5 and N3E"]["mib_per_mm2"] * 2**20 / 8
    assert silicon.sram_bytes(858, 0.021, 0.7) == pytest.approx(published, rel=0.002)
    n2 = 858 * macros["N2"]["mbit_per_mm2"] * 1e6 / 8
    assert silicon.sram_bytes(858, 0.0175, 0.7) == pytest.approx(n2, rel=0.06)


@pytest.mark.parametrize(("node", "gigabytes"), [("N7", 2.8), ("N5", 3.6), ("N3E", 3.6), ("N2", 4.3)])
def test_a_whole_die_of_memory(node, gigabytes):
    assert sram.ceiling(1, node).capacity_bytes / 1e9 == pytest.approx(gigabytes, abs=0.05)


def test_seven_billion_just_fit_and_seventy_never():
    dies = sram.ceiling(1, "N5").dies
    assert dies["Llama 2 7B, 4 bits"] == 1 and dies["Llama 2 70B, 4 bits"] == 10
    assert sram.ceiling(1, "N2", 1.0).dies["Llama 2 70B, 4 bits"] > 5
    assert sram.ceiling(0, "N5").dies["Llama 2 7B, 4 bits"] is None


@given(st.floats(0.01, 1), st.sampled_from(["N7", "N5", "N3E", "N2"]), st.floats(0.3, 0.9))
def test_so_many_dies_hold_it_and_one_less_does_not(share, node, efficiency):
    found = sram.ceiling(share, node, efficiency)
    for what, need in found.need_bytes.items():
        assert (found.dies[what] - 1) * found.capacity_bytes < need <= found.dies[what] * found.capacity_bytes


def test_shipped_chips_carry_less_than_the_ceiling():
    shipped = sram.shipped().values()
    assert {round(one.bytes_per_mm2 / 1e6, 1) for one in shipped} == {0.3, 0.7, 0.9, 1.0, 1.1}
    wse = sram.shipped()["Cerebras WSE-3"]
    assert wse.bytes_per_mm2 / 1e6 == pytest.approx(0.9518658734451055)
    assert all(one.bytes_per_mm2 * 858 < sram.ceiling(1, "N7").capacity_bytes for one in shipped)


def test_six_hundred_chips_for_one_model():
    assert sram.chips_to_hold(70e9) == ceil(140e9 / 230e6) == 609
    assert sram.chips_to_hold(70e9, "Cerebras WSE-3") == 4


def test_bad_input_is_one_clear_line():
    with pytest.raises(ValueError, match="bitcell_um2"):
        silicon.sram_bytes(858, 0)
    with pytest.raises(ValueError, match="efficiency"):
        silicon.sram_bytes(858, 0.021, 1.2)
    with pytest.raises(UnknownName, match="Groq"):
        sram.chips_to_hold(7e9, "groq")
    with pytest.raises(UnknownName, match="N4"):
        sram.ceiling(1, "N4")
