import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation.runs import context, decoder, plain


def row(workload, **conditions):
    return {"id": "", "workload": workload, "conditions": conditions}


def test_the_convention_of_the_rows():
    """12 L d^2 + 50,368 d + seq d, as it reproduces their printed utilisations."""
    found = decoder(row("MPT-style decoder 7B training", layers=32, d_model=4096, seq=2048))
    assert found.params == 12 * 32 * 4096**2 + 50368 * 4096 + 2048 * 4096
    assert (found.heads, found.head_dim, found.kv_width) == (32, 128, 4096)


@pytest.mark.parametrize(("size", "width"), [("1.7B", 2304), ("7.5B", 4096), ("39.1B", 8192), ("145.6B", 12288),
                                             ("175B", 12288), ("1008B", 25600)])  # fmt: skip
def test_a_size_alone_gives_about_the_width_that_such_models_had(size, width):
    found = decoder(row(f"GPT {size} training"))
    assert found.d_model == pytest.approx(width, rel=0.16) and found.params == float(size[:-1]) * 1e9


@given(st.floats(1.5e8, 1e12))
def test_weights_of_a_guessed_shape_are_those_of_its_name(size):
    found = decoder(row(f"a {size / 1e9:.6f}B model"))
    counted = 12 * found.layers * found.d_model**2 + found.vocab * found.d_model
    assert counted == pytest.approx(size, rel=0.35)
    assert found.kv_width == found.d_model


def test_names_come_before_sizes():
    assert decoder(row("Llama-3.1-70B pre-training")).id == "llama-3-70b"
    assert decoder(row("training", model="llama-2-13b")).id == "llama-2-13b"


def test_contexts():
    assert context(row("Llama3-8B")) == 8192 and context(row("Llama2-13B")) == 4096
    assert context(row("Llama 3 405B")) == 8192 and context(row("7B")) == 2048
    assert context(row("7B", seq=512)) == context(row("7B", sequence_length=512.0)) == 512


@pytest.mark.parametrize("workload", ["training", "a MoE of 100B", "8x22B", "0B", "", "B", "DeepSeek 16B"])
def test_what_names_no_dense_size_is_refused(workload):
    with pytest.raises(NotAvailable):
        decoder(row(workload))


def test_odd_widths_have_whole_heads():
    for width in (1, 7, 80, 100, 1000, 2560, 4096):
        found = plain(2, width, 1000)
        assert found.heads * found.head_dim == width
