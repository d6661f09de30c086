import pytest

from accelerator_lib import data

MODELS = data.load("models")["models"]


def parameters(shape, experts):
    """Weights of a model of which so many experts are counted, by the formula of its file."""
    width = shape["d_model"]
    attention = 2 * width**2 + 2 * width * shape["kv_heads"] * shape["head_dim"]
    router = shape["experts"] * width if shape["experts"] > 1 else 0
    layer = attention + experts * 3 * width * shape["d_ff"] + router + 2 * width
    return shape["layers"] * layer + width + 2 * shape["vocab"] * width


@pytest.mark.parametrize("id", MODELS)
def test_the_parameters_of_a_model_follow_from_its_shape(id):
    shape = MODELS[id]
    assert shape["chosen"] <= shape["experts"] and not shape["tied_embeddings"]
    numbers = {key: value for key, value in shape.items() if type(value) in (int, float)}
    assert all(value > 0 for value in numbers.values()) and shape["active_params"] <= shape["params"] < 1e12
    if "kv_latent" not in shape:
        assert shape["heads"] * shape["head_dim"] == shape["d_model"] and shape["heads"] % shape["kv_heads"] == 0
        assert parameters(shape, shape["experts"]) == shape["params"]
        assert parameters(shape, shape["chosen"]) == shape["active_params"]


def test_models_have_the_sizes_that_the_chapters_name():
    counts = {id: (shape["params"], shape["active_params"]) for id, shape in MODELS.items()}
    assert counts["llama-2-7b"][0] == 6_738_415_616 and counts["llama-2-13b"][0] == 13_015_864_320
    assert counts["llama-2-70b"][0] == 68_976_648_192 and counts["llama-3-8b"][0] == 8_030_261_248
    assert counts["mixtral-8x7b"] == (46_702_792_704, 12_879_925_248)
    for id, size in (("llama-3-8b", 8e9), ("llama-3-70b", 70e9), ("llama-3-405b", 405e9)):
        assert counts[id][0] == pytest.approx(size, rel=0.01)


def test_a_latent_cache_and_its_experts_add_up():
    shape = MODELS["deepseek-v3"]
    assert shape["layers"] * shape["kv_latent"] * 2 == 70_272  # bytes of a token in 16 bits
    expert = 3 * shape["d_model"] * shape["d_ff"]
    routed = (shape["layers"] - shape["dense_layers"]) * shape["experts"] * expert
    assert 0.95 < routed / shape["params"] < 1
