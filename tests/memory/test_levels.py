import numpy as np
import pytest

from accelerator_lib import data, hardware, memory
from accelerator_lib.memory import flow, levels, pins


def test_every_derived_bandwidth_is_the_product_that_it_names():
    """The line "64 x 12 B x 108 x 1.41 GHz" multiplies out to the number beside it."""
    checked = 0
    for id in levels.CHIPS:
        for level in levels.of(id):
            for value in level.bandwidth:
                parts = [part.split()[0] for part in value.how.replace(",", "").split(" x ") if part]
                if value.basis == "derived" and all(part.replace(".", "").isdigit() for part in parts):
                    product = np.prod([float(part) for part in parts])
                    factor = 1e9 if "GHz" in value.how or "GT/s" in value.how else 1
                    assert product * factor == pytest.approx(value.value, rel=6e-3), (id, level.name, value)
                    checked += 1
    assert checked >= 12


def test_every_level_names_known_sources_and_shrinks_away_from_the_core():
    for id in levels.CHIPS:
        assert {level.kind for level in levels.of(id)} <= set(levels.KINDS)
        own = [level for level in levels.of(id) if level.kind != "link"]
        for level in own:
            for quantity in levels.QUANTITIES:
                for value in getattr(level, quantity):
                    assert value.value > 0 and value.basis and value.sources
                    assert all(TABLE["sources"][source]["title"] for source in value.sources)
        best = [max(v.value for v in level.bandwidth) for level in own if level.bandwidth]
        assert best == sorted(best, reverse=True)
        slow = [max(v.value for v in level.latency) for level in own if level.latency]
        assert slow == sorted(slow)


def test_sources_that_disagree_stand_side_by_side():
    found = levels.published("a100-80gb-sxm", "l2", "bandwidth")
    assert (found.chip, found.level, len(found.values)) == ("NVIDIA A100 80GB SXM4", "L2", 3)
    assert "nv-a100-wp" in found.values[0].sources and len({value.value for value in found.values}) == 3


A100 = hardware.chip("a100-80gb-sxm")


@pytest.mark.parametrize("chip", levels.GPUS)
def test_what_is_rebuilt_is_what_is_published(chip):
    published = {level.kind: level.bandwidth[0].value for level in levels.of(chip)}
    rebuilt = list(levels.rates(chip).values())
    assert rebuilt == pytest.approx([published[kind] for kind in ("registers", "shared", "l2", "dram")], rel=3e-3)
    assert rebuilt == sorted(rebuilt, reverse=True)


def test_the_registers_of_an_a100_deliver_57_times_its_memory():
    for operands, times in ((3, 57.36), (1, 19.12), (4, 76.48)):
        rates = levels.rates(operands=operands)
        assert rates["registers"] / rates["main memory"] == pytest.approx(times, abs=0.01)


def test_pins_wide_and_fast():
    rates = {memory.name: memory.bits_per_s / 1e9 for memory in pins.memories()}
    assert rates["RTX 4090, GDDR6X"] == pytest.approx(21)
    assert rates["desktop, DDR5-5200"] == pytest.approx(5.2)
    assert rates["P100, HBM2"] == pytest.approx(1.4, abs=0.01)
    for one in pins.memories():
        assert one.pins * one.bits_per_s / 8 == pytest.approx(one.bytes_per_s)
    wide, narrow = (next(m for m in pins.memories() if kind in m.name) for kind in ("HBM", "GDDR"))
    assert wide.pins > 10 * narrow.pins and narrow.bits_per_s > 10 * wide.bits_per_s
    assert 0.5 < wide.bytes_per_s / narrow.bytes_per_s < 2
    energies = pins.energies()
    assert 1.5 < energies["GDDR6X"] / energies["HBM2"] < 2.5
    assert all(1 < pj < 30 for pj in energies.values())


