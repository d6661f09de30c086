import numpy as np
import pytest

from accelerator_lib import hardware, tiling
from accelerator_lib.tiling import fusion

PROGRAM = """HloModule jit_f

%fused_computation (param_0: f32[8,8]) -> f32[8,8] {
  %param_0 = f32[8,8]{1,0} parameter(0)
  %exponential.1 = f32[8,8]{1,0} exponential(f32[8,8]{1,0} %param_0)
  ROOT %add.1 = f32[8,8]{1,0} add(f32[8,8]{1,0} %exponential.1, f32[8,8]{1,0} %param_0)
}

ENTRY %main.5 (Arg_0.1: f32[8,8]) -> f32[8] {
  %Arg_0.1 = f32[8,8]{1,0} parameter(0)
  %fusion = f32[8,8]{1,0} fusion(f32[8,8]{1,0} %Arg_0.1), kind=kLoop, calls=%fused_computation
  ROOT %reduce.1 = f32[8]{0} reduce(f32[8,8]{1,0} %fusion, f32[] %constant.2), dimensions={1}, to_apply=%region_0.1
}
"""


def test_a_program_is_read_as_kernels_with_their_operations():
    first, last = fusion.kernels(PROGRAM)
    assert first == fusion.Kernel("fused_computation", ("exponential", "add"))
    assert last.operations == ("reduce",)
    report = fusion.Report((first, last), 2000.0, 500.0, 1.0)
    assert (report.steps, report.saved) == (3, 4.0)


def test_the_compiler_fuses_a_chain_and_its_bytes_are_those_of_the_model():
    import jax.numpy as jnp

    found = fusion.report(lambda x: jnp.maximum(jnp.tanh(x * 2) + 1, 0), 1024, 1024)
    (kernel,) = found.kernels
    assert {"multiply", "tanh", "add", "maximum"} <= set(kernel.operations)
    assert found.bytes_after == pytest.approx(tiling.chain_bytes(1024 * 1024, 4, "fp32", fused=True), rel=0.01)
    assert found.saved > 3


def test_a_reduction_ends_a_kernel():
    found = fusion.report(lambda x: x - x.mean(), 512, 512)
    assert len(found.kernels) >= 2 and any("reduce" in kernel.operations for kernel in found.kernels)


def test_what_is_no_function_is_refused_in_one_line():
    with pytest.raises(TypeError, match="function must be one of an array"):
        fusion.report(3)
    with pytest.raises(ValueError, match="rows = 0 is outside the allowed range"):
        fusion.report(abs, rows=0)


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
