"""Constants with their sources; those that other chapters have, too, agree."""

import pytest

from accelerator_lib import data, hardware
from accelerator_lib.design.facts import assumed, facts, process

KNOWN = data.load("design")
BASES = {"datasheet", "paper", "seen", "seen_secondary", "recalled", "derived", "assumed", "fitted"}


def entries(node):
    """Every mapping with a basis."""
    if isinstance(node, dict):
        if "basis" in node:
            yield node
        for value in node.values():
            yield from entries(value)
    elif isinstance(node, list):
        for value in node:
            yield from entries(value)


def test_every_value_has_a_basis_and_a_source_that_exists():
    found = list(entries(KNOWN))
    assert len(found) > 25
    assert {entry["basis"] for entry in found} <= BASES
    assert {entry["source"] for entry in found} <= set(KNOWN["sources"])


def test_energies_of_memories_are_those_of_chapter_2():
    levels = data.load("memory_levels")
    printed = str(levels)
    for value in (facts().sram_pj_per_byte, facts().hbm_pj_per_byte):
        assert f"'pj_per_byte': {value:g}" in printed


def test_nodes_are_those_of_chapter_9():
    silicon = data.load("silicon")
    assert process(5).logic == silicon["nodes"]["N5"]["logic"] and process(7).logic == 1
    quotes = {row["node"]: row["usd"] for row in silicon["wafer_prices"]["unofficial"]["rows"]}
    assert [process(node).wafer_usd for node in (7, 5)] == [quotes["N7"], quotes["N5"]]


def test_a_stack_is_a_fifth_of_an_h100():
    chip = hardware.chip("h100-sxm5")
    assert facts().stack_bytes_per_s * 5 == pytest.approx(chip.bytes_per_s, rel=1e-3)
    assert facts().stack_bytes * 5 == chip.capacity_bytes


def test_assumptions_are_marked_as_such():
    assert assumed() == (0.5, 16, 700, 3000)
    prices = KNOWN["prices"]
    assert {prices[name]["basis"] for name in ("host_usd", "usd_per_package", "hours", "defects_per_cm2")} == {
        "assumed"
    }


@pytest.mark.parametrize("id, share", [("tpu-v4i", 0.11)])
def test_the_published_share_of_arrays_bounds_a_pe(id, share):
    entry = KNOWN["area"]["array_share"][id]
    assert share == entry["value"]
    macs = 4 * 128**2
    assert entry["most_mm2"] * share / macs * 1e6 == pytest.approx(671, abs=1)
