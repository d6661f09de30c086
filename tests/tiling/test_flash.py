from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import tiling
from accelerator_lib.tiling import flash, softmax

sizes, blocks = st.integers(1, 200), st.integers(1, 70)


@given(sizes, st.integers(1, 9), blocks, blocks, st.booleans(), st.sampled_from(["fp16", "int8", "fp32"]))
def test_what_moves_on_the_way_is_what_the_formulas_say(tokens, width, rows, cols, cached, dtype):
    first, *_, last = flash.walk(tokens, width, rows, cols, cached, dtype)
    shape = (tokens, width, 1, 1, dtype)
    assert first.flash_bytes == first.standard_bytes == 0
    assert last.flash_bytes == tiling.attention_bytes(*shape, "flash", rows, cached) == last.blocks.flash_bytes
    assert last.standard_bytes == tiling.attention_bytes(*shape, "standard") == last.blocks.standard_bytes


@given(sizes, blocks, blocks)
def test_every_score_is_on_the_chip_once(tokens, rows, cols):
    seen = np.zeros((tokens, tokens), int)
    run = list(flash.walk(tokens, 4, rows, cols))
    for before, now in pairwise(run):
        assert before.coming == now.place
        if now.place:
            i, j = now.place
            seen[i * rows : i * rows + now.blocks.rows(i), j * cols : j * cols + now.blocks.cols(j)] += 1
    assert np.all(seen == 1)
    assert run[-1].used == len(run) - 2 and run[-1].place is None and run[-1].coming is None


def test_the_walk_is_attention():
    """Block by block in the order of the walk, with the online softmax, it is softmax(Q K^T) V."""
    draw = np.random.default_rng(0)
    q, k, v = draw.standard_normal((3, 20, 4))
    for i in range(20):
        row = [now.place[1] for now in flash.walk(20, 4, 1, 6) if now.place and now.place[0] == i]
        assert row == [0, 1, 2, 3]
        *_, last = softmax.stream(k @ q[i], v, 6)
        assert np.allclose(last.output, softmax.reference(k @ q[i], v))


def test_a_walk_by_hand():
    """Eight tokens of two bytes, blocks of four: Q, then K and V, 8 bytes each; the output is written after its row."""
    run = list(flash.walk(8, 2, 4, 4, dtype="int8"))
    assert [now.flash_bytes for now in run] == [0, 24, 40, 72, 88, 96]
    assert [now.standard_bytes for now in run] == [0, 24 + 64, 40 + 128, 56 + 192, 56 + 256, 64 + 256]
    caught = list(flash.walk(8, 2, 4, 4, cached=True, dtype="int8"))
    assert [now.flash_bytes for now in caught] == [0, 24, 40, 56, 56, 64]


def test_a_block_holds_a_row():
    with pytest.raises(ValueError, match="block_rows = 0 is outside the allowed range"):
        flash.walk(64, 4, 0)
