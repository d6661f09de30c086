"""Wide: moves of several words a lane, asynchronous copies, products of tensor cores; counted, timed, refused."""

import re
from math import ceil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_lib import data, kernels
from accelerator_lib.gpu import sm
from accelerator_lib.kernels import chips

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
SM = chips.of("a100-80gb-sxm")
A, H = np.arange(128, dtype=np.float32), np.arange(512).astype(np.float16)


@pytest.mark.parametrize("source, words", TABLE["refused"])
def test_what_is_misused_is_one_clear_line(source, words):
    try:
        kernels.run(source, {"a": A, "h": H})
    except kernels.Fault as fault:
        assert re.search(words.replace("a[i]", r"a\[i\]"), str(fault)), str(fault)
        assert fault.line == source.count("\n") + 1 and "\n" not in str(fault)
    else:
        assert words == "it runs"


def test_four_numbers_a_lane_are_one_instruction_and_the_same_sectors():
    one = kernels.run("out[thread] = a[thread]", {"a": A, "out": 0 * A}, 1, 128)
    four = kernels.run("x, y, z, w = load4(a[4 * lane])\nstore4(out[4 * lane], x, y, z, w)", {"a": A, "out": 0 * A})
    assert (one.arrays["out"] == A).all() and (four.arrays["out"] == A).all()
    for made, accesses in ((one, 4), (four, 1)):
        assert made.counted.loads["a"].accesses == accesses and made.counted.loads["a"].sectors == 128 * 4 // 32
        assert made.bound.parts["shared memory"] == 4  # a turn of the L1 for 32 words
    assert four.counted.instructions == one.counted.instructions / 2


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40))
def test_sixteen_bytes_a_lane_take_their_turns_eight_lanes_at_a_time(pieces):
    """By hand: of each 8 lanes, the most distinct words in a bank."""
    words = 4 * pieces * np.arange(32)[:, None] + np.arange(4)
    turns = sum(np.bincount(part.ravel() % 32).max() for part in words.reshape(4, 8, 4))
    made = kernels.run(f"s = shared(8192)\nstore4(s[{4 * pieces} * lane], 1.0, 1.0, 1.0, 1.0)", {})
    assert made.counted.shared_turns == turns and made.counted.conflicts == turns - 4


def test_a_copy_needs_no_register_and_is_waited_for_as_long_as_a_load():
    copy = "s = shared(32)\ncopy_async(s[lane], a[lane], 1, lane < 20)\ncommit()\nwait_async(0)\nout[lane] = s[lane]"
    made = kernels.run(copy, {"a": A, "out": 0 * A})
    assert made.arrays["out"][:32].tolist() == [*range(20), *[0] * 12] and made.counted.loads["a"].sectors == ceil(
        80 / 32
    )
    assert made.timed.cycles > SM.dram_latency and made.timed.lines[4]["memory"] > 0.9 * SM.dram_latency
    with pytest.raises(kernels.Fault, match="neither asynchronous copies nor products"):
        kernels.run(copy, {"a": A, "out": 0 * A}, chip="v100-sxm2-32gb")


PRODUCT = """s = shared(32, 24, half)
x = zeros(8, half)
y = zeros(8, half)
sums = zeros(8)
for i in range(16):
    s[i + 16 * (lane // 16), lane % 16] = a[i, lane] if lane < 16 else b[i, lane - 16]
load_tile(x, s[lane % 16, lane // 16 * 8])
load_tile{turned}(y, s[16 + lane % 16, lane // 16 * 8])
mma(sums, x, y)
for e in range(8):
    c[lane // 4 + e // 2 % 2 * 8, lane % 4 * 2 + e % 2 + e // 4 * 8] = sums[e]
"""


@pytest.mark.parametrize("turned", ["", "_t"])
def test_a_product_of_tiles_is_that_of_numpy(turned):
    draw = np.random.default_rng(3)
    a, b = (draw.standard_normal((16, 16)).astype(np.float16) for _ in "ab")
    source = PRODUCT.format(turned=turned).replace("load_tile(x", "barrier()\nload_tile(x")
    made = kernels.run(source, {"a": a, "b": b, "c": np.zeros((16, 16))})
    want = a.astype(float) @ (b.astype(float) if turned else b.astype(float).T)
    assert np.allclose(made.arrays["c"], want, atol=1e-5) and made.counted.products == 2
    text = kernels.to_cuda(source, {"a": a, "b": b, "c": np.zeros((16, 16))}, 32)
    assert "mma.sync.aligned.m16n8k16" in text and ("x4.trans" in text) == bool(turned)


def test_products_on_their_own_reach_the_peak_of_the_tensor_cores():
    """By units: FLOP of an SM in a clock; by the machine: 16 warps, each with products that wait for nobody."""
    tiles = "x = zeros(8, half)\ny = zeros(8, half)\nt = zeros(8, 8)\n"
    source = tiles + "for r in range(8):\n    for i in range(8):\n        mma(t[i], x, y)"
    made = kernels.run(source, {}, 1, 512)
    flop = 2 * 16**3 * 8 * 8 * 16
    peak = sm.RECORDS["a100-80gb-sxm"]["flop_per_clock"]
    assert made.bound.parts["tensor cores"] == flop / peak == made.counted.products * SM.mma_cycles / SM.schedulers
    assert made.bound.cycles <= made.timed.cycles < 1.1 * flop / peak


def test_the_textbook_order_of_a_product_comes_out():
    """128 x 128 x 64: naive, tiles, sums in registers, four numbers a load, tensor cores; each right, each faster."""
    plain, tensor, sizes = ladder.rung("matmul"), ladder.rung("tensor"), {"m": 128, "n": 128, "k": 64}
    case, cycles = plain.case(sizes), []
    made = [plain.run(step.text, case) for step in plain.steps[:3]]
    made.append(kernels.run(TABLE["vector"], case.arguments, (2, 2), (16, 16), SM, 32 + 24))
    for each in made:
        assert np.allclose(each.arrays["c"], case.arguments["a"] @ case.arguments["b"])
        cycles.append(each.timed.cycles)
    cycles += [tensor.run(step.text, tensor.case(sizes)).timed.cycles for step in tensor.steps[1:]]
    assert cycles == sorted(cycles, reverse=True) and cycles[0] > 10 * cycles[-1]
    # an A100: 73 TFLOP/s with load_tile alone, 212 without conflicts (yencal): the same order, a smaller step
    assert 1.2 < cycles[-3] / cycles[-2] < 212 / 73
