"""Texts that feed and map a systolic array."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder import drawn
from accelerator_lib import data, systolic
from accelerator_lib.kernels import feeding, mapping
from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.planned import MOST_COMMANDS, follow
from accelerator_lib.workload import Gemm

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))


def told(source, **names):
    """What the command `say` was told."""
    found = []
    follow(source, names, {"say": lambda line, value: found.append(value)})
    return found


SOURCE = TABLE["source"]


@given(st.integers(0, 20))
def test_a_text_does_what_python_does(n):
    wanted, text = [], "def not_last(i):\n    return i + 2 < n\n" + SOURCE
    exec(text, {"n": n, "say": wanted.append})
    assert told(text, n=n) == wanted


@given(st.lists(st.booleans(), min_size=3, max_size=3))
def test_and_and_or_are_those_of_python(three):
    a, b, c = three
    assert told("say(a and b or c)\nsay(a or b and c)", a=a, b=b, c=c) == [(a and b) or c, a or (b and c)]


@pytest.mark.parametrize("source, kind, line, words", TABLE["what_is_none_of_it_is_one_line"])
def test_what_is_none_of_it_is_one_line(source, kind, line, words):
    with pytest.raises(Fault) as found:
        told(source)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value), str(found.value)


def test_commands_have_a_budget():
    with pytest.raises(Fault, match=f"more than {MOST_COMMANDS:,} commands"):
        told(f"for i in range({MOST_COMMANDS + 1}):\n    say(i)")


RUNG = ladder.rung("feed")
BOMB = "t = (1, 1)\n" + "t = (t, t)\n" * 34  # a text of it has 2**35 numbers
AHEAD, OTHER = RUNG.steps[2].text, RUNG.worked.text


def matrices(m, n, k):
    draw = np.random.default_rng(m)
    a, b = draw.integers(1, 9, (m, k)).astype(np.float32), draw.integers(1, 9, (k, n)).astype(np.float32)
    return {"a": a, "b": b, "c": np.zeros((m, n), np.float32), "m": m, "n": n, "k": k}


def fed(source, m, n, k, edge=4, room=64):
    return feeding.run(source, matrices(m, n, k), edge, room)


@settings(max_examples=30)
@given(st.integers(1, 30), st.integers(1, 30), st.integers(1, 30))
def test_a_block_ahead_takes_the_cycles_of_the_closed_form(m, n, k):
    for text, flow in ((AHEAD, "ws"), (OTHER, "is")):
        made = fed(text, m, n, k)
        assert made.cycles == systolic.cycles(Gemm(m, n, k), 4, 4, flow, True).total
        assert np.array_equal(made.arrays["c"], made.arrays["a"] @ made.arrays["b"])


@pytest.mark.parametrize("m, n, k", [(6, 8, 8), (3, 5, 9), (9, 4, 4)])
def test_the_register_machine_takes_as_many_cycles(m, n, k):
    given = matrices(m, n, k)
    *_, last = systolic.steps(given["a"], given["b"], 4, 4, "ws", True)
    made = fed(AHEAD, m, n, k)
    assert made.cycles == last.cycle + 1 and np.array_equal(made.arrays["c"], last.outputs)


def test_cycles_by_hand():
    one = fed("load(b, 0, 0)\nswap()\nrun(0, 6)", 6, 4, 4)
    assert one.cycles == 4 + 6 + 6 and one.waited_cycles == 4 and one.passes[0].begin == 4
    apart = fed(RUNG.steps[1].text, 6, 8, 8)
    assert apart.cycles == 4 * (4 + 6) + 6 and apart.waited_cycles == 16 and not apart.spilled_cycles
    back = fed(RUNG.slow.text, 6, 8, 8)  # 2 blocks of columns, then both again: out, out and back, back again
    assert back.spilled_cycles == 2 * 6 + 2 * 6 and back.cycles == apart.cycles + back.spilled_cycles
    held = fed("load(b, 0, 0)\nswap()\nload(b, 0, 4)\nrun(0, 2)\nrun(2, 6)\nswap()\nrun(0, 6)", 6, 8, 4)
    assert held.cycles == 4 + 6 + 6 + 6 and [len(each.meanwhile) for each in held.passes] == [1, 0, 0]


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.sampled_from("ab"), st.integers(1, 9), st.randoms()
)
def test_any_order_of_blocks_gives_the_product_and_none_beats_the_bound(m, n, k, stays, room, draw):
    high, wide = (m, k) if stays == "a" else (k, n)
    rows = n if stays == "a" else m
    starts = product(range(0, high, 4), range(0, wide, 4), range(0, rows, room))
    pieces = [(i, j, at, min(at + room, rows)) for i, j, at in starts]
    draw.shuffle(pieces)
    text = "".join(f"load({stays}, {i}, {j})\nswap()\nrun({at}, {end})\n" for i, j, at, end in pieces)
    made = fed(text, m, n, k, room=room)
    assert np.array_equal(made.arrays["c"], made.arrays["a"] @ made.arrays["b"]) and made.macs == m * n * k
    assert made.cycles >= 4 + m * n * -(-k // 4) / 4 + 2 * 4 - 2
    assert made.cycles == made.waited_cycles + made.spilled_cycles + made.pass_cycles + 2 * 4 - 2


@pytest.mark.parametrize(
    "source, kind, line, words",
    [
        *TABLE["what_is_wrong_is_told_at_its_line"],
        (BOMB + "load(a, t, 0)", "bounds", 36, "not a tuple"),
        (BOMB + "load(a, 0, 0)\nswap()\nrun(t, 1)", "bounds", 38, "not a tuple to 1"),
    ],
)
def test_what_is_wrong_is_told_at_its_line(source, kind, line, words):
    with pytest.raises(Fault) as found:
        fed(source, 6, 8, 8, room=5)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value)


def test_what_is_left_out_is_found():
    for change, words in [
        (lambda t: t.replace("range(0, m, EDGE)", "range(EDGE, m, EDGE)"), "c[0, 0]"),
        (lambda t: t.replace("range(0, k, EDGE)", "range(0, k - EDGE, EDGE)"), "expected is"),
    ]:
        verdict = ladder.judge("feed", change(OTHER))
        assert not verdict.right and words in verdict.problem, verdict.problem


RUNG_MAPPING = ladder.rung("network")
SIZES = st.integers(1, 12)


def mapped(source, room=4096, pes=64, sizes=(1, 4, 2, 3)):
    named = dict(zip(("images", "pixels", "channels", "classes"), sizes, strict=True))
    arguments = drawn.layers(np.random.default_rng(0), **named)
    return mapping.run(source, arguments, drawn.small_network(**named), pes, room, 8)


def walked(gemm, tile, order):
    """Bytes of each operand, block by block."""
    ends = {side: getattr(gemm, side) for side in "mnk"}
    cuts = {s: [(at, min(at + tile[s], end)) for at in range(0, end, tile[s])] for s, end in ends.items()}
    moved, there, seen = dict.fromkeys(("inputs", "weights", "outputs", "sums"), 0), {}, set()
    for place in product(*(range(len(cuts[side])) for side in order)):
        at = dict(zip(order, place, strict=True))
        for name, sides in mapping.SIDES.items():
            index = tuple(at[side] for side in sides)
            if there.get(name) == index:
                continue
            there[name] = index
            size = np.prod([cuts[side][at[side]][1] - cuts[side][at[side]][0] for side in sides]).item()
            if name != "outputs":
                moved[name] += 2 * size
            elif index in seen:  # it left with sums on the way, and comes back
                moved["sums"] += 8 * size
            else:
                seen.add(index)
                moved["outputs"] += 2 * size
    return moved


@settings(max_examples=80)
@given(SIZES, SIZES, SIZES, SIZES, SIZES, SIZES, st.sampled_from(mapping.ORDERS))
def test_bytes_are_those_of_a_walk(m, n, k, tm, tn, tk, order):
    gemm, tile = Gemm(m, n, k), {"m": min(m, tm), "n": min(n, tn), "k": min(k, tk)}
    trips = {side: -(-getattr(gemm, side) // tile[side]) for side in "mnk"}
    assert mapping.moved_bytes(gemm, trips, order) == walked(gemm, tile, order)


@settings(max_examples=15, deadline=None)
@given(SIZES, SIZES, SIZES, st.sampled_from(mapping.FLOWS), st.integers(1, 5), st.integers(1, 5))
def test_one_block_takes_the_cycles_of_the_register_machine(m, n, k, flow, rows, cols):
    parts = mapping._array_cycles({"m": m, "n": n, "k": k}, {"m": m, "n": n, "k": k}, (rows, cols), flow)
    *_, last = systolic.steps(np.ones((m, k)), np.ones((k, n)), rows, cols, flow, True, flow == "os")
    assert sum(parts) == last.cycle + 1 and min(parts) >= 0


def test_blocks_cut_at_an_edge_are_counted_by_hand():
    parts = mapping._array_cycles({"m": 10, "n": 4, "k": 4}, {"m": 8, "n": 4, "k": 4}, (4, 4), "ws")
    assert parts == (8 + 2, 2, (4 + 6) + (4 + 4))  # two rows hide no load of four; each block begins and ends


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_no_mapping_beats_the_bound_and_all_give_the_products(data):
    sizes = drawn.images(np.random.default_rng(data.draw(st.integers(0, 99))))
    stays, side = st.sampled_from(("OUTPUTS", "WEIGHTS", "INPUTS")), st.integers(4, 70)
    rows = data.draw(st.integers(1, 64))
    text = f"array({rows}, {1024 // rows})\n" + "".join(
        f"layer({i}, {data.draw(stays)}, {data.draw(stays)}, {data.draw(side)}, {data.draw(side)}, {data.draw(side)})\n"
        for i in range(3)
    )
    case = RUNG_MAPPING.case(sizes)
    try:
        made = RUNG_MAPPING.run(text, case)
    except Fault as fault:
        assert fault.kind == "budget"
        return
    assert made.cycles >= RUNG_MAPPING.least(case) and made.footprint_bytes <= RUNG_MAPPING.room_bytes
    assert all(np.array_equal(made.arrays[name], want) for name, want in RUNG_MAPPING.expected(case).items())
    for laid in made.laid:
        assert laid.array_cycles >= laid.least_array_cycles and laid.moved_bytes >= laid.least_bytes


@pytest.mark.parametrize(
    "source, kind, line, words",
    [
        *TABLE["what_is_wrong_is_told_at_its_line_of_mapping"],
        ("array(8, 8)\nt = 1\n" + "t = (t, t)\n" * 40 + "layer(t, 0, 0, 1, 1, 1)", "bounds", 43, "0 to 2, not a tuple"),
    ],
)
def test_what_is_wrong_is_told_at_its_line_of_mapping(source, kind, line, words):
    with pytest.raises(Fault) as found:
        mapped(source, room=2000)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value), str(found.value)


def test_a_layer_that_is_left_out_is_found():
    verdict = ladder.judge("network", RUNG_MAPPING.worked.text.replace("layer(1", "# layer(1"))
    assert not verdict.right and "y1[0, 0] was never written" in verdict.problem
