"""Boards: shares and users, beside an allocator that hands out slot by slot."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.llm import boards


@settings(max_examples=60)
@given(st.lists(st.integers(1, 8192), min_size=1, max_size=9), st.integers(256, 8192), st.integers(1, 2048))
def test_a_board_counts_what_an_allocator_hands_out(lengths, reserved, block):
    board = boards.board(lengths, reserved, block, slots=100_000)
    owner = np.concatenate([np.repeat(i, -(-n // block) * block) for i, n in enumerate(lengths)])
    filled = np.concatenate([np.arange(-(-n // block) * block) < n for n in lengths])
    assert board.block_share == pytest.approx(filled.mean()) == pytest.approx(llm.kv_utilization(lengths, block=block))
    assert [int((owner == i).sum()) for i in range(len(lengths))] == [n * block for n in board.blocks]
    if max(lengths) <= reserved:
        assert board.reserved_share == pytest.approx(llm.kv_utilization(lengths, reserved)) and board.cut == 0
    assert board.cut == sum(n > reserved for n in lengths) and max(board.kept) <= reserved
    assert board.users[0] * reserved <= 100_000 < (board.users[0] + 1) * reserved
