"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib import network


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


@pytest.mark.parametrize("busy", [0, 50, 100])
def test_what_links_take_of_the_memory(busy):
    for passes in (2, 5):
        here = law("network", "toll-function", "taken")("h100-sxm5", busy, passes)
        assert here.share == pytest.approx(passes * busy / 100 * 450e9 / 3.35e12)
