"""Mapping: bytes are those of a walk over all blocks, cycles those of the closed form and of the register machine."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib import systolic
from accelerator_lib.kernels import drawn, mapping
from accelerator_lib.kernels.language import Fault
from accelerator_lib.workload import Gemm

RUNG = ladder.rung("network")
SIZES = st.integers(1, 12)


def mapped(source, room=4096, pes=64, sizes=(1, 4, 2, 3)):
    named = dict(zip(("images", "pixels", "channels", "classes"), sizes, strict=True))
    arguments = drawn.layers(np.random.default_rng(0), **named)
    return mapping.run(source, arguments, drawn.small_network(**named), pes, room, 8)


def walked(gemm, tile, order):
    """Bytes of each operand, block by block."""
    cuts = {side: [(at, min(at + tile[side], getattr(gemm, side))) for at in range(0, getattr(gemm, side), tile[side])]
            for side in "mnk"}  # fmt: skip
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
    case = RUNG.case(sizes)
    try:
        made = RUNG.run(text, case)
    except Fault as fault:
        assert fault.kind == "budget"
        return
    assert made.cycles >= RUNG.least(case) and made.footprint_bytes <= RUNG.room_bytes
    assert all(np.array_equal(made.arrays[name], want) for name, want in RUNG.expected(case).items())
    for laid in made.laid:
        assert laid.array_cycles >= laid.least_array_cycles and laid.moved_bytes >= laid.least_bytes


@pytest.mark.parametrize("source, kind, line, words", [
    ("layer(0, WEIGHTS, OUTPUTS, 4, 4, 4)", "unset", 1, "array(rows, cols) comes first"),
    ("array(8, 8)\narray(8, 8)", "value", 2, "the chip has one array"),
    ("array(8, 9)", "budget", 1, "64 PEs at most"),
    ("array(0, 9)", "budget", 1, "whole rows and columns"),
    ("array(8, 8)\nlayer(3, WEIGHTS, OUTPUTS, 4, 4, 4)", "bounds", 2, "layers 0 to 2, not 3"),
    ("array(8, 8)\nlayer(0, 7, OUTPUTS, 4, 4, 4)", "value", 2, "OUTPUTS, WEIGHTS or INPUTS"),
    ("array(8, 8)\nlayer(0, WEIGHTS, OUTPUTS, 4, 0, 4)", "value", 2, "whole sides of 1 and more"),
    ("array(8, 8)\nlayer(0, WEIGHTS, OUTPUTS, 99, 99, 99)", "budget", 2, "2,200 bytes; the buffer has room for 2,000"),
    ("array(8, 8)\nt = 1\n" + "t = (t, t)\n" * 40 + "layer(t, 0, 0, 1, 1, 1)", "bounds", 43, "0 to 2, not a tuple"),
    ("array(8, 8)\nfor i in (0, 0):\n    layer(i, 1, 1, 4, 4, 4)", "language", 2, "for runs over range"),
    ("array(8, 8)\nfor i in range(2):\n    layer(0, 1, 1, 4, 4, 4)", "value", 3, "layer 0 has been laid already"),
])  # fmt: skip
def test_what_is_wrong_is_told_at_its_line(source, kind, line, words):
    with pytest.raises(Fault) as found:
        mapped(source, room=2000)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value), str(found.value)


def test_a_layer_that_is_left_out_is_found():
    verdict = ladder.judge("network", RUNG.worked.text.replace("layer(1", "# layer(1"))
    assert not verdict.right and "y1[0, 0] was never written" in verdict.problem
