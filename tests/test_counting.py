"""Chapter 1 beside Gemm and Conv: whole networks, operator classes, experts, Strassen, and what XLA counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware, layers, operators, strassen, workload, xla
from accelerator_lib.inputs import UnknownName
from accelerator_lib.workload import Gemm


@given(
    st.integers(1, 5000), st.sampled_from([256, 1024, 4096]), st.sampled_from([1.0, 2.6875, 4.0]), st.integers(1, 40)
)
def test_a_transformer_is_the_sum_of_its_products(tokens, width, ratio, count):
    hidden = round(width * ratio)
    found = layers.transformer(tokens, width, ratio, count)
    projections = 4 * Gemm(tokens, width, width).flops
    mlp = 2 * Gemm(tokens, hidden, width).flops + Gemm(tokens, width, hidden).flops
    scores = Gemm(tokens, tokens, width).flops + Gemm(tokens, width, tokens).flops
    assert found.total == pytest.approx(count * (projections + mlp + scores), rel=1e-12)
    assert layers.transformer(tokens, width, ratio, count, training=True).total == pytest.approx(3 * found.total)


def test_its_parts_without_scores_are_those_of_the_layer_of_chapter_3():
    products = [work for work in workload.transformer_layer(77).values() if isinstance(work, Gemm)]
    found = layers.transformer(77, layers=1)
    assert found.projections + found.mlp == sum(product.flops for product in products)


def test_attention_scores_from_next_to_nothing_to_most_of_it():
    assert layers.transformer(1).scores_share == pytest.approx(4.05e-5, rel=1e-2)
    assert layers.crossover_tokens() == 24_704 and layers.transformer(24_704).scores_share == 0.5
    assert layers.transformer(131_072).scores_share == pytest.approx(0.84, abs=0.005)
    # two FLOP for each parameter and token, where scores hardly count: the rule of thumb 2P
    parameters = 32 * (4 * 4096**2 + 3 * 4096 * 11008)
    assert layers.transformer(1).total == pytest.approx(2 * parameters, rel=1e-4)


def test_the_stages_of_a_network_add_up_to_the_network():
    for name in ("resnet-50", "mobilenet-v1"):
        stages, convs = layers.stages(name), [conv for _, conv in workload.network(name)]
        assert sum(s.flops for s in stages) == sum(conv.flops for conv in convs)
        assert sum(s.weights for s in stages) == sum(conv.groups * conv.gemm.k * conv.gemm.n for conv in convs)
    small, large = (sum(s.flops for s in layers.stages(pixels=p)) for p in (224, 448))
    assert large / small == pytest.approx(4, rel=1e-9)
    assert [s.weights for s in layers.stages(pixels=448)] == [s.weights for s in layers.stages()]


def test_experts_touched_are_what_random_routing_touches():
    draw = np.random.default_rng(1)
    for tokens, count, chosen in ((1, 8, 2), (5, 8, 2), (40, 64, 6)):
        trials = [
            len({e for _ in range(tokens) for e in draw.choice(count, chosen, replace=False)}) for _ in range(2000)
        ]
        assert layers.experts(tokens, count, chosen).touched == pytest.approx(np.mean(trials), rel=0.02)


def test_one_expert_is_an_ordinary_mlp_and_too_many_choices_are_refused():
    one = layers.experts(64, 1, 1, 4096, 11008)
    assert one.flops == 2 * Gemm(64, 11008, 4096).flops + Gemm(64, 4096, 11008).flops
    assert one.bytes_moved == 2 * (3 * 4096 * 11008 + 2 * 64 * 4096)
    with pytest.raises(ValueError, match="chosen = 9 must not exceed count = 8"):
        layers.experts(4, 8, 9)


def test_the_published_shares_are_whole_and_become_91_percent_after_a_16_fold_matmul():
    assert sum(operators.published("flop_share").values()) == pytest.approx(1)
    assert sum(operators.published("runtime_share").values()) == pytest.approx(1)
    assert operators.after().rest == pytest.approx(0.39) and operators.after().seconds == pytest.approx(1)
    assert operators.after(speedup=16).rest == pytest.approx(0.91, abs=0.001)
    assert operators.after(speedup=1e6, fused=1).seconds == pytest.approx(0.135, abs=1e-4)


@given(st.integers(0, 3), st.integers(1, 3))
def test_strassen_multiplies_matrices_with_seven_products_a_level(levels, edge):
    n = edge * 2**levels
    draw = np.random.default_rng(n)
    a, b = draw.integers(-9, 10, (2, n, n))
    result, products = strassen.multiply(a, b, levels)
    assert np.array_equal(result, a @ b) and products == 7**levels


def test_strassen_breaks_even_where_the_formula_says():
    chip = hardware.chip("h100-sxm5")
    n = strassen.crossover(chip)
    assert n == pytest.approx(54 * 2 * chip.peak("bf16") / chip.bytes_per_s)
    assert strassen.times(n).gain == pytest.approx(1) and strassen.times(n / 2).gain < 1 < strassen.times(2 * n).gain
    assert strassen.times(n, 0).gain == 1
    with pytest.raises(ValueError, match="of a size that 2\\^2 divides"):
        strassen.multiply(np.ones((6, 6)), np.ones((6, 6)), 2)


def added(n, levels):
    """Bytes of all additions of the recursion, by running it: the second road to times()."""
    if levels == 0:
        return 0
    half = n // 2
    return 18 * 3 * 2 * half * half + 7 * added(half, levels - 1)


def test_the_bytes_of_strassens_additions_are_those_of_the_recursion():
    chip = hardware.chip("h100-sxm5")
    for levels in range(5):
        seconds = strassen.times(4096, levels, chip).addition_seconds
        assert seconds * chip.bytes_per_s == pytest.approx(added(4096, levels))


@pytest.mark.parametrize("size, width", [(1, 64), (100, 128), (512, 512), (777, 333)])
def test_xla_counts_what_the_model_counts(size, width):
    for kind in ("matrix product", "convolution"):
        counts = xla.counts(kind, size, width)
        assert counts.flops_ratio == pytest.approx(1, rel=0.01) and counts.bytes_ratio == pytest.approx(1, rel=0.01)
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
    with pytest.raises(UnknownName, match="kind 'atention' is unknown; did you mean .*'attention'"):
        xla.counts("atention")


def test_a_program_that_first_converts_bf16_to_fp32_moves_more():
    """On a CPU JAX 0.10.2 converts and 0.12.0 takes bf16 as it is: the compiled program itself says which."""
    import jax

    if jax.default_backend() == "cpu":
        assert xla.counts("matrix product", 512, 512, "bf16").bytes_ratio == pytest.approx(1)
        matrix = jax.ShapeDtypeStruct((512, 512), "bfloat16")
        program = jax.jit(lambda a, b: a @ b).lower(matrix, matrix).compile().as_text()
        ratio = xla.counts("matrix product", 512, 512, "bf16", compiled=True).bytes_ratio
        assert ratio > 2 if " convert(" in program else ratio == pytest.approx(1)
