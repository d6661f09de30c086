"""Pallas, interpreted: texts in Pallas' notation do what NumPy says, and hostile ones end in one line."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib.kernels import pallas
from accelerator_lib.kernels.language import Fault

BOMB = "t = (1, 1)\n" + "t = (t, t)\n" * 40
TILED = {id: rung for id, rung in ladder.rungs().items() if rung.machine == "pallas"}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_worked_texts_do_what_numpy_does_on_any_shape(data):
    rung = data.draw(st.sampled_from(list(TILED.values())))
    step = data.draw(st.sampled_from(rung.steps))
    case = rung.case(rung.sizes(np.random.default_rng(data.draw(st.integers(0, 2**20)))))
    made = rung.run(step.text, case)
    for name, want in rung.expected(case).items():
        assert np.allclose(made.arrays[name], want, rtol=0, atol=1e-4)
    assert made.footprint_bytes <= rung.room_bytes == made.room_bytes


def test_several_outputs_and_calls_have_their_names():
    made = TILED["softmax"].run(TILED["softmax"].slow.text, TILED["softmax"].scoring)
    assert [list(call.outputs) for call in made.calls] == [["top"], ["e", "total"], ["out"]]
    assert made.calls[2].inputs == ("e", "total") and made.steps == sum(len(call.steps) for call in made.calls)


def test_copies_and_products_overlap():
    """A tile is copied for longer than it is multiplied: the products are busy for the quotient of both times."""
    made = TILED["product"].best
    paced = made.paced
    assert paced.each == max(paced.work_seconds, paced.transfer_seconds) == paced.transfer_seconds
    assert paced.buffers == 2 and paced.busy == pytest.approx(paced.work_seconds / paced.transfer_seconds)
    small = TILED["product"].run(TILED["product"].slow.text, TILED["product"].scoring).paced
    assert small.busy < paced.busy


@pytest.mark.parametrize("source, error, words", [
    ("c = 5", ValueError, "c must be what a pl.pallas_call gives, not 5"),
    (BOMB + "c = t", ValueError, "gives, not a tuple"), (BOMB + "c = lambda: 1", ValueError, "gives, not a function of the text"),
    (BOMB + "c = pl.pallas_call(lambda o: 1, grid=t)", ValueError, "a pl.pallas_call.* that is not called yet"), ("c = a", ValueError, "has the shape"),
    ("c = a @ a", Fault, "a number or an array"), ("c = a[0]", Fault, "only refs"), ("a[0] = 1", Fault, "assigned to"),
    ("import jax", Fault, "nothing is imported"), ("x = a.tofile", Fault, "nothing that this"),
    ("x = (" + "-" * 4000 + "1)", Fault, "line 1"), ("x = " + "+".join(["1"] * 9000), Fault, "line 1"),
    ("x = ((((" * 500, Fault, "line 1"), ("\0", Fault, "line 1"), (5, TypeError, "text"), ("def f(: pass", Fault, "not Python"),
    ("for i in range(2**31):\n    x = i", Fault, "at most 8"), ("x = 10**9 * 10**9", Fault, "at most 8|32 bits"),
    ("for i in range(2000000000):\n    x = i", Fault, "too long"), ("x = jnp.zeros((1000000000,))", Fault, "at most"),
    ("def f(x):\n    return f(x)\ny = f(1)", Fault, "too deeply"), ("x = a.__class__.__mro__", Fault, "nothing that this"),
    ("x = pl.pallas_call(lambda o: 1)(a)", Fault, "out_shape"), ("x = jax.config", Fault, "nothing that this"),
    ("k = pl.pallas_call\n", Fault, "nothing that this"), ("x = jnp.exp.__globals__", Fault, "nothing that this"),
    ("x = pl.pallas_call(lambda o: pl.pallas_call(lambda o: 1)(o), out_shape=jax.ShapeDtypeStruct((1,), jnp.float32))()",
     Fault, "nothing to call"),
])  # fmt: skip
def test_hostile_texts_end_in_one_line(source, error, words):
    with pytest.raises(error, match=words) as found:
        pallas.run(source, {"a": np.ones((2, 2), np.float32)}, {"c": (3, 3)}, 10**5)
    assert "\n" not in str(found.value) and len(str(found.value)) < 500


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([
    "c", "=", "pl.pallas_call(", "kernel", ")", "(a, b)", "grid", "def kernel(a_ref):", "\n", "    ", "pl.BlockSpec(", "jnp",
    ".", "lambda", ":", "[...]", "a", ",", "8", "-", "@pl.when(", "out_shape=", "jax.ShapeDtypeStruct((8,), jnp.float32)",
]), max_size=20).map(" ".join))  # fmt: skip
def test_no_text_raises_what_is_no_line(source):
    verdict = ladder.judge("product", source)
    assert not verdict.star and str(verdict).isprintable()


def test_results_have_a_budget(monkeypatch):
    monkeypatch.setattr(pallas, "MOST_LEFT", 10_000)
    rung = TILED["fused"]
    with pytest.raises(Fault, match="all results together have at most 10,000 numbers"):
        rung.run(rung.worked.text, rung.scoring)


def test_what_is_given_stays_as_it_was():
    rung = TILED["product"]
    case = rung.cases()[0]
    before = {name: value.copy() for name, value in rung.given(case).items() if isinstance(value, np.ndarray)}
    rung.run(rung.worked.text, case)
    assert all(np.array_equal(case.arguments[name], value) for name, value in before.items())
