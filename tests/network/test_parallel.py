from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.network import parallel, pipeline
from accelerator_lib.workload import models
from accelerator_lib.workload.transformer import params

H100, LLAMA = hardware.chip("h100-sxm5"), models.model("llama-3-70b")
WAYS = (1, 2, 4, 8, 16)


def big(tp, pp, dp, interleave=1, **more):
    return parallel.split(LLAMA, H100, tp, pp, dp, sequences=1024, tokens=4096, interleave=interleave, **more)


def by_hand(tp, pp, dp, m, v, sequences, inner=450e9, outer=50e9, domain=8):
    """Seconds and bytes of a step, written out for Llama 3 70B on H100 and micro-batches of one sequence."""
    p, layers, d, s, peak = 70_553_706_496, 80, 8192, 4096, 989.4e12
    a = s * d
    one = (6 * p * s + 6 * layers * d * s * s) / (tp * pp * 0.8 * peak)
    one += 4 * layers / pp * 2 * (tp - 1) / tp * 2 * a / (inner if tp <= domain else outer)
    copies = tp * dp <= domain  # a domain holds what is next to each other: copies, stages, or all
    stages = tp * pp <= domain if not copies else tp * pp * dp <= domain
    one += 4 * v * a / (tp * (inner if stages else outer)) if pp > 1 else 0
    gradient = 2 * (dp - 1) / dp * 2 * p / (tp * pp) / (inner if tp * dp <= domain else outer)
    room = 4 * p / (tp * pp) + 12 * p / (tp * pp) / dp
    room += 34 * a / tp * layers / pp * min(pp, m) * (1 + (pp - 1) / (pp * v) if v > 1 else 1)
    return (m + (pp - 1) / v) * one + gradient, room


def test_the_plans_numbers():
    assert big(2, 16, 16, 5).seconds == pytest.approx(5.5759651, rel=1e-8)
    assert big(8, 1, 64).seconds == pytest.approx(6.57867989, rel=1e-8)
    assert big(4, 8, 16, 2).bytes_per_chip == 43_272_273_088


@pytest.mark.parametrize(("tp", "pp"), list(product(WAYS, WAYS)))
def test_a_step_written_out(tp, pp):
    dp = 512 // (tp * pp)
    for v in (1, 5):
        m = 1024 // dp
        if v > 1 and (pp == 1 or m % pp or 80 % (pp * v)):
            continue
        one, (seconds, room) = big(tp, pp, dp, v), by_hand(tp, pp, dp, m, v, 1024)
        assert one.seconds == pytest.approx(seconds) and one.bytes_per_chip == pytest.approx(room)
        assert one.microbatches == m


def test_stages_of_one_rack_hand_on_over_its_links():
    near, far = big(8, 4, 16, domain=72), big(8, 4, 16)
    assert near.pass_seconds == pytest.approx(far.pass_seconds / 9) and near.tensor_seconds == far.tensor_seconds


def test_leaving_the_node_costs_five_times():
    assert big(16, 1, 32).seconds == pytest.approx(30.66, abs=0.01)
    assert 4.5 < big(16, 1, 32).seconds / big(8, 1, 64).seconds < 5
    assert big(16, 1, 32, domain=16).seconds < 0.3 * big(16, 1, 32).seconds


def test_waiting_is_the_bubble_of_the_schedule():
    for pp, v in ((4, 1), (8, 1), (8, 2), (16, 5)):
        one = big(2, pp, 256 // pp, v)
        played = pipeline.schedule("interleaved" if v > 1 else "1f1b", pp, one.microbatches, v)
        assert one.wait_seconds / (one.seconds - one.gradient_seconds) == pytest.approx(played.idle)


def test_activations_are_those_that_the_schedule_keeps():
    for pp, v in ((4, 1), (8, 1), (8, 2), (16, 5)):
        one = big(2, pp, 256 // pp, v)
        played = pipeline.schedule("interleaved" if v > 1 else "1f1b", pp, one.microbatches, v)
        assert one.activation_bytes == pytest.approx(34 * 4096 * 8192 / 2 * 80 / pp * played.live)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(WAYS), st.sampled_from(WAYS), st.sampled_from((64, 256, 1024, 4096)), st.sampled_from((1, 8, 72))
)
def test_more_bandwidth_never_hurts(tp, pp, sequences, domain):
    dp = 512 // (tp * pp)
    if sequences % dp:
        return
    given = LLAMA, H100, tp, pp, dp, sequences, 4096
    slow, fast = (parallel.split(*given, outer_bytes_per_s=rate, domain=domain) for rate in (50e9, 400e9))
    assert fast.seconds <= slow.seconds and fast.bytes_per_chip == slow.bytes_per_chip


def test_zero_deals_out_what_its_figure_says():
    drawn = data.load("network")["zero_figure"]
    found = [parallel.zero_bytes(drawn["params"], drawn["gpus"], stage) / 1e9 for stage in range(4)]
    assert np.round(found, 1) == pytest.approx(drawn["gigabytes"])
    assert parallel.zero_bytes(1e9, 1, 3) == parallel.zero_bytes(1e9, 1, 0) == 16e9
    assert big(2, 4, 64).weight_bytes == pytest.approx(parallel.zero_bytes(params(LLAMA) / 8, 64, 1))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"pp": 32, "interleave": 4, "tp": 1, "dp": 16}, "has only 80 layers"),
        ({"pp": 3, "tp": 1, "dp": 1}, "do not divide"),
        ({"dp": 512, "micro": 4, "tp": 1, "pp": 1}, "whole number of micro-batches"),
        ({"pp": 1, "interleave": 2, "tp": 1, "dp": 512}, "2 stages or more"),
        ({"pp": 4, "interleave": 2, "tp": 1, "dp": 128, "sequences": 128 * 6}, "divide the 6"),
    ],
)
def test_what_cannot_be_split(wrong, told):
    with pytest.raises(NotAvailable, match=told):
        parallel.split(**{"model": LLAMA, "chip": H100, "sequences": 1024, "tokens": 4096, **wrong})


def test_a_stage_of_zero_that_there_is_not():
    with pytest.raises(ValueError, match="stage"):
        parallel.zero_bytes(1e9, 8, 4)


@pytest.mark.parametrize(("rate", "chips"), [(450e9, 23), (50e9, 3.5)])
def test_where_talking_takes_as_long_as_computing(rate, chips):
    """For any batch: here with one layer's products and all-reduces of 4,096 tokens, a little to both sides."""
    assert parallel.even_chips(LLAMA, H100, rate) == pytest.approx(chips, rel=0.02)
    weights = 2 * 8192**2 + 2 * 8192 * 1024 + 3 * 8192 * 28672 + 2 * 8192
    for n, more in ((0.9 * chips, True), (1.1 * chips, False)):
        computing = 6 * weights * 4096 / (n * 0.8 * H100.peak("bf16"))
        talking = 4 * 2 * (n - 1) / n * 2 * 4096 * 8192 / rate
        assert (computing > talking) == more
