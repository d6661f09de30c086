"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import llm


@pytest.mark.parametrize("start, step, link", [(0, 2.0, 300), (15, 2.0, 232), (40, 5.0, 100)])
def test_a_ring_with_a_start(start, step, link):
    sizes = law("network", "measured-sizes-function", "sizes")
    for row in sizes(start, step, link):
        by_hand = start * 1e-6 + 14 * step * 1e-6 + 1.75 * row.bytes_moved / (link * 1e9)
        assert row.model == pytest.approx(by_hand)


@pytest.mark.parametrize("back", [False, True])
def test_copies_that_leave_the_node(back):
    for row in law("network", "exchange-function", "exchange")(38, 47, back):
        size, here = 128 * 8 * 7168 * (1 + back), 1 if row.n > 64 else 8  # measured with all over the link
        across, inside = size * (1 - here / row.n) / 47e9, size * 7 / row.n / 160e9
        assert row.model == pytest.approx(38e-6 + max(across, inside))


@pytest.mark.parametrize("chips", [2, 8, 32, 64])
def test_one_token_on_a_ring(chips):
    *_, end = law("network", "token-function", "token")(chips)
    reading = llm.decode_step("llama-3-70b", "h100-sxm5", 1, 4096, n_chips=chips).seconds
    adding = 160 * (2 * (chips - 1) / chips * 16_384 / 450e9 + 2 * (chips - 1) * 2e-6)
    assert end.token.read_seconds == reading and end.token.talk_seconds == pytest.approx(adding)
    assert 160 * (end.wire_seconds + end.latency_seconds) == pytest.approx(adding) and end.step == 2 * (chips - 1)


@pytest.mark.parametrize("size, link, latency", [(100e3, 450, 2.0), (1e10, 900, 0.1), (100, 10, 20.0)])
def test_a_message_over_a_link(size, link, latency):
    here = law("network", "message-function", "message")(size, link, latency)
    assert here["takes"] == pytest.approx(latency * 1e-6 + size / (link * 1e9))
    assert here["this message"] == pytest.approx(size / here["takes"]) and here["the link"] == link * 1e9


@pytest.mark.parametrize("ranks", [2, 8, 64])
@pytest.mark.parametrize("size", [1e3, 1e9])
def test_four_ways_to_the_sum(size, ranks):
    here = law("network", "algorithm-function", "algorithm")(size, ranks, 450, 2.0)
    whole, doublings = size / 450e9, int(np.log2(ranks))
    by_hand = {
        "ring": 2 * (ranks - 1) * (whole / ranks + 2e-6),
        "halving": 2 * sum(whole / 2**k + 2e-6 for k in range(1, doublings + 1)),
        "direct": (ranks - 1) * whole + 2e-6,
        "in the switch": whole + whole / ranks + 4e-6,
    }
    assert here == pytest.approx(by_hand)