def test_a_tank_by_hand():
    tank = memory.bytes_in_flight(A100.bytes_per_s, 400 / 1.41e9)
    assert tank == pytest.approx(578_439.7163120568) and tank / 108 == pytest.approx(5355.923299185711)
    assert memory.tank().warps_needed == 42 and memory.tank(bytes_per_thread=64).warps_needed == 3
    assert memory.tank(warps=1).share == pytest.approx(0.024, abs=0.001) and memory.tank(warps=64).share == 1
    tank = memory.tank(warps=32)
    assert tank.held_bytes == 32 * 108 * 32 * 4
    assert tank.share == pytest.approx(tank.held_bytes / tank.needed_bytes)
    full, short = (memory.tank(warps=tank.warps_needed - less) for less in (0, 1))
    assert full.share == 1 and short.share < 1
    assert memory.tank(warps=np.array([1, 64])).share == pytest.approx([0.024, 1], abs=0.001)
    assert (A100.bytes_per_s, A100.units) == (flow.A100.bytes_per_s, 108)
    assert pytest.approx(400 / 1.41e9, rel=0.002) == flow.LOAD_SECONDS
    assert flow.WARP_LANES == 32


def test_a_queue_that_is_simulated_needs_what_littles_law_says():
    """Requests of 64 bytes enter whenever a slot is free and leave after the latency: throughput = slots x 64 / latency."""
    latency, slots = 50, 20
    leaving, done = [], 0
    for clock in range(10_000):
        done += sum(t == clock for t in leaving)
        leaving = [t for t in leaving if t > clock]
        leaving += [clock + latency] * (slots - len(leaving))
    assert memory.bytes_in_flight(64 * done / 10_000, latency) == pytest.approx(slots * 64, rel=0.01)


TABLE = data.load("memory_levels")
LINKS = TABLE["links"]
DEVICES = data.load("accelerators")["devices"]
PARTS = [
    pytest.param(chip, level, id=f"{chip['id']}-{level['kind']}")
    for chip in TABLE["chips"]
    for level in chip["levels"]
    if "parts" in level
]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: link["id"])
def test_links_follow_from_lanes_and_are_faster_than_what_was_measured(link):
    if "lanes" in link:
        coded = link["lanes"] * link["gt_per_s"] * 1e9 * 128 / 130 / 8
        assert coded == pytest.approx(link["bytes_per_s"], rel=0.005)
    else:
        assert link["bytes_per_s"] == link["both_ways_bytes_per_s"] / 2
    assert 0.3 < data.rows("link_bandwidth")[link["measured"]]["value"] * 1e9 / link["bytes_per_s"] < 1


def test_links_agree_with_the_catalog_of_chips():
    rates = {link["name"]: link["bytes_per_s"] for link in LINKS}
    assert len(rates) == len({link["id"] for link in LINKS}) == len(LINKS)
    for device in DEVICES:
        link = device.get("host_link", {})
        if link.get("kind") in rates and link["bandwidth_gb_s"]:
            ways = {"per_direction": 1, "bidirectional_total": 2}[link["direction"]]
            assert link["bandwidth_gb_s"] / ways * 1e9 == pytest.approx(rates[link["kind"]], rel=0.02), device["id"]


def test_estimates_lie_in_range():
    for name, entry in TABLE["estimates"].items():
        assert entry["basis"] == "estimate" and entry["what"] and entry["why"], name
        assert 1e-9 < entry.get("seconds", 1e-3) < 1e-2 and 1e9 < entry.get("bytes_per_s", 1e10) < 1e13, name
    entry = TABLE["estimates"]["load_latency"]
    assert entry["cycles"] / entry["clock_hz"] == pytest.approx(entry["seconds"], rel=0.002)
    published = [row.value for row in levels.published(entry["chip"], "dram", "latency").values]
    assert min(published) < entry["seconds"] < max(published)


@pytest.mark.parametrize(("chip", "level"), PARTS)
def test_the_parts_of_a_level_multiply_to_its_first_bandwidth(chip, level):
    parts = level["parts"]
    built = parts["units"] * parts["bytes_per_clock"] * chip["clock_hz"]
    assert built == pytest.approx(level["bandwidth"][0]["bytes_per_s"], rel=0.003)
    if "lanes" in parts:
        assert parts["lanes"] * parts["operands"] * parts["operand_bytes"] == parts["bytes_per_clock"]
    if "banks" in parts:
        assert parts["banks"] * parts["bank_bytes"] == parts["bytes_per_clock"]
    if parts["unit"] == "SM":
        assert parts["units"] == hardware.chip(chip["id"]).units


def test_the_a100_has_parts_for_every_level_above_its_memory():
    units = {level.kind: level.parts["units"] for level in levels.of("a100-80gb-sxm") if level.parts}
    assert units == {"registers": 108, "shared": 108, "l2": 1}
