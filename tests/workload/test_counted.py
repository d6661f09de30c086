import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data
from accelerator_lib.workload import counted, transformer
from accelerator_lib.workload.models import model, models

TOKENS = st.integers(1, 10**6)
DENSE = [name for name, shape in models().items() if shape.experts == 1]


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


def test_all_forward_work_done_twice_is_a_third_more():
    found = counted.token("llama-2-70b", 2048, "full")
    assert found.hfu_over_mfu == pytest.approx(4 / 3, rel=0.01)
    attention = counted.token("llama-2-70b", 2048, "attention")
    assert attention.hfu_over_mfu - 1 == pytest.approx(4 * 80 * 8192 * 2048 / attention.credited)


def test_what_is_credited_gives_the_printed_utilisations():
    """Tokens a second and MFU of one run were printed both; the count ties them, for four models."""
    rows = data.published("training")
    for id in ("llama3_8b_selective_per_layer", "llama3_70b_full", "llama2_13b_selective_per_layer", "llama2_70b_full"):
        tokens, mfu = (rows[f"torchtitan_{id}_{end}"]["value"] for end in ("tok", "mfu"))
        shape = model(id.split("_sel")[0].split("_full")[0].replace("llama", "llama-").replace("_", "-"))
        credited = counted.token(shape, min(shape.context_tokens, 8192)).credited
        assert 100 * tokens * credited / 312e12 == pytest.approx(mfu, abs=0.1)


def test_scores_in_memory_are_moved():
    shape = model("llama-2-7b")
    more = counted.token(shape, 4096, attention="whole").moved - counted.token(shape, 4096).moved
    assert more == counted.SCORE_MOVES * 2 * 32 * 32 * 4096


def test_a_mixture_is_credited_with_the_experts_that_a_token_meets():
    found, shape = counted.token("mixtral-8x7b", 1), model("mixtral-8x7b")
    assert found.layers + found.head < 6 * shape.active_params < 6 * shape.params / 3
    assert found.layers + found.head == pytest.approx(6 * (shape.active_params - 32000 * 4096), rel=0.001)


def test_bad_input():
    with pytest.raises(KeyError, match="full"):
        counted.token("llama-2-7b", 2048, "ful")
    with pytest.raises(ValueError, match="context_tokens"):
        counted.token("llama-2-7b", 0)
