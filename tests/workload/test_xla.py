from types import SimpleNamespace

import pytest

from accelerator_lib.workload import Gemm, transformer, xla


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


@pytest.mark.parametrize("size, width", [(1, 64), (100, 128), (512, 512), (777, 333)])
def test_xla_counts_what_the_model_counts(size, width):
    for kind in ("matrix product", "convolution"):
        counts = xla.counts(kind, size, width)
        assert counts.flops_ratio == pytest.approx(1, rel=0.01) and counts.bytes_ratio == pytest.approx(1, rel=0.01)
    assert xla.counts("convolution", 512, 512).model_flops == 2 * 62**2 * 3**2 * 64**2  # 64 x 64 pixels, 64 channels
    for kind in ("gated MLP", "attention"):
        assert 1 <= xla.counts(kind, 512, 512).flops_ratio < 1.01


def test_where_xla_differs_it_is_for_the_reasons_that_the_chapter_gives():
    padded = xla.counts("padded convolution", 448, 512)
    assert 0.9 < padded.flops_ratio < 0.99  # products with the padding's zeros are skipped
    skipped = (56 * 3 - 2) ** 2 / (56 * 3) ** 2  # along each edge one of three products falls away
    assert padded.flops_ratio == pytest.approx(skipped, rel=1e-3)
    lookup = xla.counts("embedding lookup", 512, 64)
    assert lookup.bytes_ratio > 2  # the gathered rows are written and read again before fusion
    assert xla.counts("attention", 512, 512).exponentials == 512 * 512


def test_a_program_that_first_converts_bf16_to_fp32_moves_more():
    """On a CPU JAX 0.10.2 converts and 0.12.0 takes bf16 as it is: the compiled program itself says which."""
    import jax

    if jax.default_backend() == "cpu":
        assert xla.counts("matrix product", 512, 512, "bf16").bytes_ratio == pytest.approx(1)
        matrix = jax.ShapeDtypeStruct((512, 512), "bfloat16")
        program = jax.jit(lambda a, b: a @ b).lower(matrix, matrix).compile().as_text()
        ratio = xla.counts("matrix product", 512, 512, "bf16", compiled=True).bytes_ratio
        assert ratio > 2 if " convert(" in program else ratio == pytest.approx(1)


def test_the_attention_that_xla_counts_is_that_of_the_transformer():
    counts, block = xla.counts("attention", 128, 256), transformer.flops(128, 256, layers=1)
    assert counts.model_flops == block.projections + block.scores
    assert xla.counts("gated MLP", 128, 256).model_flops == transformer.flops(128, 256, 3.0, layers=1).mlp


@pytest.mark.parametrize("kind", xla.KINDS)
def test_the_recorded_law_gives_what_xla_counts_at_sizes_it_was_not_made_from(kind):
    """Recorded counts are polynomials through nine programs; others are counted here by XLA itself."""
    for size, width in ((64, 96), (80, 112), (100, 160), (256, 64)):
        counted, law = xla._counted(kind, size, width), xla.by_law(kind, size, width)
        for name, value in counted.items():
            assert law[name] == pytest.approx(value, rel=0.001), (name, size, width)
