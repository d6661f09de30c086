"""Notation: expressions are worth what NumPy says in 32 bits; what is not in the list is one line, at its line."""

import ast
from collections import ChainMap

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.kernels import budget, notation
from accelerator_lib.kernels.language import Fault

X = np.array([[1.0, 2, 3], [4, 5, 6]], np.float32)
NAMES = {"x": X, "n": 5, "i": np.int32(2), "t": (7, 8)}


def value(text, names=NAMES):
    with np.errstate(all="ignore"):
        return notation.Notation().value(ast.parse(text, mode="eval").body, ChainMap({}, names))


@pytest.mark.parametrize("text, want", [
    ("2 * n + 1", 11), ("n // 2, n % 2", (2, 1)), ("-n", -5), ("t[1]", 8), ("x[:, 0]", [1, 4]), ("x[1]", [4, 5, 6]),
    ("x.T @ x", X.T @ X), ("x + i", X + 2), ("x.shape", (2, 3)), ("(x > 1) & (x < 4)", (X > 1) & (X < 4)),
    ("jnp.exp(x)", np.exp(X)), ("x.sum(axis=1, keepdims=True)", [[6], [15]]), ("x[:, None].shape", (2, 1, 3)),
    ("~(x > 1)", ~(X > 1)), ("x ** 2", X**2), ("-jnp.inf", -np.inf), ("jnp.dot(x, x.T)", X @ X.T), ("1e3 / 4", 250),
    ("jnp.zeros((2, n)).shape", (2, 5)), ("x.astype(jnp.int32).sum()", 21), ("[1, 2]", (1, 2)), ("1 / x", 1 / X),
])  # fmt: skip
def test_by_hand(text, want):
    got = value(text)
    assert np.allclose(np.asarray(got, float), np.asarray(want, float), equal_nan=True)
    assert not isinstance(got, np.ndarray) or got.dtype in (np.float32, np.int32, np.bool_)


@pytest.mark.parametrize("text, kind, words", [
    ("y", "language", "y has no value here"), ("jnp", "language", "is a module"), ("jnp.linalg", "language", "nothing"),
    ("jnp.save", "language", "nothing that this"), ("x.tofile", "language", "nothing that this"),
    ("().__class__", "language", "nothing that this"), ("x.__class__", "language", "nothing that this"),
    ("x.tofile(1)", "language", "nothing to call"), ("'a'", "language", "whole numbers and reals"),
    ("n / 0", "division", "by zero"), ("n ** 99", "value", "at most 8"), ("2147483647 ** 8", "value", "32 bits"),
    ("x[0, 9]", "bounds", "no such part"), ("x[i]", "value", "pl.ds"), ("x + x.T", "value", "do not fit"),
    ("1 < n < 3", "language", "one comparison"), ("x and n", "language", "small language"), ("not n", "language", "~ or"),
    ("n if n else n", "language", "small language"), ("[a for a in t]", "language", "small language"),
    ("{}", "language", "small language"), ("jnp.exp(*t)", "language", "plain arguments"), ("x[x > 1]", "value", "parts of"),
    ("jnp.exp(x, x, x)", "language", "other arguments"), ("i ** -1", "value", "cannot be computed"), ("x | x", "value", "join"),
    ("(-8) ** 0.5", "value", "only numbers"), ("x @ x", "value", "cannot be multiplied"), ("f'{n}'", "language", "small"),
    ("jnp.zeros((n, i))", "value", "the same in every step"), ("(n := 3)", "language", "small"), ("1j", "language", "reals"),
])  # fmt: skip
def test_what_is_not_there_is_one_line(text, kind, words):
    with pytest.raises(Fault, match=words) as fault:
        value(text)
    assert fault.value.kind == kind and fault.value.line == 1 and "\n" not in str(fault.value)


def test_there_is_a_budget(monkeypatch):
    monkeypatch.setattr(budget, "MOST_NODES", 10)
    with pytest.raises(Fault, match="too long"):
        value("+".join(["n"] * 20))
    monkeypatch.setattr(budget, "MOST_NODES", 1000)
    monkeypatch.setattr(budget, "MOST_WORK", 1000)
    with pytest.raises(Fault, match="too long"):
        value("jnp.zeros((100, 100)) + 1")


def test_multiply_adds_are_counted():
    reader = notation.Notation()
    reader.value(ast.parse("jnp.dot(x, x.T) + x @ x.T", mode="eval").body, ChainMap({}, NAMES))
    assert reader.macs == 2 * (2 * 3 * 2)


SUMS = st.recursive(
    st.sampled_from(["n", "i", "x", "2", "0.5"]),
    lambda parts: st.tuples(parts, st.sampled_from(["+", "-", "*"]), parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    max_leaves=8,
)


@given(SUMS)
def test_sums_are_those_of_numpy_in_32_bits(text):
    want = eval(text, {}, dict(NAMES))
    got = value(text)
    assert np.allclose(got, want, rtol=1e-5) and np.shape(got) == np.shape(want)
