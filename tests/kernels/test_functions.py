"""Functions: each is what JAX has under its name; what cannot be is said in words."""

import numpy as np
import pytest

from accelerator_lib.kernels.functions import CALLS, METHODS, Wrong, full, iota, plain, sides

X = np.array([[0.5, 2.0], [1.0, 4.0]], np.float32)


@pytest.mark.parametrize("name", [n for n in CALLS if n.startswith(("jnp.", "jax.")) and n.split(".")[-1] in (
    "exp", "exp2", "log", "sqrt", "tanh", "abs", "isnan", "sum", "max", "min", "relu", "sigmoid", "silu", "rsqrt",
    "zeros_like", "ones_like", "transpose")])  # fmt: skip
def test_functions_of_one_array_are_those_of_jax(name):
    jax = pytest.importorskip("jax")
    function = eval(name, {"jax": jax, "jnp": jax.numpy})
    got = plain(CALLS[name](X))
    assert np.allclose(got, function(X), atol=1e-6) and got.dtype == function(X).dtype


def test_others_by_hand():
    assert CALLS["jnp.where"](X > 1, X, 0.0).tolist() == [[0, 2], [0, 4]]
    assert (
        CALLS["jnp.maximum"](X, 1).tolist() == [[1, 2], [1, 4]] and CALLS["jnp.dot"](X, X).tolist() == (X @ X).tolist()
    )
    assert iota(np.int32, (2, 3), 1).tolist() == [[0, 1, 2]] * 2 and full((2,), 7).tolist() == [7, 7]
    assert CALLS["pl.cdiv"](7, 2) == 4 and CALLS["pl.ds"](np.int32(3), 4).size == 4
    assert METHODS["max"](X, axis=1, keepdims=True).tolist() == [[2], [4]]
    assert plain(np.float64(1)).dtype == np.float32 and plain(np.arange(3)).dtype == np.int32


@pytest.mark.parametrize("call, words", [
    (lambda: sides((2**11, 2**11)), "at most 1,048,576"), (lambda: sides((np.int32(3),)), "the same in every step"),
    (lambda: sides((-1,)), "none below 0"), (lambda: iota(np.int32, (2,), 1), "no axis 1"),
    (lambda: CALLS["jnp.sum"](X, axis=2), "no axis 2"), (lambda: CALLS["jnp.dot"](X, X[:1]), "cannot be multiplied"),
    (lambda: CALLS["jnp.exp"]("x"), "a number or an array"), (lambda: CALLS["jnp.maximum"](X, np.ones(3)), "do not fit"),
    (lambda: CALLS["pl.cdiv"](1, 0), "not by zero"), (lambda: CALLS["pl.ds"](0, np.int32(2)), "the size of pl.ds"),
    (lambda: METHODS["astype"](X, "float64"), "a dtype here"), (lambda: plain(np.array([None])), "only numbers"),
])  # fmt: skip
def test_what_cannot_be_is_said(call, words):
    with pytest.raises(Wrong, match=words):
        call()
