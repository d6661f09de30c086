"""Memory: what fits, what is set aside and used, what is put aside and comes back, which experts are read."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import hardware, llm
from accelerator_lib.llm import experts, room, tiers
from accelerator_lib.memory import hostlink, transfer_seconds

A100 = hardware.chip("a100-80gb-sxm")
MODELS = st.sampled_from(["llama-2-7b", "llama-3-8b", "mixtral-8x7b", "deepseek-v3"])


@settings(max_examples=80)
@given(MODELS, st.integers(1, 131_072), st.sampled_from(["bf16", "int8", "int4"]), st.integers(1, 16))
def test_the_largest_batch_fits_and_one_more_does_not(model, context, dtype, chips):
    most = llm.max_batch(model, A100, context, dtype, n_chips=chips)
    if most:
        assert room.held(model, A100, most, context, dtype, dtype, chips).fits
    assert not room.held(model, A100, most + 1, context, dtype, dtype, chips).fits


def test_shares_by_hand_and_bits_of_the_cache_count_more_than_those_of_the_weights():
    formats = ("bf16", "bf16"), ("int4", "bf16"), ("bf16", "int8")
    most = [llm.max_batch("llama-2-7b", A100, 4096, weight_dtype=w, kv_dtype=kv) for w, kv in formats]
    assert most == [27, 31, 54]
    held = room.held("llama-2-7b", A100, 32, 2048)
    assert held.kv_bytes == 32 * 2048 * 524_288 and held.needed_bytes == held.kv_bytes + 2 * 6_738_415_616
    assert (held.kv_share, held.kv_of_capacity) == pytest.approx((0.718, 0.429), abs=0.001)
    assert room.held("llama-2-7b", A100, 1, 256).kv_share == pytest.approx(0.01, abs=0.0005)
    assert llm.max_batch("llama-3-70b", A100, 128) == 0


def test_fewer_heads_shrink_the_cache_and_a_little_of_the_weights():
    full, shared = llm.model("llama-2-7b"), room.with_kv("llama-2-7b", 8)
    assert llm.kv_bytes_per_token(full) == 4 * llm.kv_bytes_per_token(shared)
    assert llm.param_count(full) - llm.param_count(shared) == 32 * 2 * 4096 * 24 * 128
    assert room.with_kv(full, 32) is full and room.with_kv(full) is full
    latent = room.with_kv(full, latent=576)
    assert llm.kv_bytes_per_token(latent) == 32 * 576 * 2
    assert room.held(latent, A100, 1, 1).weights_bytes == 2 * full.params


def test_what_is_set_aside_by_hand():
    lengths = [37, 512, 1200, 90]
    assert llm.kv_utilization(lengths) == sum(lengths) / (4 * 2048)
    assert llm.kv_utilization(lengths, block=16) == sum(lengths) / ((3 + 32 + 75 + 6) * 16)
    assert llm.kv_utilization(lengths, block=1) == 1 and llm.kv_utilization(7, max_len=14) == 0.5


@settings(max_examples=60)
@given(st.lists(st.integers(1, 8192), min_size=1, max_size=9), st.integers(256, 8192), st.integers(1, 2048))
def test_a_board_counts_what_an_allocator_hands_out(lengths, reserved, block):
    board = room.board(lengths, reserved, block, slots=100_000)
    owner = np.concatenate([np.repeat(i, -(-n // block) * block) for i, n in enumerate(lengths)])
    filled = np.concatenate([np.arange(-(-n // block) * block) < n for n in lengths])
    assert board.block_share == pytest.approx(filled.mean()) == pytest.approx(llm.kv_utilization(lengths, block=block))
    assert [int((owner == i).sum()) for i in range(len(lengths))] == [n * block for n in board.blocks]
    if max(lengths) <= reserved:
        assert board.reserved_share == pytest.approx(llm.kv_utilization(lengths, reserved)) and board.cut == 0
    assert board.cut == sum(n > reserved for n in lengths) and max(board.kept) <= reserved
    assert board.users[0] * reserved <= 100_000 < (board.users[0] + 1) * reserved


def test_a_cache_put_aside_by_hand_and_over_the_link_of_chapter_2():
    one = tiers.put_aside()
    assert one.cache_bytes == 4096 * 131_072 and one.pieces == 4096 // 16 * 32 * 2 == 16_384
    assert one.swap_seconds == pytest.approx(2 * 536_870_912 / 63e9) == pytest.approx(17e-3, rel=0.01)
    assert one.again_seconds == pytest.approx(124e-3, rel=0.01)
    assert one.starts_seconds == pytest.approx(16_384 * 10e-6) == pytest.approx(164e-3, rel=0.01)
    assert one.pieces_seconds == pytest.approx(2 * one.starts_seconds + one.swap_seconds)
    here, _ = tiers.put_aside(start_seconds=0.0), None
    trip = transfer_seconds(here.cache_bytes, hostlink.PCIE_5, hostlink.START_SECONDS)
    assert 2 * trip == pytest.approx(here.swap_seconds + 2 * hostlink.START_SECONDS)


@given(st.integers(1, 10**6), st.integers(1, 4096))
def test_pieces_cost_more_than_one_and_hold_all_of_the_cache(tokens, block):
    one = tiers.put_aside(tokens=tokens, block=block)
    assert one.pieces_seconds > one.swap_seconds and one.pieces * block >= tokens * 2 * 32
    assert (one.pieces - 2 * 32) * block < tokens * 2 * 32
    assert one.again_seconds == llm.prefill("llama-3-8b", "h100-sxm5", tokens, mfu=0.5)[1]


def test_a_curve_is_its_points():
    tokens = np.array([16, 128, 4096, 131_072])
    curve = tiers.put_aside(tokens=tokens, block=64)
    for place, count in enumerate(tokens):
        one = tiers.put_aside(tokens=int(count), block=64)
        for name in ("swap_seconds", "pieces_seconds", "again_seconds"):
            assert getattr(curve, name)[place] == pytest.approx(getattr(one, name))


@pytest.mark.parametrize("count, active, batch", [(8, 2, 1), (8, 2, 8), (64, 6, 16), (1, 1, 5), (16, 16, 3)])
def test_the_mean_over_many_draws_is_the_formula(count, active, batch):
    drawn = [experts.route(count, active, batch, seed) for seed in range(400)]
    read = [one.read for one in drawn]
    assert np.mean(read) == pytest.approx(llm.experts_read(count, active, batch), abs=4 * np.std(read) / 20 + 1e-9)
    assert all(one.tokens.sum() == batch * active and one.tokens.max() <= batch for one in drawn)
    assert drawn[0].tokens_each == pytest.approx(batch * active / drawn[0].mean_read)


@pytest.mark.parametrize("count, active, batch", [(256, 8, 512), (256, 8, 64), (64, 6, 256)])
def test_the_busiest_is_the_largest_of_as_many_binomials(count, active, batch):
    """An expert's tokens are binomial; that they sum to all picks makes them nearly, not quite, independent."""
    p = active / count
    at_most = np.cumsum([comb(batch, n) * p**n * (1 - p) ** (batch - n) for n in range(batch + 1)])
    mean, spread = experts.busiest(count, active, batch)
    assert mean == pytest.approx((1 - at_most**count).sum(), rel=0.03) and 0 < spread < 0.2 * mean
    above = [(experts.route(count, active, batch, seed).tokens > batch * p).mean() for seed in range(50)]
    assert np.mean(above) == pytest.approx(1 - at_most[int(batch * p)], abs=0.02)
