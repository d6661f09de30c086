import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, workload
from accelerator_lib.workload import Gemm, counted, models, networks, profile, transformer
from accelerator_lib.workload.models import model


@pytest.mark.parametrize("id", data.load("models")["models"])
def test_every_number_of_a_shape_is_in_its_record(id):
    """Nothing that the table says is lost on the way; what the record adds is None or a plain default."""
    listed, record = (
        data.load("models")["models"][id],
        vars(models.model(id)) | {"latent": list(models.model(id).latent)},
    )
    aside = {"basis", "source", "except", "note", "tied_embeddings"}
    assert {key: record[key] for key in listed.keys() - aside} == {key: listed[key] for key in listed.keys() - aside}


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


@pytest.mark.parametrize("id", [id for id, model in models.models().items() if not model.kv_latent])
def test_the_weights_of_published_models_are_those_of_the_same_products(id):
    model = models.model(id)
    assert transformer.params(id) == model.params
    assert transformer.params(id, active=True) == model.active_params


def test_layers_by_hand():
    products = [work for work in transformer.layer(77).values() if isinstance(work, Gemm)]
    found = transformer.flops(77, layers=1)
    assert found.projections + found.mlp == sum(product.flops for product in products)
    # Three tokens of 8 numbers, an MLP 16 wide, a byte each: every step takes two numbers and writes one.
    works = transformer.layer(3, 8, 16).items()
    moved = {name: work.bytes_moved("int8") for name, work in works if not isinstance(work, Gemm)}
    assert moved.pop("activation") == 3 * 16 * (2 + 1)  # gate and value, and their product
    assert set(moved) == {"attention norm", "mlp norm", "attention residual", "mlp residual"}
    assert set(moved.values()) == {3 * 8 * (2 + 1)}  # a norm goes over its row twice, a residual adds two rows
    assert transformer.flops(1).scores_share == pytest.approx(4.05e-5, rel=1e-2)
    assert transformer.crossover_tokens() == 24_704 and transformer.flops(24_704).scores_share == 0.5
    assert transformer.flops(131_072).scores_share == pytest.approx(0.84, abs=0.005)
    # two FLOP for each parameter and token, where scores hardly count: the rule of thumb 2P
    parameters = 32 * (4 * 4096**2 + 3 * 4096 * 11008)
    assert transformer.flops(1).total == pytest.approx(2 * parameters, rel=1e-4)
    layer = transformer.layer(1)
    weights = sum(work.n * work.k for work in layer.values() if isinstance(work, Gemm))
    assert weights == 4 * 4096**2 + 3 * 4096 * 11008
    assert workload.train_flops(7e9, 1e12) == 6 * 7e21
    llama = models.model("llama-3-8b")
    parts = transformer.projections(1, llama.d_model, llama.kv_width)
    assert parts["key"] == parts["value"] == Gemm(1, 1024, 4096) and parts["query"] == Gemm(1, 4096, 4096)
    assert transformer.layer(7, llama.d_model, llama.d_ff, llama.kv_width)["key"] == Gemm(7, 1024, 4096)


TOKENS = st.integers(1, 10**6)
DENSE = [name for name, shape in models.models().items() if shape.experts == 1]


@pytest.mark.parametrize("name", DENSE)
def test_executed_products_are_credited_but_for_the_table_and_the_norms(name):
    """Two roads: the products one by one, and the parameters of the table."""
    shape = model(name)
    found = counted.token(name, 1)
    table, norms = shape.vocab * shape.d_model, (2 * shape.layers + 1) * shape.d_model
    assert found.layers + found.head == pytest.approx(6 * (shape.params - table - norms), rel=1e-9)


@given(TOKENS)
def test_scores_are_those_of_the_chapter_halved_by_the_mask(tokens):
    shape = model("llama-3-8b")
    whole = shape.layers * transformer.added(transformer.scores(tokens, shape.d_model)) / tokens  # forward
    found = counted.token(shape, tokens)
    assert found.credited - 6 * shape.params == pytest.approx(3 * whole)
    assert found.scores == pytest.approx(whole / 2 * 3.5)  # 2 products forward, 5 backward
    assert counted.token(shape, tokens, "full").scores == pytest.approx(whole / 2 * 4.5)
    assert counted.token(shape, tokens, attention="whole").scores == pytest.approx(3 * whole)


@given(TOKENS, st.sampled_from(sorted(counted.AGAIN)))
def test_computing_again_is_executed_and_moved_but_never_credited(tokens, again):
    bare, more = counted.token("llama-2-7b", tokens), counted.token("llama-2-7b", tokens, again)
    assert more.credited == bare.credited and more.executed >= bare.executed and more.moved >= bare.moved
    assert 1 <= more.hfu_over_mfu <= 4 / 3


