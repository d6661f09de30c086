"""Texts in Pallas' notation: what they may say, blocks that come and go, what a run may cost."""

import ast
import builtins
from collections import ChainMap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib import data, tiling
from accelerator_lib.kernels import budget, grids, notation, pallas
from accelerator_lib.kernels.bodies import NOTHING, Bodies
from accelerator_lib.kernels.budget import Late, hurry, look
from accelerator_lib.kernels.functions import CALLS, METHODS, Wrong, full, iota, plain, sides
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.refs import Ref, Slice, cut
from accelerator_lib.kernels.specs import Call, Function, Shaped, Spec, told
from accelerator_lib.workload import Gemm

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

BOMB = "t = (1, 1)\n" + "t = (t, t)\n" * 40
DEEP = "x = (" + "-" * 4000 + "1)", "x = " + "1+" * 9000 + "1", "x = ((((" * 500
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


@pytest.mark.parametrize(
    "source, error, words",
    [
        *TABLE["hostile_texts_end_in_one_line"],
        (BOMB + "c = t", "ValueError", "gives, not a tuple"),
        (BOMB + "c = lambda: 1", "ValueError", "gives, not a function of the text"),
        (BOMB + "c = pl.pallas_call(lambda o: 1, grid=t)", "ValueError", "a pl.pallas_call.* that is not called yet"),
        *((text, "Fault", "line 1") for text in DEEP),
    ],
)
def test_hostile_texts_end_in_one_line(source, error, words):
    with pytest.raises(getattr(builtins, error, Fault), match=words) as found:
        pallas.run(source, {"a": np.ones((2, 2), np.float32)}, {"c": (3, 3)}, 10**5)
    assert "\n" not in str(found.value) and len(str(found.value)) < 500


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TABLE["pieces"]), max_size=20).map(" ".join))
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


