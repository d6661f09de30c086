import numpy as np
import pytest

from accelerator_lib import gpu, memory
from accelerator_lib.hardware import chip


def test_warps_to_saturate_is_littles_law():
    a100 = chip("a100-80gb-sxm")
    wanted = [gpu.warps_to_saturate(a100.bytes_per_s, 400 / 1.41e9, 108, size) for size in (4, 16, 64)]
    assert wanted == [42, 11, 3]
    assert isinstance(gpu.warps_to_saturate(1e12, 1e-6, 100, np.array([4, 8])), np.ndarray)
    assert a100.units == 108


@pytest.mark.parametrize(("warps", "share"), [(0, 0), (1, 0.0239), (32, 0.7648), (41, 0.98), (42, 1), (64, 1)])
def test_each_warp_adds_its_share_until_the_memory_is_busy(warps, share):
    assert gpu.bandwidth_share(2.039e12, 400 / 1.41e9, 108, 4, warps) == pytest.approx(share, rel=2e-3)


@pytest.mark.parametrize("bytes_per_thread", [4, 16, 64])
def test_the_number_of_warps_that_saturates_is_the_first_that_reaches_all(bytes_per_thread):
    given = 2.039e12, 400 / 1.41e9, 108, bytes_per_thread
    shares = gpu.bandwidth_share(*given, np.arange(1, 65))
    assert 1 + int(np.argmax(shares == 1)) == gpu.warps_to_saturate(*given)


def test_the_tank_of_chapter_2_says_the_same():
    tank = memory.tank(284e-9, 2.039e12, 16, 5, 108)
    assert tank.warps_needed == gpu.warps_to_saturate(2.039e12, 284e-9, 108, 16)
    assert tank.share == pytest.approx(gpu.bandwidth_share(2.039e12, 284e-9, 108, 16, 5))
