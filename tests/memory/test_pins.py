import pytest

from accelerator_lib.memory import pins


def test_published_memories_are_pins_times_a_known_rate():
    rates = {memory.name: memory.bits_per_s / 1e9 for memory in pins.memories()}
    assert rates["RTX 4090, GDDR6X"] == pytest.approx(21)
    assert rates["desktop, DDR5-5200"] == pytest.approx(5.2)
    assert rates["P100, HBM2"] == pytest.approx(1.4, abs=0.01)
    for memory in pins.memories():
        assert memory.pins * memory.bits_per_s / 8 == pytest.approx(memory.bytes_per_s)


def test_hbm_is_wide_and_slow_where_gddr_is_narrow_and_fast():
    wide, narrow = (next(m for m in pins.memories() if kind in m.name) for kind in ("HBM", "GDDR"))
    assert wide.pins > 10 * narrow.pins and narrow.bits_per_s > 10 * wide.bits_per_s
    assert 0.5 < wide.bytes_per_s / narrow.bytes_per_s < 2


def test_a_fast_pin_costs_about_twice_the_energy():
    energies = pins.energies()
    assert 1.5 < energies["GDDR6X"] / energies["HBM2"] < 2.5
    assert all(1 < pj < 30 for pj in energies.values())