def test_what_is_credited_gives_the_printed_utilisations():
    """Tokens a second and MFU of one run were printed both; the count ties them, for four models."""
    rows = data.published("training")
    for id in ("llama3_8b_selective_per_layer", "llama3_70b_full", "llama2_13b_selective_per_layer", "llama2_70b_full"):
        tokens, mfu = (rows[f"torchtitan_{id}_{end}"]["value"] for end in ("tok", "mfu"))
        shape = model(id.split("_sel")[0].split("_full")[0].replace("llama", "llama-").replace("_", "-"))
        credited = counted.token(shape, min(shape.context_tokens, 8192)).credited
        assert 100 * tokens * credited / 312e12 == pytest.approx(mfu, abs=0.1)


def test_tokens_by_hand():
    found = counted.token("llama-2-70b", 2048, "full")
    assert found.hfu_over_mfu == pytest.approx(4 / 3, rel=0.01)
    attention = counted.token("llama-2-70b", 2048, "attention")
    assert attention.hfu_over_mfu - 1 == pytest.approx(4 * 80 * 8192 * 2048 / attention.credited)
    shape = model("llama-2-7b")
    more = counted.token(shape, 4096, attention="whole").moved - counted.token(shape, 4096).moved
    assert more == counted.SCORE_MOVES * 2 * 32 * 32 * 4096
    found, shape = counted.token("mixtral-8x7b", 1), model("mixtral-8x7b")
    assert found.layers + found.head < 6 * shape.active_params < 6 * shape.params / 3
    assert found.layers + found.head == pytest.approx(6 * (shape.active_params - 32000 * 4096), rel=0.001)


@pytest.mark.parametrize("pixels", [223, 225, 230, 250])
def test_images_of_any_size_shrink_as_their_convolutions_leave_them(pixels):
    """Second road: let the image pass the first layer, the pooling and the four steps of half the size, rounded up."""
    sizes = {conv.height for _, conv in networks.convolutions("resnet-50", pixels=pixels)}
    passed, halves = {pixels}, -(-pixels // 2)
    for _ in range(4):
        halves = -(-halves // 2)
        passed.add(halves)
    assert sizes == passed


def test_profiles_as_published():
    assert sum(profile.published("flop_share").values()) == pytest.approx(1)
    assert sum(profile.published("runtime_share").values()) == pytest.approx(1)
    assert profile.after().rest == pytest.approx(0.39) and profile.after().seconds == pytest.approx(1)
    assert profile.after(speedup=16).rest == pytest.approx(0.91, abs=0.001)
    assert profile.after(speedup=1e6, fused=1).seconds == pytest.approx(0.135, abs=1e-4)
    most = 1 / profile.after().after["matrix products"]  # the matrix products alone
    assert 1 < profile.achieved()["all of BERT"] < profile.achieved()["encoder layer"] < most


@given(st.floats(1, 1e5), st.floats(0, 1))
def test_a_changed_step_is_what_is_left_of_its_three_parts(speedup, fused):
    found = profile.after(speedup, fused)
    left = 0.61 / speedup + 0.255 * (1 - fused) + 0.135
    assert found.seconds == pytest.approx(left) and found.rest == pytest.approx(1 - 0.61 / speedup / left)


MODELS = data.load("models")["models"]


@pytest.mark.parametrize("id", MODELS)
def test_the_numbers_of_a_shape_fit_each_other(id):
    shape = MODELS[id]
    assert shape["chosen"] <= shape["experts"] and not shape["tied_embeddings"]
    numbers = {key: value for key, value in shape.items() if type(value) in (int, float)}
    assert all(value > 0 for value in numbers.values()) and shape["active_params"] <= shape["params"] < 1e12
    if "kv_latent" not in shape:
        assert shape["heads"] * shape["head_dim"] == shape["d_model"] and shape["heads"] % shape["kv_heads"] == 0


def test_shapes_by_hand():
    llama = models.model("llama-2-7b")
    assert (llama.layers, llama.d_model, llama.d_ff, llama.vocab) == (32, 4096, 11008, 32000)
    assert llama.mlp_ratio == 2.6875 and llama.kv_width == 4096 and llama.source.startswith("Llama 2")
    assert models.model(llama) is llama and models.model("llama-3-8b").kv_width == 1024
    latent = models.model("deepseek-v3")
    assert latent.kv_width is None and latent.kv_latent == 576 and latent.experts == 256
    counts = {id: (shape["params"], shape["active_params"]) for id, shape in MODELS.items()}
    assert counts["llama-2-7b"][0] == 6_738_415_616 and counts["llama-2-13b"][0] == 13_015_864_320
    assert counts["llama-2-70b"][0] == 68_976_648_192 and counts["llama-3-8b"][0] == 8_030_261_248
    assert counts["mixtral-8x7b"] == (46_702_792_704, 12_879_925_248)
    for id, size in (("llama-3-8b", 8e9), ("llama-3-70b", 70e9), ("llama-3-405b", 405e9)):
        assert counts[id][0] == pytest.approx(size, rel=0.01)
    shape = MODELS["deepseek-v3"]
    assert shape["layers"] * shape["kv_latent"] * 2 == 70_272  # bytes of a token in 16 bits
    expert = 3 * shape["d_model"] * shape["d_ff"]
    routed = (shape["layers"] - shape["dense_layers"]) * shape["experts"] * expert
    assert 0.95 < routed / shape["params"] < 1
