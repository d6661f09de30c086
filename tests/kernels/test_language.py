"""What a kernel may say, and what each part of it becomes: names, expressions, statements, loops."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from launched import fault, ran

from accelerator_lib import data, kernels
from accelerator_lib.kernels import language
from accelerator_lib.kernels.expressions import Code, as_number
from accelerator_lib.kernels.program import MOST_UNROLLED, program
from accelerator_lib.kernels.scope import Place, kind_of, scope

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

REFUSED = TABLE["refused"]


@pytest.mark.parametrize(("source", "said"), REFUSED)
def test_what_is_refused_is_said_in_one_line(source, said):
    found = fault(source, a=np.zeros(4), h=np.zeros(4, int), n=3)
    assert found is not None, "it runs"
    assert any(each in str(found) for each in said.split("|")) and found.kind in language.KINDS
    assert str(found).startswith(f"line {found.line}") and 1 <= found.line <= source.count("\n") + 1
    assert found.text == source.split("\n")[found.line - 1].strip()


@pytest.mark.parametrize("source", [None, 3, b"x = 1", ["x = 1"], 1.5])
def test_a_kernel_is_text(source):
    with pytest.raises(TypeError, match="source: a kernel is text in Python's notation"):
        kernels.run(source, {})


def test_a_fault_shows_a_long_line_cut():
    found = fault("x = unknown + " + "1 + " * 50 + "1")
    assert "`x = unknown + 1 + " in str(found) and "...`" in str(found) and len(found.text) > 200
    assert (found.kind, found.words) == ("language", "unknown has no value yet")


@pytest.mark.parametrize(("text", "value"), TABLE["constants_are_worked_out_beforehand"])
def test_constants_are_worked_out_beforehand(text, value):
    (statement,) = language.read(f"x = {text}")
    assert language.constant(statement.value, {"K": 3}) == value
    assert language.constant(statement.value, {}) == (None if "K" in text else value)
    made = ran(f"K = 3\nout[lane] = {text}", out=np.zeros(32))
    assert made.arrays["out"][5] == value and made.counted.instructions == 1


def names(source, **places):
    arrays = {name: Place(name, kind, (8,), "global") for name, kind in places.items()}
    return scope(language.read(source), arrays, {"n": 3, "f": 0.5})


def test_what_a_kernel_declares():
    found = names(
        "T = 4\nHALF = T / 8\ns = shared(T, T + 1)\nc = shared(8, int)\nr = zeros(2 * T)\nx = a[0]\nb[x] = 1\natomic_add(c, 0, 1)",
        a="int",
        b="float",
    )
    assert found.constants == {"T": 4, "HALF": 0.5} and found.places["s"] == Place("s", "float", (4, 5), "shared", 3)
    assert found.places["c"] == Place("c", "int", (8,), "shared", 4)
    assert found.places["r"] == Place("r", "float", (8,), "own", 5)
    assert found.places["s"].size == 20 and found.written == {"b", "c"} and len(found.body) == 3


@pytest.mark.parametrize(("source", "kinds"), TABLE["a_variable_that_is_ever_a_real_is_one"])
def test_a_variable_that_is_ever_a_real_is_one(source, kinds):
    found = names(source, i="int", g="float").variables
    assert "".join(found[name][0] for name in "xyzw" if name in found) == kinds


def test_a_long_chain_of_variables_is_looked_through_once(monkeypatch):
    looked, many = [], 300
    monkeypatch.setattr("accelerator_lib.kernels.scope.kind_of", lambda *given: looked.append(given) or kind_of(*given))
    found = names("\n".join(f"v{n} = v{n + 1}" for n in range(many)) + f"\nv{many} = 0.5")
    assert set(found.variables.values()) == {"float"} and len(looked) <= 3 * many


def test_the_kind_of_an_expression_is_the_kind_of_what_it_gives():
    source = "x = 1\ny = x\nif lane < 4:\n    x = 0.5\nout[lane] = x\nwhole[lane] = int(y)"
    made = ran(source, out=np.zeros(32), whole=np.zeros(32, int))
    assert made.arrays["out"].tolist() == [0.5] * 4 + [1] * 28 and set(made.arrays["whole"].tolist()) == {1}
    (statement,) = language.read("x = unknown + 1.0")
    assert kind_of(statement.value, names("y = 1")) == "float" and kind_of(ast.Constant(3), names("y = 1")) == "int"


def test_a_condition_becomes_a_number_and_a_whole_number_a_real():
    flags = Code(lambda f, m: np.array([True, False]), "bool", (3,), 3)
    assert as_number(flags).kind == "int" and as_number(flags).run(None, None).tolist() == [1, 0]
    assert as_number(flags).regs == (3,)
    real = as_number(flags, "float")
    assert real.kind == "float" and real.run(None, None).dtype == np.float32 and real.op == 3
    whole = Code(lambda f, m: np.array([2**24 + 1]), "int")
    assert as_number(whole) is whole and as_number(whole, "int") is whole
    assert as_number(whole, "float").run(None, None)[0] == 2**24
    assert as_number(Code(lambda f, m: 5, "float"), "int").kind == "float"  # who wants a whole number must ask for one
    made = as_number(Code(lambda f, m: 3, "int", value=3), "float")
    assert made.value == 3.0 and type(made.run(None, None)) is np.float32 and made.op is None


A = (np.arange(32) * 7 % 19).astype(np.int32)


def worth(text, head="", **more):
    made = ran(
        f"{head}\nout[lane] = {text}", a=A, f=A.astype(np.float32), out=np.zeros(32, more.pop("kind", np.int32)), **more
    )
    return made.arrays["out"]


@pytest.mark.parametrize("text", TABLE["whole_numbers_are_pythons"])
def test_whole_numbers_are_pythons(text):
    wanted = [int(eval(text, {"lane": lane, "a": A.tolist(), "f": A.tolist()})) for lane in range(32)]
    assert worth(text).tolist() == wanted


@pytest.mark.parametrize("text", TABLE["reals_are_those_of_32_bits"])
def test_reals_are_those_of_32_bits(text):
    names = {"sqrt": np.sqrt, "exp": np.exp, "f": A.astype(float), "a": A.tolist()}
    wanted = [eval(text, {**names, "lane": lane}) for lane in range(32)]
    assert worth(text, kind=np.float32) == pytest.approx(wanted, rel=1e-5)


def test_the_other_way_is_not_taken_by_lanes_that_do_not_ask():
    assert worth("a[lane + 30] if lane < 2 else 0").tolist()[:3] == [*A[30:], 0]
    both = [int(lane < 2 and A[lane + 30] > 0) for lane in range(2)]
    assert worth("lane < 2 and a[lane + 30] > 0").tolist() == both + [0] * 30
    assert worth("lane >= 2 or a[lane + 30] > 99").tolist() == [0, 0] + [1] * 30
    assert worth("7 // lane if lane != 0 else 9").tolist() == [9] + [7 // lane for lane in range(1, 32)]
    assert fault("x = a[lane + 30] > 0 and lane < 2", a=A).kind == "bounds"


def test_a_real_divided_by_zero_is_no_fault():
    assert worth("1.0 / (lane - 3.0)", kind=np.float32)[3] == np.inf


@pytest.mark.parametrize(("text", "instructions"), TABLE["what_an_expression_costs"])
def test_what_an_expression_costs(text, instructions):
    made = ran(f"out[lane] = {text}", a=A, f=A.astype(float), m=np.zeros((4, 8), int), out=np.zeros(32))
    assert made.counted.instructions == instructions + 1


def test_a_side_that_no_lane_takes_costs_nothing():
    counted = ran(
        "x = a[lane] if lane > 40 else 2\ny = lane < 0 and a[lane] > 3\nz = lane >= 0 or a[lane] > 3", a=A
    ).counted
    assert counted.loads == {} and [row.instructions for row in counted.lines.values()] == [2, 1, 1]


PAIRS = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=32, max_size=32)


@pytest.mark.parametrize("sign", ["+", "-", "*", "&", "|", "^", "//", "%", "<", "<=", ">", ">=", "==", "!="])
@settings(max_examples=15)
@given(PAIRS)
def test_an_operator_is_pythons_in_each_lane(sign, pairs):
    a, b = np.array(pairs).T
    text = f"if b[lane] != 0:\n    out[lane] = a[lane] {sign} b[lane]"
    made = ran(text, a=a, b=b, out=np.zeros(32, int))
    assert made.arrays["out"].tolist() == [int(eval(f"x {sign} y", {"x": x, "y": y})) if y else 0 for x, y in pairs]


def test_and_asks_on_only_where_it_holds_and_or_only_where_it_does_not():
    counted = ran(
        "x = lane < 4 and a[lane] > 0\ny = lane < 4 or a[lane] > 0\nz = lane < 40 or a[99] > 0", a=np.zeros(32)
    ).counted
    assert [row.lanes for row in counted.lines.values()] == [32 + 4 + 4, 32 + 28 + 28, 32]
    assert counted.loads["a"].asked_bytes == 4 * 4 + 28 * 4


@pytest.mark.parametrize(
    ("text", "lane"), [("1 // (lane - 7)", 7), ("5 % (lane - 31)", 31), ("(lane + 1) % (lane * (lane - 3))", 0)]
)
def test_the_first_thread_that_divides_by_zero_is_named(text, lane):
    found = fault(f"y = 1\nx = {text}", 1, 32)
    assert (found.kind, found.line, found.words) == ("division", 2, f"division by zero, in thread {lane} of block 0")
    assert fault(f"if lane != {lane} and lane != 3:\n    x = {text}") is None


def test_shifts_go_by_0_to_31_places():
    assert fault("x = lane >> lane") is None and fault("x = 0 << lane") is None
    assert fault("x = 1 >> (lane - 1)").kind == fault("x = lane >> (lane + 1)").kind == "value"
    assert fault("x = (1 << lane) // 4") is None
    assert fault("x = 1 << lane").words.startswith("a whole number grows beyond 32 bits")


def test_sums_of_products_are_one_instruction_and_products_of_sums_are_not():
    costs = {"lane * 3 + lane": 1, "lane - lane * 3": 1, "lane * 2 * 3 + 1": 2}
    for text, cost in (costs | {"(lane + 1) * (lane + 2)": 3, "lane * 3 / 2": 2}).items():
        assert ran(f"x = {text}").counted.instructions == cost, text


LANES = np.arange(32)


def worth_calls(text):
    return ran(f"v = lane * lane\nout[lane] = {text}", out=np.zeros(32, int)).arrays["out"].tolist()


@pytest.mark.parametrize("by", [0, 1, 5, 31])
def test_shuffles_bring_the_value_of_another_lane(by):
    squares = LANES * LANES
    assert worth_calls(f"shuffle_down(v, {by})") == squares[np.where(LANES + by < 32, LANES + by, LANES)].tolist()
    assert worth_calls(f"shuffle_up(v, {by})") == squares[np.where(LANES - by >= 0, LANES - by, LANES)].tolist()
    assert worth_calls(f"shuffle_xor(v, {by})") == squares[LANES ^ by].tolist()
    assert worth_calls(f"shuffle(v, {by})") == [by * by] * 32
    assert worth_calls("shuffle(v, 31 - lane)") == squares[::-1].tolist()


def test_five_shuffles_sum_a_warp():
    source = "v = a[thread]\nfor k in range(5):\n    v += shuffle_down(v, 16 >> k)\nif lane == 0:\n    out[warp] = v"
    a = np.random.default_rng(0).random(96).astype(np.float32)
    made = ran(source, 1, 96, a=a, out=np.zeros(3))
    assert made.arrays["out"] == pytest.approx(a.reshape(3, 32).sum(axis=1), rel=1e-5)
    assert made.counted.lines[3].instructions == 3 * 5 * 2


def test_a_shuffle_reads_only_lanes_at_work():
    assert fault("if lane < 8:\n    x = shuffle_xor(lane, 4)") is None
    assert (
        fault("x = shuffle_down(lane, 1)", 1, 40).words
        == "shuffle_down reads a lane that is not at work here, in thread 39 of block 0"
    )
    assert fault("x = shuffle_down(lane, lane - 1)").words == "shuffle_down goes by 0 to 31, in thread 0 of block 0"


def test_an_atomic_takes_two_indices_and_gives_what_was_there():
    made = ran("old = atomic_add(m, (lane % 2, 1), 2)\nout[lane] = old", m=np.ones((2, 3), int), out=np.zeros(32, int))
    assert made.arrays["m"].tolist() == [[1, 33, 1], [1, 33, 1]]
    assert made.arrays["out"].tolist() == [1 + 2 * (lane // 2) for lane in range(32)]


def test_registers_hold_an_array_of_each_thread():
    source = "r = zeros(2, 3)\nfor i in range(2):\n    for j in range(3):\n        r[i, j] = 10.0 * lane + 3 * i + j\nr[1, lane % 3] += 100.0\nout[lane] = r[1, 2] + r[0, lane % 3]"
    out = ran(source, out=np.zeros(32)).arrays["out"]
    assert out.tolist() == [10 * lane + 5 + 100 * (lane % 3 == 2) + 10 * lane + lane % 3 for lane in range(32)]
    assert ran("r = zeros(3, int)\nout[lane] = r[lane % 3]", out=np.ones(32)).arrays["out"].tolist() == [0] * 32
    assert fault("r = zeros(3)\nr[lane % 4] = 1.0").words == "thread 3 of block 0 writes r[3], but r ends at r[2]"
    assert fault("r = zeros(3)\nx = r[lane - 1]").words == "thread 0 of block 0 reads r[-1], but r begins at r[0]"
    made = ran("r = zeros(2)\nr[0] = lane + 1.0\nr[1] = lane + 2.0\nx = r[0] + r[1]")
    assert made.counted.instructions == 3 and made.timed.cycles == 2 + 4 + 2
    dynamic = ran("r = zeros(2)\nx = r[lane % 2] + 1.0")
    assert dynamic.counted.instructions == 3


def left(source, threads=32, **arguments):
    return ran(source, 1, threads, out=np.zeros(64, int), **arguments).arrays["out"][:threads].tolist()


def test_lanes_take_the_way_that_their_condition_says():
    source = "x = 1\nif lane < 8:\n    x = 2\n    if lane < 3:\n        x += 10\nelif lane < 12:\n    x = 3\nelse:\n    x -= 5\nout[lane] = x"
    assert left(source) == [12] * 3 + [2] * 5 + [3] * 4 + [-4] * 20
    assert left("if lane < 3:\n    x = 7\nout[lane] = x") == [7] * 3 + [0] * 29
    assert left("if lane < 3:\n    x = lane + 0.5\nout[lane] = int(x * 2.0)")[:4] == [1, 3, 5, 0]


@pytest.mark.parametrize(("sign", "value"), TABLE["a_variable_and_a_place_are_set_in_place"])
def test_a_variable_and_a_place_are_set_in_place(sign, value):
    assert left(f"x = 20\nx {sign}= 3\nout[lane] = x")[0] == value
    assert left(f"out[lane] = 20\nout[lane] {sign}= 3")[5] == value


def test_ways_are_run_where_a_lane_takes_them():
    counted = ran("if lane > 40:\n    x = 1\nelse:\n    x = 2\nif warp == 1:\n    y = 3", 1, 64).counted
    assert {line: row.instructions for line, row in counted.lines.items()} == {1: 2, 4: 2, 5: 2, 6: 1}
    counted = ran("if lane < 8:\n    x = lane + 1\n    x = x + 2\nelse:\n    x = lane - 1").counted
    assert (counted.instructions, counted.lanes) == (4, 32 + 8 + 8 + 24)


def test_a_kernel_is_read_without_being_run():
    found = program("x = 1 // lane\nbarrier()", {}, {})
    assert [op.kind for op in found.ops] == ["alu", "barrier"] and found.lines == ("x = 1 // lane", "barrier()")
    assert (found.ops[0].dst, found.ops[0].line, found.ops[1].line) == ("x", 1, 2)
    found = program("x = lane + 1\ny = x * x + 2\nz = 3\nz = y", {}, {})
    assert [(op.dst, op.srcs) for op in found.ops] == [("x", ()), ("y", ("x",)), ("z", ()), ("z", ("y",))]


def count(source, **arguments):
    return ran(source, **arguments).counted.instructions


def test_few_rounds_between_constants_are_unrolled_and_more_are_counted():
    assert MOST_UNROLLED == 16
    assert count("for k in range(16):\n    x = lane") == 16
    assert count("for k in range(17):\n    x = lane") == 1 + 17 * 3 + 1
    assert count("for k in range(n):\n    x = lane", n=4) == 1 + 4 * 3 + 1
    assert count("K = 4\nfor k in range(K):\n    x = lane + 2 * k") == 4
    assert count("for k in range(3):\n    x = 2 * k + 1") == 3
    assert count("for k in range(0):\n    x = lane") == 0


@pytest.mark.parametrize(
    ("ends", "n"), [("n", 5), ("2, n", 9), ("n, 0, -2", 7), ("0, 40, 9", 0), ("5, 2", 0), ("lane % 4, n, 2", 6)]
)
def test_rounds_are_pythons_lane_by_lane(ends, n):
    made = ran(f"x = 0\nfor k in range({ends}):\n    x = 3 * x + k\nout[lane] = x", n=n, out=np.zeros(32, int))
    for lane in range(32):
        x = 0
        for k in eval(f"range({ends})", {"n": n, "lane": lane}):
            x = 3 * x + k
        assert made.arrays["out"][lane] == x


def test_warps_go_round_until_their_last_lane_is_done():
    counted = ran("i = 0\nwhile i < lane % 4:\n    i += 1").counted
    assert (counted.lines[2].instructions, counted.lines[2].lanes) == (8, 2 * (32 + 24 + 16 + 8))
    assert counted.lines[3].lanes == 24 + 16 + 8
    counted = ran("for k in range(lane % 4):\n    x = k", 1, 64).counted
    assert counted.lines[2].instructions == 2 * 3 and counted.lines[2].lanes == 2 * 48
    assert counted.lines[1].lanes == 2 * (2 * 32 + (32 + 24 + 16 + 8) + 48)
    counted = ran("for k in range(warp * 2 + 1):\n    x = k", 1, 96).counted
    assert counted.lines[2].instructions == 1 + 3 + 5


def test_how_far_a_range_goes_is_asked_once_and_names_may_count_again():
    made = ran("m = 3\nx = 0\nfor k in range(m):\n    m = 9\n    x += 1\nout[lane] = x", out=np.zeros(32, int))
    assert set(made.arrays["out"].tolist()) == {3}
    made = ran(
        "x = 0\nfor k in range(3):\n    x += k\nfor k in range(20):\n    x += k\nout[lane] = x", out=np.zeros(32, int)
    )
    assert made.arrays["out"][0] == 3 + 190
