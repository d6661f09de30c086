import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import workload
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.workload import Gemm, models, transformer


@given(
    st.integers(1, 5000), st.sampled_from([256, 1024, 4096]), st.sampled_from([1.0, 2.6875, 4.0]), st.integers(1, 40)
)
def test_a_transformer_is_the_sum_of_its_products(tokens, width, ratio, count):
    hidden = round(width * ratio)
    found = transformer.flops(tokens, width, ratio, count)
    projections = 4 * Gemm(tokens, width, width).flops
    mlp = 2 * Gemm(tokens, hidden, width).flops + Gemm(tokens, width, hidden).flops
    scores = Gemm(tokens, tokens, width).flops + Gemm(tokens, width, tokens).flops
    assert found.total == pytest.approx(count * (projections + mlp + scores), rel=1e-12)
    assert transformer.flops(tokens, width, ratio, count, training=True).total == pytest.approx(3 * found.total)


def test_its_parts_without_scores_are_those_of_the_layer_of_chapter_3():
    products = [work for work in transformer.layer(77).values() if isinstance(work, Gemm)]
    found = transformer.flops(77, layers=1)
    assert found.projections + found.mlp == sum(product.flops for product in products)


def test_the_element_wise_steps_of_a_layer_by_hand():
    """Three tokens of 8 numbers, an MLP 16 wide, a byte each: every step takes two numbers and writes one."""
    moved = {
        name: work.bytes_moved("int8")
        for name, work in transformer.layer(3, 8, 16).items()
        if not isinstance(work, Gemm)
    }
    assert moved.pop("activation") == 3 * 16 * (2 + 1)  # gate and value, and their product
    assert set(moved) == {"attention norm", "mlp norm", "attention residual", "mlp residual"}
    assert set(moved.values()) == {3 * 8 * (2 + 1)}  # a norm goes over its row twice, a residual adds two rows


def test_attention_scores_from_next_to_nothing_to_most_of_it():
    assert transformer.flops(1).scores_share == pytest.approx(4.05e-5, rel=1e-2)
    assert transformer.crossover_tokens() == 24_704 and transformer.flops(24_704).scores_share == 0.5
    assert transformer.flops(131_072).scores_share == pytest.approx(0.84, abs=0.005)
    # two FLOP for each parameter and token, where scores hardly count: the rule of thumb 2P
    parameters = 32 * (4 * 4096**2 + 3 * 4096 * 11008)
    assert transformer.flops(1).total == pytest.approx(2 * parameters, rel=1e-4)


def test_a_transformer_layer_holds_the_weights_it_should():
    layer = transformer.layer(1)
    weights = sum(work.n * work.k for work in layer.values() if isinstance(work, Gemm))
    assert weights == 4 * 4096**2 + 3 * 4096 * 11008
    assert workload.train_flops(7e9, 1e12) == 6 * 7e21


def test_the_closed_forms_of_the_parts():
    tokens, width, hidden = 300, 512, 1376
    found = transformer.flops(tokens, width, hidden / width, layers=5)
    assert found.projections == 5 * tokens * 8 * width**2
    assert found.mlp == 5 * tokens * 6 * width * hidden
    assert found.scores == 5 * 4 * tokens**2 * width
    assert transformer.crossover_tokens(width, hidden / width) == pytest.approx(2 * width + 1.5 * hidden)


def test_tokens_may_be_an_array():
    tokens = np.array([1, 64, 4096])
    curve = transformer.flops(tokens)
    for i, one in enumerate(tokens.tolist()):
        assert curve.scores_share[i] == pytest.approx(transformer.flops(one).scores_share)


def test_where_scores_cross_the_weights_neither_depends_on_layers():
    at = transformer.crossover_tokens(1024, 4.0)
    for layers in (1, 40):
        assert transformer.flops(int(at), 1024, 4.0, layers).scores_share == pytest.approx(0.5)


@pytest.mark.parametrize("id", [id for id, model in models.models().items() if not model.kv_latent])
def test_the_weights_of_published_models_are_those_of_the_same_products(id):
    model = models.model(id)
    assert transformer.params(id) == model.params
    assert transformer.params(id, active=True) == model.active_params


def test_grouped_heads_narrow_keys_and_values_only():
    llama = models.model("llama-3-8b")
    parts = transformer.projections(1, llama.d_model, llama.kv_width)
    assert parts["key"] == parts["value"] == Gemm(1, 1024, 4096) and parts["query"] == Gemm(1, 4096, 4096)
    assert transformer.layer(7, llama.d_model, llama.d_ff, llama.kv_width)["key"] == Gemm(7, 1024, 4096)


def test_weights_behind_a_compressed_cache_are_not_guessed():
    with pytest.raises(NotAvailable, match="keys and values of DeepSeek-V3 are compressed"):
        transformer.params("deepseek-v3")
