"""A cache that makes room: copied there and back, in pieces, or computed again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import llm
from accelerator_lib.llm import tiers
from accelerator_lib.memory import hostlink


def test_by_hand():
    one = tiers.put_aside()
    assert one.cache_bytes == 4096 * 131_072 and one.pieces == 4096 // 16 * 32 * 2 == 16_384
    assert one.swap_seconds == pytest.approx(2 * 536_870_912 / 63e9) == pytest.approx(17e-3, rel=0.01)
    assert one.again_seconds == pytest.approx(124e-3, rel=0.01)
    assert one.starts_seconds == pytest.approx(16_384 * 10e-6) == pytest.approx(164e-3, rel=0.01)
    assert one.pieces_seconds == pytest.approx(2 * one.starts_seconds + one.swap_seconds)


def test_one_piece_is_what_the_link_of_chapter_2_takes_there_and_back():
    here, _ = tiers.put_aside(start_seconds=0.0), None
    trip = hostlink.place_job(here.cache_bytes, round_trips=1, link_bytes_per_s=hostlink.PCIE_5)
    assert trip.moving_seconds == pytest.approx(here.swap_seconds + 2 * hostlink.START_SECONDS)


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


def test_what_cannot_be_is_refused():
    for bad in ({"tokens": 0}, {"block": 0}, {"tokens": 1.5}, {"mfu": 0}, {"link_bytes_per_s": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            tiers.put_aside(**bad)
