"""Grids: blocks come when their index changes, as tiling.pallas.traffic counts; twice the blocks must fit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.kernels import budget, grids, pallas
from accelerator_lib.kernels.language import Fault
from accelerator_lib.tiling import pallas as chapter

COPY = """
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...]

o = pl.pallas_call(
    kernel, grid=({grid}), in_specs=[pl.BlockSpec(({rows}, {cols}), lambda i, j: {index})],
    out_specs=pl.BlockSpec(({rows}, {cols}), lambda i, j: (i, j)), out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32),
)(x)
"""
X = np.arange(64, dtype=np.float32).reshape(8, 8)


def copied(grid="2, 2", rows=4, cols=4, index="(i, j)", room=10**6, text=COPY):
    source = text.format(grid=grid, rows=rows, cols=cols, index=index)
    return pallas.run(source, {"x": X}, {"o": (8, 8)}, room)


def test_a_step_costs_by_its_operands_and_by_the_blocks_that_come(monkeypatch):
    """Of the body `pass` nothing is read: what is spent is the walk itself."""
    spent, text = {}, COPY.replace("o_ref[...] = x_ref[...]", "pass").replace("lambda i, j: {index}", "{index}")
    init = budget.Budget.__init__
    monkeypatch.setattr(budget.Budget, "__init__", lambda self: (init(self), spent.update(last=self))[0])
    for steps in (10, 20):
        copied(
            grid=f"{steps}, 1",
            index="lambda i, j: (0, 0)",
            rows=8,
            cols=8,
            text=text.replace("lambda i, j: (i, j)", "lambda i, j: (0, 0)"),
        )
        spent[steps] = spent["last"].nodes
    assert spent[20] - spent[10] >= 10 * 2 * grids.A_STEP and spent["last"].work >= 2 * 64


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_bytes_are_those_of_chapter_four(data):
    """The product's grid, in every order of its axes, against tiling.pallas.traffic."""
    tm, tn, tk = (data.draw(st.sampled_from([1, 2, 4])) for _ in range(3))
    m, n, k = (tile * data.draw(st.integers(1, 3)) for tile in (tm, tn, tk))
    grid, blocks = chapter.matmul_grid(m, n, k, tm, tn, tk)
    want = chapter.traffic(grid, blocks)
    a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
    text = f"""
def kernel(a_ref, b_ref, c_ref):
    @pl.when(pl.program_id(2) == 0)
    def _():
        c_ref[...] = jnp.zeros_like(c_ref)

    c_ref[...] += a_ref[...] @ b_ref[...]

c = pl.pallas_call(
    kernel, grid=({m // tm}, {n // tn}, {k // tk}),
    in_specs=[pl.BlockSpec(({tm}, {tk}), lambda i, j, s: (i, s)), pl.BlockSpec(({tk}, {tn}), lambda i, j, s: (s, j))],
    out_specs=pl.BlockSpec(({tm}, {tn}), lambda i, j, s: (i, j)), out_shape=jax.ShapeDtypeStruct(({m}, {n}), jnp.float32),
)(a, b)
"""
    made = pallas.run(text, {"a": a, "b": b}, {"c": (m, n)}, 10**6)
    (call,) = made.calls
    assert call.fetched_bytes == {"a": want["inputs"], "b": want["weights"]} and call.written_bytes == {
        "c": want["outputs"]
    }
    assert np.array_equal(made.arrays["c"], a @ b) and made.macs == m * n * k
    assert (
        made.moved_bytes == sum(want.values()) == sum(s.moved_bytes for s in call.steps) + 4 * tm * tn
    )  # the last block
    assert call.footprint_bytes == 2 * 4 * (tm * tk + tk * tn + tm * tn) and len(call.steps) == np.prod(grid)


def test_steps_say_what_comes_and_goes():
    made = copied()
    steps = made.calls[0].steps
    assert [step.fetched["x"] for step in steps] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [step.written.get("o") for step in steps] == [None, (0, 0), (0, 1), (1, 0)]
    assert np.array_equal(made.arrays["o"], X)


def test_ragged_blocks_move_what_lies_in_the_array():
    made = copied(grid="2, 3", rows=5, cols=3)
    assert np.array_equal(made.arrays["o"], X) and made.moved_bytes == 2 * 4 * 64
    assert made.footprint_bytes == 2 * 2 * 4 * 15


@pytest.mark.parametrize("more, kind, words", [
    ({"index": "(i, j + 1)"}, "bounds", r"a step needs block \(0, 2\) of x, but the blocks of x are \(0, 0\) to \(1, 1\)"),
    ({"grid": "2, 3"}, "bounds", r"block \(0, 2\) of x"), ({"index": "i"}, "value", "2 whole numbers"),
    ({"index": "(i, 0.5)"}, "value", "2 whole numbers"), ({"room": 255}, "budget", "256 bytes; the chip has room for 255"),
    ({"grid": "2"}, "language", "takes 2 arguments, not 1"), ({"grid": "0, 2"}, "value", "whole numbers above 0"),
    ({"grid": "100000, 2"}, "budget", "take larger blocks"), ({"rows": "2, 4"}, "value", "2 sides, as the array has"),
    ({"text": COPY.replace("o_ref[...] = x_ref", "o_ref[...] += x_ref")}, "unset", "o is read before"),
    ({"text": COPY.replace("x_ref[...]\n", "x_ref[...] * (jnp.inf - jnp.inf)\n")}, "value", "nan goes to o"),
    ({"text": COPY.replace("o_ref[...] = x_ref[...]", "x_ref[...] = 0")}, "language", "only to be read"),
    ({"text": COPY.replace("(x)", "(x, x)")}, "language", "2 arrays and 1 in_specs"),
    ({"text": COPY.replace("(x)", "(5)")}, "language", "with arrays"),
    ({"text": COPY.replace("out_specs", "dimension")}, "language", "takes no dimension"),
])  # fmt: skip
def test_what_cannot_be_walked_is_one_line(more, kind, words):
    with pytest.raises(Fault, match=words) as fault:
        copied(**({"room": 2 * 2 * 4 * 16} | more))
    assert fault.value.kind == kind and fault.value.text and "\n" not in str(fault.value)


def test_a_block_that_left_comes_back_empty():
    text = COPY.replace("lambda i, j: (i, j)), out_shape", "lambda i, j: (j, i)), out_shape").replace("2, 2", "2, 2")
    assert np.array_equal(copied(text=text).arrays["o"][:4, 4:], X[4:, :4])
    text = COPY.replace("lambda i, j: (i, j)), out_shape", "lambda i, j: (j, 0)), out_shape").replace(
        "    o_ref[...] = x_ref[...]",
        "    @pl.when(pl.program_id(0) == 0)\n    def _():\n        o_ref[...] = x_ref[...]\n\n"
        "    @pl.when(pl.program_id(0) == 1)\n    def _():\n        o_ref[...] += x_ref[...]\n",
    )
    with pytest.raises(Fault, match="left the chip and comes back empty"):
        copied(text=text)