COPY = TABLE["copy"]
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
    """The formula of chapter 4 where k takes several steps; with one, a block of A stays while the columns go by."""
    tm, tn, tk = (data.draw(st.sampled_from([1, 2, 4])) for _ in range(3))
    m, n, k = (tile * data.draw(st.integers(1, 3)) for tile in (tm, tn, tk))
    a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
    sides = {"tm": tm, "tn": tn, "tk": tk, "m": m, "n": n, "gm": m // tm, "gn": n // tn, "gk": k // tk}
    made = pallas.run(TABLE["product"].format(**sides), {"a": a, "b": b}, {"c": (m, n)}, 10**6)
    (call,) = made.calls
    if tk < k:
        assert sum([*call.fetched_bytes.values(), 4 * m * n]) == tiling.gemm_bytes(Gemm(m, n, k), tm, tn, "fp32")
    else:
        assert call.fetched_bytes == {"a": 4 * m * k, "b": 4 * k * n * (m // tm if n > tn else 1)}
    assert call.written_bytes == {"c": 4 * m * n}
    assert np.array_equal(made.arrays["c"], a @ b) and made.macs == m * n * k
    last = 4 * tm * tn  # written after the last step
    assert (
        made.moved_bytes
        == sum(call.fetched_bytes.values()) + 4 * m * n
        == sum(s.moved_bytes for s in call.steps) + last
    )
    assert call.footprint_bytes == 2 * 4 * (tm * tk + tk * tn + tm * tn) and len(call.steps) == m // tm * (n // tn) * (
        k // tk
    )


def test_steps_say_what_comes_and_goes_and_ragged_blocks_move_what_lies_in_the_array():
    made = copied()
    steps = made.calls[0].steps
    assert [step.fetched["x"] for step in steps] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [step.written.get("o") for step in steps] == [None, (0, 0), (0, 1), (1, 0)]
    assert np.array_equal(made.arrays["o"], X)
    made = copied(grid="2, 3", rows=5, cols=3)
    assert np.array_equal(made.arrays["o"], X) and made.moved_bytes == 2 * 4 * 64
    assert made.footprint_bytes == 2 * 2 * 4 * 15


@pytest.mark.parametrize("more, kind, words", TABLE["what_cannot_be_walked_is_one_line"])
def test_what_cannot_be_walked_is_one_line(more, kind, words):
    text = COPY.replace(*more.get("text", ("", "")))
    with pytest.raises(Fault, match=words) as fault:
        copied(**({"room": 2 * 2 * 4 * 16} | more | {"text": text}))
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


def block(known=None):
    return Ref("a", np.arange(12, dtype=np.float32).reshape(3, 4), known)


def test_parts_are_those_of_numpy():
    ref, values = block(), np.arange(12).reshape(3, 4)
    assert ref.read(..., 1).tolist() == values.tolist() and ref.touched
    assert ref.read((1, 2), 1) == 6 and ref.read((slice(None), 0), 1).tolist() == [0, 4, 8]
    assert ref.read((Slice(np.int32(1), 2), slice(1, 3)), 1).tolist() == [[5, 6], [9, 10]]


@pytest.mark.parametrize(
    "key, words",
    [
        *TABLE["what_a_block_does_not_have_is_one_line"],
        ((0, slice(None, 5)), r"reads \[0, 0:5\] of the block of a, but its columns end at 3"),
        ((Slice(2, 2), 0), r"reads \[2:4, 0\] of the block of a, but its rows end at 2"),
        ((slice(0, 3, 2), 0), "reached by"),
        ((slice(np.int32(0), 2), 0), "pl.ds"),
        ((slice(2, 1), 0), r"ends before it begins: \[2:1, 0\]"),
    ],
)
def test_what_a_block_does_not_have_is_one_line(key, words):
    with pytest.raises(Fault, match=words):
        block().read(tuple(key), 1)


def test_an_output_holds_nothing_until_it_is_written_and_reals_go_to_no_whole_numbers():
    ref = block(np.zeros((3, 4), bool))
    with pytest.raises(Fault, match="a is read before this step wrote there") as fault:
        ref.read(..., 7)
    assert fault.value.kind == "unset" and fault.value.line == 7
    ref.write((0, slice(None)), np.float32(5), 8)
    assert ref.read((0, slice(None)), 9).tolist() == [5] * 4 and ref.line == 8
    with pytest.raises(Fault, match="unset|before"):
        ref.read(..., 9)
    with pytest.raises(Fault, match=r"has \(3, 4\) there, the value is \(4,\)"):
        ref.write(..., np.zeros(4, np.float32), 1)
    with pytest.raises(Fault, match="only to be read"):
        block().write(..., 1, 1)
    with pytest.raises(Fault, match="whole numbers"):
        Ref("a", np.zeros(3, np.int32), np.zeros(3, bool)).write(..., np.float32(1), 1)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.integers(1, 5))
def test_blocks_put_together_are_the_array(rows, cols, high, wide):
    array, whole = np.arange(rows * cols, dtype=np.float32).reshape(rows, cols), np.zeros((rows, cols))
    for i in range(-(-rows // high)):
        for j in range(-(-cols // wide)):
            made, there, here = cut(array, (high, wide), (i, j))
            whole[there] += made[here]
            assert made.shape == (high, wide) and np.isnan(made).sum() == made.size - made[here].size
    assert np.array_equal(whole, array)


X_NOTATION = np.array([[1.0, 2, 3], [4, 5, 6]], np.float32)
NAMES = {"x": X_NOTATION, "n": 5, "i": np.int32(2), "t": (7, 8)}


def value(text, names=NAMES):
    with np.errstate(all="ignore"):
        return notation.Notation().value(ast.parse(text, mode="eval").body, ChainMap({}, names))


@pytest.mark.parametrize(
    "text, want",
    [
        *TABLE["by_hand"],
        ("x.T @ x", X_NOTATION.T @ X_NOTATION),
        ("x + i", X_NOTATION + 2),
        ("(x > 1) & (x < 4)", (X_NOTATION > 1) & (X_NOTATION < 4)),
        ("jnp.exp(x)", np.exp(X_NOTATION)),
        ("~(x > 1)", ~(X_NOTATION > 1)),
        ("x ** 2", X_NOTATION**2),
        ("-jnp.inf", -np.inf),
        ("jnp.dot(x, x.T)", X_NOTATION @ X_NOTATION.T),
        ("1 / x", 1 / X_NOTATION),
    ],
)
def test_by_hand(text, want):
    got = value(text)
    assert np.allclose(np.asarray(got, float), np.asarray(want, float), equal_nan=True)
    assert not isinstance(got, np.ndarray) or got.dtype in (np.float32, np.int32, np.bool_)


@pytest.mark.parametrize("text, kind, words", TABLE["what_is_not_there_is_one_line"])
def test_what_is_not_there_is_one_line(text, kind, words):
    with pytest.raises(Fault, match=words) as fault:
        value(text)
    assert fault.value.kind == kind and fault.value.line == 1 and "\n" not in str(fault.value)


def test_there_is_a_budget_for_what_runs_for_ever(monkeypatch):
    monkeypatch.setattr(budget, "MOST_NODES", 10)
    with pytest.raises(Fault, match="too long"):
        value("+".join(["n"] * 20))
    monkeypatch.setattr(budget, "MOST_NODES", 1000)
    monkeypatch.setattr(budget, "MOST_WORK", 1000)
    with pytest.raises(Fault, match="too long"):
        value("jnp.zeros((100, 100)) + 1")
    with pytest.raises(Fault, match="too long"):
        ran("for i in range(2000000000):\n    pass")


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


X_FUNCTIONS = np.array([[0.5, 2.0], [1.0, 4.0]], np.float32)


ONE = [
    "exp",
    "exp2",
    "log",
    "sqrt",
    "tanh",
    "abs",
    "isnan",
    "sum",
    "max",
    "min",
    "relu",
    "sigmoid",
    "silu",
    "rsqrt",
    "zeros_like",
    "ones_like",
    "transpose",
]


@pytest.mark.parametrize("name", [n for n in CALLS if n.startswith(("jnp.", "jax.")) and n.split(".")[-1] in ONE])
def test_functions_of_one_array_are_those_of_jax(name):
    jax = pytest.importorskip("jax")
    function = eval(name, {"jax": jax, "jnp": jax.numpy})
    got = plain(CALLS[name](X_FUNCTIONS))
    assert np.allclose(got, function(X_FUNCTIONS), atol=1e-6) and got.dtype == function(X_FUNCTIONS).dtype


def test_others_by_hand():
    assert CALLS["jnp.where"](X_FUNCTIONS > 1, X_FUNCTIONS, 0.0).tolist() == [[0, 2], [0, 4]]
    assert CALLS["jnp.maximum"](X_FUNCTIONS, 1).tolist() == [[1, 2], [1, 4]]
    assert CALLS["jnp.dot"](X_FUNCTIONS, X_FUNCTIONS).tolist() == (X_FUNCTIONS @ X_FUNCTIONS).tolist()
    assert iota(np.int32, (2, 3), 1).tolist() == [[0, 1, 2]] * 2 and full((2,), 7).tolist() == [7, 7]
    assert CALLS["pl.cdiv"](7, 2) == 4 and CALLS["pl.ds"](np.int32(3), 4).size == 4
    square = np.ones((2**7, 2**7))  # its product has 2**14 numbers, of 2**21 multiply-adds
    assert CALLS["jnp.dot"](square, square).sum() == 2**21
    assert METHODS["max"](X_FUNCTIONS, axis=1, keepdims=True).tolist() == [[2], [4]]
    assert plain(np.float64(1)).dtype == np.float32 and plain(np.arange(3)).dtype == np.int32


IMPOSSIBLE = {  # a function, what it is given, what is said
    "at most 1,048,576": (sides, (2**11, 2**11)),
    "the same in every step": (sides, (np.int32(3),)),
    "none below 0": (sides, (-1,)),
    "no axis 1": (iota, np.int32, (2,), 1),
    "no axis 2": (CALLS["jnp.sum"], X_FUNCTIONS, 2),
    "cannot be multiplied": (CALLS["jnp.dot"], X_FUNCTIONS, X_FUNCTIONS[:1]),
    "a number or an array": (CALLS["jnp.exp"], "x"),
    "do not fit": (CALLS["jnp.maximum"], X_FUNCTIONS, np.ones(3)),
    "not by zero": (CALLS["pl.cdiv"], 1, 0),
    "the size of pl.ds": (CALLS["pl.ds"], 0, np.int32(2)),
    "begins at a whole number": (CALLS["pl.ds"], 0.5, 2),
    "a dtype here": (METHODS["astype"], X_FUNCTIONS, "float64"),
    "only numbers": (plain, np.array([None])),
}


@pytest.mark.parametrize("words", IMPOSSIBLE)
def test_what_cannot_be_is_said(words):
    call, *given = IMPOSSIBLE[words]
    with pytest.raises(Wrong, match=words):
        call(*given)


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


@pytest.mark.parametrize(
    "text, words",
    [*TABLE["what_is_refused"], (BOMB + "t = (t, t)\n" * 20 + "@pl.when(t)\ndef g():\n    pass", "one truth")],
)
def test_what_is_refused(text, words):
    with pytest.raises(Fault, match=words) as fault:
        ran(text)
    assert 1 <= fault.value.line <= text.count("\n") + 1


def value_specs(text):
    return Bodies(None).value(ast.parse(text, mode="eval").body, ChainMap({}, {}))


def test_blocks_shapes_and_calls_in_few_letters():
    spec = value_specs("pl.BlockSpec((8, 16), lambda i, j: (j, i))")
    assert isinstance(spec, Spec) and spec.shape == (8, 16) and spec.index.params == ("i", "j")
    assert value_specs("pl.BlockSpec(block_shape=(8,), index_map=lambda i: i)").shape == (8,)
    assert value_specs("pl.BlockSpec()").shape is None
    shaped = value_specs("jax.ShapeDtypeStruct((4, 5), jnp.float32)")
    assert isinstance(shaped, Shaped) and shaped.shape == (4, 5)
    assert isinstance(value_specs("pl.pallas_call(lambda o_ref: 0, grid=(2,))"), Call)
    for text, words in TABLE["told"].items():
        assert told(value_specs(text)) == words
    deep = value_specs("lambda: 1")
    for _ in range(60):
        deep = (deep, deep)
    held = Function("f", (), None, ChainMap({"deep": deep}), 1)
    assert told(deep) == "a tuple" and len(repr(held)) < 100 and len(repr(Call(held, {"grid": deep}, 1))) < 100


@pytest.mark.parametrize("text, words", TABLE["what_is_no_block"])
def test_what_is_no_block(text, words):
    with pytest.raises(Fault, match=words):
        value_specs(text)


(NODE,) = ast.parse("\n\nx").body


def test_an_array_is_weighed_until_nothing_names_it():
    one = budget.Budget()
    kept, gone = np.zeros(1000), np.zeros(500, np.float32)
    one.hold(NODE, kept)
    one.hold(NODE, gone)
    one.hold(NODE, np.float32(1.0))
    one.hold(NODE, 7)
    assert one.held == kept.nbytes + gone.nbytes
    del gone
    assert one.held == kept.nbytes


def test_beyond_the_budget_a_fault_names_the_line(monkeypatch):
    monkeypatch.setattr(budget, "MOST_HELD", 2_000_000)
    one, kept = budget.Budget(), []
    with pytest.raises(Fault, match="line 3: the arrays that are kept have more than 2 MB: take smaller blocks"):
        for _ in range(3):
            kept.append(np.zeros(100_000))
            one.hold(NODE, kept[-1])
    assert len(kept) == 3
    for spent in ([budget.MOST_WORK, 1], [0] * (budget.MOST_NODES + 1)):
        one = budget.Budget()
        with pytest.raises(Fault, match="line 3: this runs for too long here"):
            for numbers in spent:
                one.spend(NODE, numbers)
        assert one.nodes == len(spent)


@pytest.mark.parametrize("line, reads", TABLE["what_is_read_or_filled_counts_as_well_as_what_is_made"])
def test_what_is_read_or_filled_counts_as_well_as_what_is_made(line, reads, monkeypatch):
    monkeypatch.setattr(budget, "MOST_WORK", 20 * reads)
    text = "def k(o):\n    x = jnp.zeros((64, 64))\n    for i in range({}):\n        {}\n"
    text += "c = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((64, 64), jnp.float32))()"
    with pytest.raises(Fault, match="line 4, .* too long"):
        pallas.run(text.format(25, line), {}, {}, 10**6)
    pallas.run(text.format(2, line), {}, {}, 10**6)


TEXTS = {  # of each machine one that takes long
    "map": "i = 0\nwhile i < 10000:\n    i += 1",
    "product": ladder.rung("product").slow.text,
    "feed": "for i in range(0, 10000):\n    load(a, 0, 0)\n    swap()",
}


@pytest.mark.parametrize("id", TEXTS)
def test_a_run_without_time_is_late_and_the_next_has_all_time(id):
    rung = ladder.rung(id)
    case = rung.case(rung.visible[0])
    with pytest.raises(Late), hurry(0):
        rung.run(TEXTS[id], case)
    assert rung.run(rung.worked.text, case)


def test_late_is_no_fault_and_there_is_time_unless_it_is_said():
    assert not issubclass(Late, ValueError)
    look()
    with hurry(60):
        look()
