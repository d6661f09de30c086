import pytest

from accelerator_lib import data, hardware
from accelerator_lib.memory import levels

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


def test_estimates_say_what_for_and_why_and_stay_in_range():
    for name, entry in TABLE["estimates"].items():
        assert entry["basis"] == "estimate" and entry["what"] and entry["why"], name
        assert 1e-9 < entry.get("seconds", 1e-3) < 1e-2 and 1e9 < entry.get("bytes_per_s", 1e10) < 1e13, name


def test_the_estimated_latency_lies_between_the_published_ones():
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
