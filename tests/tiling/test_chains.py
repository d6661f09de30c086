import numpy as np
import pytest

from accelerator_lib import hardware, tiling


def test_the_check_block_of_the_curriculum():
    n, a100 = 2**28, hardware.chip("a100-80gb-sxm")
    assert tiling.chain_bytes(n, 4, "fp16", fused=False) == 4_294_967_296
    assert tiling.chain_bytes(n, 4, "fp16", fused=True) == 1_073_741_824
    assert 4_294_967_296 / a100.bytes_per_s == pytest.approx(2.1064086787641e-3)


@pytest.mark.parametrize("ops", [1, 2, 12])
def test_fusing_saves_as_many_times_as_there_are_steps(ops):
    assert tiling.chain_bytes(1000, ops) == ops * tiling.chain_bytes(1000, ops, fused=True)


def test_a_curve_over_the_steps_is_its_points():
    steps = np.arange(1, 13)
    assert tiling.chain_bytes(100, steps, "fp32").tolist() == [800 * step for step in steps]


def test_a_chain_has_a_step_even_when_fused():
    with pytest.raises(ValueError, match="ops = 0 is outside the allowed range"):
        tiling.chain_bytes(100, 0, fused=True)
