"""Specs: blocks as the text names them."""

import ast
from collections import ChainMap

import pytest

from accelerator_lib.kernels.bodies import Bodies
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.specs import Call, Function, Shaped, Spec, told


def value(text):
    return Bodies(None).value(ast.parse(text, mode="eval").body, ChainMap({}, {}))


def test_blocks_shapes_and_calls():
    spec = value("pl.BlockSpec((8, 16), lambda i, j: (j, i))")
    assert isinstance(spec, Spec) and spec.shape == (8, 16) and spec.index.params == ("i", "j")
    assert (
        value("pl.BlockSpec(block_shape=(8,), index_map=lambda i: i)").shape == (8,)
        and value("pl.BlockSpec()").shape is None
    )
    shaped = value("jax.ShapeDtypeStruct((4, 5), jnp.float32)")
    assert isinstance(shaped, Shaped) and shaped.shape == (4, 5)
    assert isinstance(value("pl.pallas_call(lambda o_ref: 0, grid=(2,))"), Call)


def test_what_a_value_is_in_few_letters():
    for text, words in [("2.5", "2.5"), ("7", "7"), ("2 > 1", "True"), ("(1, 2)", "a tuple"), ("lambda: 1", "a function of the text"),
                        ("pl.BlockSpec()", "a pl.BlockSpec"), ("jnp.zeros((3,))", "an array of numbers"), ("None", "nothing"),
                        ("jnp.float32", "something else")]:  # fmt: skip
        assert told(value(text)) == words
    deep = value("lambda: 1")
    for _ in range(60):
        deep = (deep, deep)
    held = Function("f", (), None, ChainMap({"deep": deep}), 1)
    assert told(deep) == "a tuple" and len(repr(held)) < 100 and len(repr(Call(held, {"grid": deep}, 1))) < 100


@pytest.mark.parametrize("text, words", [
    ("pl.BlockSpec((0, 8), lambda i: i)", "sides of 1 and more"), ("pl.BlockSpec((8,), 5)", "a function of the step"),
    ("pl.BlockSpec((2.5,))", "the same in every step"), ("pl.BlockSpec((4096, 4096))", "at most"),
    ("jax.ShapeDtypeStruct((4,), 5)", "a dtype here"), ("pl.pallas_call(5)", "nothing that this"),
])  # fmt: skip
def test_what_is_no_block(text, words):
    with pytest.raises(Fault, match=words):
        value(text)
