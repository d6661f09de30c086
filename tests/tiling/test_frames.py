from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames import tiling as frames
from accelerator_course.frames.tiling import SLOWLY, Reading, attention, product
from accelerator_lib import tiling
from accelerator_lib.tiling import softmax, square
from accelerator_lib.workload import Gemm

sizes, tiles = st.integers(1, 300), st.integers(1, 64)


@given(sizes, sizes, sizes, tiles, tiles, tiles)
def test_the_odometer_grows_from_zero_to_the_formula(m, n, k, tile_m, tile_n, tile_k):
    gemm = Gemm(m, n, k)
    first, *_, last = product(gemm, tile_m, tile_n, tile_k)
    assert first.bytes_moved == 0 and first.coming == (0, 0, min(tile_k, k))
    assert last.bytes_moved == last.total_bytes == tiling.gemm_bytes(gemm, tile_m, tile_n)
    assert last.number == last.tiles and last.coming is None


@settings(max_examples=30)
@given(*[st.integers(1, 60)] * 3, *[st.integers(1, 20)] * 3)
def test_strips_add_up_to_the_product(m, n, k, tile_m, tile_n, tile_k):
    """Every moment's strips, multiplied, are what was still missing of its tile."""
    draw = np.random.default_rng(m * n + k)
    a, b, c = draw.integers(0, 9, (m, k)), draw.integers(0, 9, (k, n)), np.zeros((m, n), int)
    before = 0
    for now in product(Gemm(m, n, k), tile_m, tile_n, tile_k):
        assert now.bytes_moved >= before
        before = now.bytes_moved
        if now.arrived:
            top, left, high, wide = now.box(now.number)
            along = slice(now.depth - now.arrived, now.depth)
            c[top : top + high, left : left + wide] += a[top : top + high, along] @ b[along, left : left + wide]
    assert np.array_equal(c, a @ b)


def test_products_by_hand():
    # Two tiles down, two across, k = 8 in strips of 4: 32 x 4 elements of A come first, C is written when it is done.
    run = list(product(Gemm(64, 64, 8), 32, 32, 4, "int8"))
    assert [(now.number, now.depth) for now in run] == [(0, 0), (0, 4), (0, 8), (1, 4), (1, 8), (2, 8), (3, 8), (4, 0)]
    assert (run[1].input_bytes, run[1].weight_bytes, run[1].output_bytes) == (128, 128, 0)
    assert (run[3].input_bytes, run[3].output_bytes) == (384, 1024)  # the first tile has gone home
    assert run[-1].bytes_moved == 2 * 64 * 8 + 2 * 8 * 64 + 64 * 64 == 6_144
    run = list(product(square(2048), 128, 128, 64))
    assert len(run) == 1 + SLOWLY * 2048 // 64 + (256 - SLOWLY) + 1
    first = next(product(Gemm(100, 70, 8), 32, 48, 8))
    assert first.grid == (4, 2) and first.box(7) == (96, 48, 4, 22)
    need, room = tiling.budget(32, 32, 4), tiling.sm_room()
    *_, before, last = (Reading(now, need, room) for now in product(Gemm(100, 64, 8), 32, 32, 4, "int8"))
    assert last.moved == last.ends == (1600, 2048, 6400, 10048)
    assert last.once_bytes == 800 + 512 + 6400 and last.excess == 10048 / 7712
    assert before.moved[2] == 6400 - 4 * 32  # the last tile, four rows, is not written yet


lengths, blocks = st.integers(1, 200), st.integers(1, 70)


@given(lengths, st.integers(1, 9), blocks, blocks, st.booleans(), st.sampled_from(["fp16", "int8", "fp32"]))
def test_what_moves_on_the_way_is_what_the_formulas_say(tokens, width, rows, cols, cached, dtype):
    first, *_, last = attention(tokens, width, rows, cols, cached, dtype)
    shape = (tokens, width, 1, 1, dtype)
    assert first.flash_bytes == first.standard_bytes == 0
    assert last.flash_bytes == tiling.attention_bytes(*shape, "flash", rows, cached) == last.blocks.flash_bytes
    assert last.standard_bytes == tiling.attention_bytes(*shape, "standard") == last.blocks.standard_bytes


@given(lengths, blocks, blocks)
def test_every_score_is_on_the_chip_once(tokens, rows, cols):
    seen = np.zeros((tokens, tokens), int)
    run = list(attention(tokens, 4, rows, cols))
    for before, now in pairwise(run):
        assert before.coming == now.place
        if now.place:
            i, j = now.place
            seen[i * rows : i * rows + now.blocks.rows(i), j * cols : j * cols + now.blocks.cols(j)] += 1
    assert np.all(seen == 1)
    assert run[-1].used == len(run) - 2 and run[-1].place is None and run[-1].coming is None


def test_the_walk_is_attention():
    """Block by block in the order of the walk, with the online softmax, it is softmax(Q K^T) V."""
    q, k, v = np.random.default_rng(0).standard_normal((3, 20, 4))
    for i in range(20):
        row = [now.place[1] for now in attention(20, 4, 1, 6) if now.place and now.place[0] == i]
        assert row == [0, 1, 2, 3]
        *_, last = softmax.stream(k @ q[i], v, 6)
        assert np.allclose(last.output, softmax.reference(k @ q[i], v))


def test_blocks_of_attention_by_hand():
    """Eight tokens of two bytes, blocks of four: Q, then K and V, 8 bytes each; the output is written after its row."""
    run = list(attention(8, 2, 4, 4, dtype="int8"))
    assert [now.flash_bytes for now in run] == [0, 24, 40, 72, 88, 96]
    assert [now.standard_bytes for now in run] == [0, 24 + 64, 40 + 128, 56 + 192, 56 + 256, 64 + 256]
    caught = list(attention(8, 2, 4, 4, cached=True, dtype="int8"))
    assert [now.flash_bytes for now in caught] == [0, 24, 40, 56, 56, 64]


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40), st.integers(1, 45))
def test_half_a_block_is_read_and_scaled_then_it_is_added(scores, block):
    """The second half of each block is the stream's state; the first is the state before, times the stated factor."""
    values = np.random.default_rng(len(scores)).standard_normal((len(scores), 3))
    halves, states = list(frames.softmax(scores, values, block)), list(softmax.stream(scores, values, block))
    assert [half.added for half in halves] == [False, True] * len(states)
    total, sums = 0.0, np.zeros(3)
    for read, added, state in zip(halves[::2], halves[1::2], states, strict=True):
        assert read.state.read == added.state.read == state.read and read.first == state.read - len(state.scores)
        assert read.total == pytest.approx(total * state.scale) and np.allclose(read.sums, sums * state.scale)
        assert added.total == state.total and np.allclose(added.output, state.output)
        assert max(added.total, abs(added.sums).max()) <= added.most * (1 + 1e-9)
        total, sums = added.total, added.sums
    assert halves[-1].distance < 1e-11


def test_halves_of_a_block_by_hand():
    # Sum and output shrink alike, so their quotient stays.
    _, first, second, _ = frames.softmax([0.0, np.log(4)], [[1.0], [0.0]], block=1)
    assert (first.total, second.total, second.sums.tolist()) == (1, 0.25, [0.25])
    assert first.output == second.output == 1 and second.weights.tolist() == [0.25, 1]
    assert second.final.tolist() == [0.25, 1] and second.distance == pytest.approx(0.8)
    first = next(frames.softmax([3.0, 1.0], [[1.0], [2.0]], block=2))
    assert first.total == 0 and first.output.tolist() == [0] and first.before == -np.inf and first.state.maximum == 3
