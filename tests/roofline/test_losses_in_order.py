import numpy as np
import pytest

from accelerator_lib.roofline import losses


def test_what_is_left_after_each_loss_in_order():
    found = losses.from_peak(0.5, 0.8, 0.5, 0.0)
    assert list(found.left) == ["partial waves", "power-capped clock", "not matmul", "traffic not hidden"]
    assert list(found.left.values()) == pytest.approx([0.5, 0.4, 0.2, 0.1])
    assert found.achieved == found.left["traffic not hidden"]
    assert list(found.left.values()) == pytest.approx(np.cumprod(list(found.factors.values())))


def test_the_shares_of_a_layers_time_are_its_parts_and_add_up_to_one():
    layer = losses.layer_time(128, "h100-sxm5", fused=0.5, launch_seconds=5e-6)
    assert sum(layer.shares.values()) == pytest.approx(1)
    assert layer.shares["matrix unit works"] == layer.utilization
    assert layer.shares["kernel launches"] * layer.seconds == pytest.approx(layer.launch_seconds)


def test_a_loss_is_a_share_of_one():
    with pytest.raises(ValueError, match="wave = 0 is outside the allowed range, 0.01 to 1"):
        losses.from_peak(wave=0)
    with pytest.raises(ValueError, match="kernels = -1 is outside"):
        losses.launched_step(-1, 5e-6, 1e-3)
