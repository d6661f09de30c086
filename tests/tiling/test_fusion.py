import pytest

from accelerator_lib import tiling
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
