import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import energy, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.network import toll


def test_two_bytes_at_the_memory_for_each_that_is_sent():
    h100 = hardware.chip("h100-sxm5")
    full = toll.talking("h100-sxm5")
    assert full.share == pytest.approx(2 * 450e9 / 3.35e12) == pytest.approx(0.27, abs=0.002)
    assert full.slowdown == pytest.approx(1 / (1 - full.share)) == pytest.approx(1.37, abs=0.003)
    assert full.left_bytes_per_s + full.memory_bytes_per_s == pytest.approx(h100.bytes_per_s)


def test_watts_by_hand():
    full = toll.talking("h100-sxm5")
    assert full.link_watts == pytest.approx(450e9 * 8 * 5.5e-12) and full.memory_watts == pytest.approx(
        900e9 * 8 * 11.68e-12
    )
    assert full.power_share == pytest.approx((19.8 + 84.1) / 700, rel=1e-3)


def test_the_memory_alone_by_the_tables_of_the_energy_chapter():
    """Another road: the device's energy, without the way to it, is less than half of the whole path."""
    device = energy.memory_watts(900e9, "hbm2_low")
    assert 0.3 < device / toll.talking("h100-sxm5").memory_watts < 0.5


@given(busy=st.floats(0, 1), passes=st.floats(2, 10), chip=st.sampled_from(["h100-sxm5", "a100-80gb-sxm", "b200"]))
def test_more_talk_never_leaves_more(busy, passes, chip):
    here, more = toll.talking(chip, busy, passes), toll.talking(chip, min(busy + 0.1, 1), passes)
    assert 0 <= here.left_bytes_per_s <= here.chip.bytes_per_s and more.left_bytes_per_s <= here.left_bytes_per_s
    assert here.share == pytest.approx(passes * busy * toll.talking(chip).share / 2)
    assert (here.slowdown is None) == (here.left_bytes_per_s == 0)


def test_what_is_not_published_is_named():
    with pytest.raises(NotAvailable, match="tdp_w of Google TPU v5p"):
        _ = toll.talking("tpu-v5p").power_share
    with pytest.raises(ValueError, match="passes = 1"):
        toll.talking("h100-sxm5", 1.0, 1)
    with pytest.raises(ValueError, match="busy = 1.1"):
        toll.talking("h100-sxm5", 1.1)
