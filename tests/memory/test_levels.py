import numpy as np
import pytest

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.memory import levels


def test_every_derived_bandwidth_is_the_product_that_it_names():
    """The line "64 x 12 B x 108 x 1.41 GHz" multiplies out to the number beside it."""
    checked = 0
    for id in levels.chips().values():
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
    for id in levels.chips().values():
        assert {level.kind for level in levels.of(id)} <= set(levels.KINDS)
        ladder = [level for level in levels.of(id) if level.kind != "link"]
        for level in ladder:
            for quantity in levels.QUANTITIES:
                for value in getattr(level, quantity):
                    assert value.value > 0 and value.basis and value.titles and all(value.titles)
        best = [max(v.value for v in level.bandwidth) for level in ladder if level.bandwidth]
        assert best == sorted(best, reverse=True)
        slow = [max(v.value for v in level.latency) for level in ladder if level.latency]
        assert slow == sorted(slow)


def test_sources_that_disagree_stand_side_by_side():
    found = levels.published("a100-80gb-sxm", "l2", "bandwidth")
    assert (found.chip, found.level, len(found.values)) == ("NVIDIA A100 80GB SXM4", "L2", 3)
    assert found.spread == pytest.approx(7.22 / 2.83) and "A100 architecture white paper" in found.values[0].titles
    assert levels.published("a100-80gb-sxm", "dram", "capacity").spread == 1


def test_two_values_of_one_source_are_one_say():
    found = levels.of("a100-80gb-sxm")
    registers = found[0].bandwidth
    assert len(registers) == 2 and registers[0].sources == registers[1].sources
    several = {(level.name, q) for level in found for q in levels.QUANTITIES if len(getattr(level, q)) > 1}
    assert several - set(found.disputed) == {(found[0].name, "bandwidth")} and len(found.disputed) == 9
    assert levels.of("tpu-v5e").disputed == ()
    assert sum(len(getattr(level, q)) for level in found for q in levels.QUANTITIES) == len(found.values)


def test_what_nobody_published_is_said_and_a_typo_is_answered():
    with pytest.raises(NotAvailable, match="no bandwidth is published for this level of this chip"):
        levels.published("tpu-v5e", "l2", "bandwidth")
    with pytest.raises(NotAvailable, match="no latency is published"):
        levels.published("tpu-v4", "dram", "latency")
    with pytest.raises(KeyError, match="did you mean 'a100-80gb-sxm'"):
        levels.of("a100-80gb")
    with pytest.raises(KeyError, match="quantity 'bandwith' is unknown; did you mean 'bandwidth'"):
        levels.published("tpu-v5e", "l2", "bandwith")


def test_a_chip_is_called_by_its_name():
    assert all(levels.name(id) == name for name, id in levels.chips().items())
