from types import SimpleNamespace

from accelerator_lib.workload import Gemm, xla


def staged(found):
    """What JAX hands back, of which only the cost analysis is asked."""
    return SimpleNamespace(cost_analysis=lambda: found)


def test_costs_are_read_from_a_lowered_and_from_a_compiled_function():
    import jax
    import jax.numpy as jnp

    lowered = jax.jit(lambda a, b: a @ b).lower(jnp.ones((64, 96)), jnp.ones((96, 32)))
    gemm = Gemm(64, 32, 96)
    for found in (xla.cost(lowered), xla.cost(lowered.compile())):
        assert found["flops"] == gemm.flops and found["transcendentals"] == 0
    assert xla.cost(lowered)["bytes"] == gemm.bytes_moved("fp32")


def test_a_list_of_costs_and_none_at_all_are_both_understood():
    counted = {"flops": 12.0, "bytes accessed": 8.0}
    want = {"flops": 12, "bytes": 8, "transcendentals": 0}
    assert xla.cost(staged(counted)) == xla.cost(staged([counted])) == want
    for nothing in (None, [], {}):
        assert xla.cost(staged(nothing)) == {}
