"""Bodies: statements do what Python says; what Pallas would refuse is refused at its line."""

import ast
from collections import ChainMap

import numpy as np
import pytest

from accelerator_lib.kernels.bodies import NOTHING, Bodies
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.refs import Ref


def ran(text, **names):
    reader, names = Bodies(None), ChainMap({}, names)
    reader.place, reader.grid = (2, 0), (4, 1)
    return reader.run(ast.parse(text).body, names), names


def ref(*shape):
    return Ref("o_ref", np.zeros(shape, np.float32), np.zeros(shape, bool))


def test_names_tuples_loops_and_functions():
    made, names = ran("a, b = 1, 2\na += b\nfor k in range(3):\n    a += k\ndef f(x):\n    return x * b\nc = f(a)\n")
    assert made is NOTHING and names["a"] == 6 and names["c"] == 12
    _, names = ran(
        "t = jax.lax.fori_loop(0, 4, lambda k, s: s + k, 0)\nf = lambda x: x + 1\nu = f(t)\nm = min(t_, 3)", t_=5
    )
    assert names["t"] == 6 and names["u"] == 7 and names["m"] == 3
    assert ran("i = pl.program_id(0)\nn = pl.num_programs(0)")[1]["i"] == 2


def test_when_runs_at_once_or_not_at_all():
    text = "@pl.when(pl.program_id(0) == {})\ndef _():\n    o_ref[...] = jnp.ones((2,))\n"
    for place, known in ((2, True), (1, False)):
        _, names = ran(text.format(place), o_ref=ref(2))
        assert names["o_ref"].known.all() == known


def test_what_a_function_assigns_is_its_own():
    _, names = ran("a = 1\ndef f():\n    a = 2\n    return a\nb = f()")
    assert names["a"] == 1 and names["b"] == 2
    with pytest.raises(Fault, match="belongs to the function around"):
        ran("a = 1\n@pl.when(True)\ndef _():\n    a += 1")


@pytest.mark.parametrize("text, words", [
    ("if pl.program_id(0) == 0:\n    x = 1", "@pl.when"), ("import os", "nothing is imported"), ("while 1:\n    pass", "small"),
    ("from os import path", "nothing is imported"), ("class A:\n    pass", "small language"), ("del x", "small language"),
    ("def f(*a):\n    pass", "plain arguments"), ("def f(a=1):\n    pass", "plain arguments"), ("async def f(): pass", "small"),
    ("@f\ndef g():\n    pass", "only @pl.when"), ("@pl.when(True)\ndef g(x):\n    pass", "takes nothing"),
    ("@pl.when(jnp.ones((2,)) > 0)\ndef g():\n    pass", "one truth"), ("for i in 5:\n    pass", "range"),
    ("t = (1, 1)\n" + "t = (t, t)\n" * 60 + "@pl.when(t)\ndef g():\n    pass", "one truth"),
    ("for i in range(pl.program_id(0)):\n    pass", "fori_loop takes others"), ("for i in range(0, 5, 0):\n    pass", "range"),
    ("def f():\n    return f()\nf()", "too deeply"), ("a, b = 1", "assigned to"), ("a.b = 1", "assigned to"),
    ("f = lambda *a: a", "plain arguments"), ("open(1)", "has no value here"), ("eval(1)", "has no value"),
    ("pl.program_id(2)", "an axis of the grid"), ("pl.debug_print(1)", "nothing that this"), ("x = 5\nx(1)", "nothing to call"),
    ("def f(x):\n    return x\nf()", "takes 1 arguments, not 0"), ("global x", "small"), ("try:\n    x = 1\nfinally:\n    x = 2", "small"),
    ("jax.lax.fori_loop(0, 1.5, lambda i, s: s, 0)", "two whole numbers"), ("with x:\n    pass", "small language"),
])  # fmt: skip
def test_what_is_refused(text, words):
    with pytest.raises(Fault, match=words) as fault:
        ran(text)
    assert 1 <= fault.value.line <= text.count("\n") + 1


def test_what_runs_for_ever_ends():
    with pytest.raises(Fault, match="too long"):
        ran("for i in range(2000000000):\n    pass")
