"""The four ways of the opening: by hand from bytes and peaks."""

import pytest

from accelerator_lib import hardware
from accelerator_lib.numerics import opening

H100 = hardware.chip("h100-sxm5")


def test_the_four_by_hand():
    bf16, int8, bandwidth = H100.peak("bf16"), H100.peak("int8"), H100.bytes_per_s
    gains = opening.gains(H100)
    n = 8192
    assert gains["a"] == pytest.approx((2 * n * n + 4 * n) / (n * n + 4 * n))
    assert gains["b"] == 1
    assert gains["c"] == pytest.approx(int8 / bf16)
    work, m, n = 2 * 2048 * 1024 * 1024, 2048, 1024
    before = max(work / bf16, 2 * (2 * m * n + n * n) / bandwidth)
    product = max(work / int8, (m * n + n * n + 4 * m * n) / bandwidth)
    around = (2 * m * n + m * n) / bandwidth + (4 * m * n + 2 * m * n) / bandwidth
    assert gains["d"] == pytest.approx(before / (product + around)) == pytest.approx(0.478, abs=1e-3)


def test_two_of_four_on_an_h100_and_one_where_int8_runs_at_the_rate_of_bf16():
    assert opening.halved("h100-sxm5") == 2
    assert opening.gains("tpu-v4")["c"] == 1 and opening.halved("tpu-v4") == 1


def test_a_chip_without_int8_is_one_clear_line():
    with pytest.raises(KeyError, match="no bf16 peak"):
        opening.gains("v100-sxm2-32gb")
