"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import llm, network
from accelerator_lib.network import decode


@pytest.mark.parametrize("start, step, link", [(0, 2.0, 300), (15, 2.0, 232), (40, 5.0, 100)])
def test_a_ring_with_a_start(start, step, link):
    sizes = law("network", "measured-sizes-function", "sizes")
    for row in sizes(start, step, link):
        by_hand = start * 1e-6 + 14 * step * 1e-6 + 1.75 * row.bytes_moved / (link * 1e9)
        assert row.model == pytest.approx(by_hand)


def test_a_line_in_the_ranks():
    for row in law("network", "measured-ranks-function", "ranks")(5.6, 1.98):
        assert row.model == pytest.approx((5.6 + 2 * (row.n - 1) * 1.98) * 1e-6)


@pytest.mark.parametrize("algorithm", ["ring", "halving", "direct"])
def test_messages_and_tokens_by_one_algorithm(algorithm):
    rows = law("network", "measured-kernels-function", "kernels")(algorithm, 1.0)
    for row in rows[:3]:
        assert row.model == pytest.approx(network.all_reduce_seconds(row.bytes_moved, 8, 450e9, 1e-6, algorithm))
    faster = law("network", "measured-kernels-function", "kernels")(algorithm, 0.5)
    assert all(quick.model < row.model for quick, row in zip(faster, rows, strict=True))


def test_the_run_on_twice_the_chips():
    for interleave in (1, 2, 4, 8):
        shares = law("network", "measured-run-function", "scaled")(interleave)
        assert shares["model, 16,384 GPUs"] / shares["model, 8,192 GPUs"] == network.kept(interleave)
        assert (shares["published, 8,192"], shares["published, 16,384"]) == (0.43, 0.41)


def test_bytes_over_a_rate():
    read = law("network", "host-read-function", "host_read")
    assert read(140, "one way").seconds == (pytest.approx(140 / 63), pytest.approx(140 / 450))
    assert read(1, "measured").ratio == pytest.approx(201 / 51)


@pytest.mark.parametrize("busy", [0.0, 0.5, 1.0])
def test_what_links_take_of_the_memory(busy):
    for passes in (2, 5):
        here = law("network", "toll-function", "taken")("h100-sxm5", busy, passes)
        assert here.share == pytest.approx(passes * busy * 450e9 / 3.35e12)


@pytest.mark.parametrize("chips", [2, 8, 32, 64])
def test_one_token_on_a_ring(chips):
    here = law("network", "token-function", "token")(chips)
    reading = llm.decode_step("llama-3-70b", "h100-sxm5", 1, 4096, n_chips=chips).seconds
    adding = 160 * (2 * (chips - 1) / chips * 16_384 / 450e9 + 2 * (chips - 1) * 2e-6)
    assert here["reading the weights"] == reading and here["adding up"] == pytest.approx(adding)
    assert here["one token"] == pytest.approx(decode.token("llama-3-70b", "h100-sxm5", chips).seconds)


@pytest.mark.parametrize("cap", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("compute", [0.0, 0.6, 1.0])
def test_what_a_cap_on_one_costs_all(cap, compute):
    here = law("network", "capped-function", "capped")(cap, compute)
    assert here["clock of the capped one"] == pytest.approx(cap ** (1 / 3))
    assert here["a step of all"] == pytest.approx(compute * cap ** (-1 / 3) + 1 - compute)


@pytest.mark.parametrize("minutes", [0.25, 20.0, 512.0])
@pytest.mark.parametrize("gpus", [1024, 16_384, 100_000])
def test_how_often_to_save(minutes, gpus):
    here = law("network", "checkpoints-function", "checkpoints")(minutes, gpus, 60, 300)
    mtbf = 54 * 86_400 / 419 * 16_384 / gpus
    whole = mtbf * np.exp(300 / mtbf) * np.expm1((60 * minutes + 60) / mtbf)
    assert here["useful"] == pytest.approx(60 * minutes / whole) and here["hours"] == pytest.approx(mtbf / 3600)
    assert here["young"] == pytest.approx(np.sqrt(2 * 60 * mtbf) / 60)


@pytest.mark.parametrize("kind", ["GPipe", "1F1B", "interleaved, 2 chunks", "interleaved, 4 chunks"])
def test_the_names_of_the_orders(kind):
    states = list(law("network", "pipeline-function", "pipe")(kind, 4, 8))
    chunks = int(kind[13]) if kind[0] == "i" else 1
    assert states[-1].clock == 3 * (8 + 3 / chunks)
    assert states[0].schedule.live == {"GPipe": 8, "1F1B": 4}.get(kind, 4 * (1 + 3 / (4 * chunks)))


@pytest.mark.parametrize("size, link, latency", [(100e3, 450, 2.0), (1e10, 900, 0.1), (100, 10, 20.0)])
def test_a_message_over_a_link(size, link, latency):
    here = law("network", "message-function", "message")(size, link, latency)
    assert here["takes"] == pytest.approx(latency * 1e-6 + size / (link * 1e9))
    assert here["this message"] == pytest.approx(size / here["takes"]) and here["on the sheet"] == link * 1e9


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


def test_bytes_of_a_program_by_hand():
    sharded = law("network", "jax-function", "sharded", "jax-code")
    assert sharded()["said"] == 64 * 1024 * 4 and sharded("the batch")["said"] == 0
    assert sharded("the batch, and the weights too")["said"] == 2 * 1024 * 4096 * 4


def test_how_long_a_backward_pass_takes():
    """Twice the forward's 2 FLOP for each weight and token, at 40 % of the peak."""
    ddp = law("network", "ddp-function", "ddp", "token-function")
    weights = llm.param_count("llama-2-7b")
    for tokens in (256, 2048, 16384):
        state = next(iter(ddp("DDP", 8, 8, tokens)))
        assert state.backward_seconds == pytest.approx(2 * 2 * weights * tokens / (0.4 * 989.4e12))
        assert state.bytes_moved == 2 * weights
