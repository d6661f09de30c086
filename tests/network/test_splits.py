"""A training step or a token split over many chips, and talk that hides behind arithmetic."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib import data, hardware, llm, network
from accelerator_lib.network import decode, overlap, parallel, pipeline, stragglers, training
from accelerator_lib.workload import counted, models
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
    k = min(tp, domain)  # chips of a sum in one node, and so many nodes: 1 / k of the array crosses
    one += 4 * layers / pp * 2 * 2 * a * ((k - 1) / k / inner + (tp / k - 1) / (tp / k) / k / outer)
    copies = tp * dp <= domain  # a domain holds what is next to each other: copies, stages, or all
    stages = tp * pp <= domain if not copies else tp * pp * dp <= domain
    one += 4 * v * a / (tp * (inner if stages else outer)) if pp > 1 else 0
    gradient = 2 * (dp - 1) / dp * 2 * p / (tp * pp) / (inner if tp * dp <= domain else outer)
    room = 4 * p / (tp * pp) + 12 * p / (tp * pp) / dp
    room += 34 * a / tp * layers / pp * min(pp, m) * (1 + (pp - 1) / (pp * v) if v > 1 else 1)
    return (m + (pp - 1) / v) * one + gradient, room


def test_known_splits():
    assert big(2, 16, 16, 5).seconds == pytest.approx(5.5759651, rel=1e-8)
    assert big(8, 1, 64).seconds == pytest.approx(6.57867989, rel=1e-8)
    assert big(4, 8, 16, 2).bytes_per_chip == 43_272_273_088
    near, far = big(8, 4, 16, domain=72), big(8, 4, 16)
    assert near.pass_seconds == pytest.approx(far.pass_seconds / 9) and near.tensor_seconds == far.tensor_seconds
    assert big(16, 1, 32).seconds / big(8, 1, 64).seconds == pytest.approx(1.41, abs=0.005)
    assert big(16, 1, 32, domain=16).seconds < 0.9 * big(16, 1, 32).seconds
    assert big(2, 4, 64, switch=True) == big(2, 4, 64)  # a ring of two sends less


def test_a_step_written_out():
    for tp, pp, v in product(WAYS, WAYS, (1, 5)):
        m = 1024 // (dp := 512 // (tp * pp))
        if v > 1 and (pp == 1 or m % pp or 80 % (pp * v)):
            continue
        one, (seconds, room) = big(tp, pp, dp, v), by_hand(tp, pp, dp, m, v, 1024)
        assert one.seconds == pytest.approx(seconds) and one.bytes_per_chip == pytest.approx(room)
        assert one.microbatches == m


def test_zero_deals_out_what_its_figure_says_and_waits_are_those_of_the_schedule():
    for pp, v in ((4, 1), (8, 1), (8, 2), (16, 5)):
        one = big(2, pp, 256 // pp, v)
        played = pipeline.schedule("interleaved" if v > 1 else "1f1b", pp, one.microbatches, v)
        assert one.wait_seconds / (one.seconds - one.gradient_seconds) == pytest.approx(played.idle)
        assert one.activation_bytes == pytest.approx(34 * 4096 * 8192 / 2 * 80 / pp * played.live)
    drawn = data.load("network")["zero_figure"]
    found = [parallel.zero_bytes(drawn["params"], drawn["gpus"], stage) / 1e9 for stage in range(4)]
    assert np.round(found, 1) == pytest.approx(drawn["gigabytes"])
    assert parallel.zero_parts(1e9, 8, 0) == (2e9, 2e9, 12e9)
    assert parallel.zero_parts(1e9, 8, 3, 9 / 16) == (1e9 * (0.5 + 1 / 16) / 8, 2e9 / 8, 12e9 / 8)  # nvfp4
    rings, adds = (parallel.split(LLAMA, H100, 16, 2, 16, 1024, 4096, domain=72, switch=way) for way in (False, True))
    assert adds.tensor_seconds / rings.tensor_seconds == pytest.approx(17 / 16 / (2 * 15 / 16))  # (n + 1)/n
    assert adds.gradient_seconds == rings.gradient_seconds  # 256 chips: no switch joins them
    assert parallel.zero_bytes(1e9, 1, 3) == parallel.zero_bytes(1e9, 1, 0) == 16e9
    assert big(2, 4, 64).weight_bytes == pytest.approx(parallel.zero_bytes(params(LLAMA) / 8, 64, 1))


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


EVERY = {"micros": (1, 2, 4), "interleaves": (1, 2, 4, 5, 10, 20)}


def test_every_legal_choice_was_tried_and_useful_arithmetic_is_the_same():
    found = parallel.splits(LLAMA, H100, 512, 1024, 4096, 72e9, WAYS, **EVERY)
    best = found[0]
    assert len(found) == 142 and (best.tp, best.pp, best.micro, best.interleave) == (2, 16, 1, 5)
    shares = np.array([best.seconds / one.seconds for one in found])
    assert (shares >= 0.97).sum() == 9 and (shares >= 0.98).sum() == 6
    legal = set()
    for tp, pp, micro, v in product(WAYS, WAYS, (1, 2, 4), (1, 2, 4, 5, 10, 20)):
        dp = 512 // (tp * pp)
        if 1024 % (dp * micro) or 80 % (pp * v) or (v > 1 and (pp == 1 or 1024 // dp // micro % pp)):
            continue
        if parallel.split(LLAMA, H100, tp, pp, dp, 1024, 4096, micro, v).bytes_per_chip <= 72e9:
            legal.add((tp, pp, micro, v))
    assert legal == {(one.tp, one.pp, one.micro, one.interleave) for one in found}
    for one in parallel.splits(LLAMA, H100, 512, 1024, 4096, 72e9, WAYS, **EVERY):
        flops = one.mfu * one.seconds * 512 * H100.peak("bf16")
        assert flops == pytest.approx(1024 * (6 * params(LLAMA) * 4096 + 6 * 80 * 8192 * 4096**2))
        assert 0 < one.mfu <= parallel.EFFICIENCY


@pytest.mark.parametrize("capacity", [30e9, 72e9])
def test_the_map_shows_the_best_of_each_cell(capacity):
    found = parallel.table(LLAMA, H100, 512, 1024, 4096, capacity, WAYS, WAYS, (1, 2, 5))
    tried = parallel.splits(LLAMA, H100, 512, 1024, 4096, capacity, WAYS, (1,), (1, 2, 5))
    for (tp, pp), (split, fits) in found.items():
        own = [one for one in tried if (one.tp, one.pp) == (tp, pp)]
        assert fits == bool(own)
        assert (split == own[0]) if own else (split is None or split.bytes_per_chip > capacity)


def test_maps_without_a_choice_and_where_nothing_divides():
    doubled = [2**n for n in range(7)]
    assert set(parallel.table(LLAMA, H100, 512, 1024, 4096, 72e9)) == set(product(doubled, doubled[:5]))
    found = parallel.table(LLAMA, H100, 24, 1024, 4096, 72e9, WAYS, WAYS)
    assert found[16, 1] == (None, False) and found[8, 1] == (None, False)  # 24 / 16; 1,024 on 3 copies
    assert parallel.table(LLAMA, H100, 512, 1024, 4096, 72e9, (1,), (1,), (2,))[1, 1] == (None, False)
    assert parallel.splits(LLAMA, H100, 512, 1024, 4096, 1e9) == ()


def best(**more):
    return min((one for one in decode.tokens(LLAMA, H100, **more) if one.fits), key=lambda one: one.seconds).n


def test_a_token_on_8_on_32_and_on_too_few_chips():
    assert decode.token(LLAMA, H100, 8).seconds == pytest.approx(9.727069263814262e-3)
    far = decode.token(LLAMA, H100, 32)
    assert far.seconds == pytest.approx(21.1605054492869e-3)
    assert far.read_seconds == pytest.approx(1.3e-3, abs=5e-5) and far.latency_seconds == pytest.approx(19.84e-3)
    assert [best(algorithm=way) for way in ("ring", "halving", "direct")] == [8, 64, 64]
    assert best(step_seconds=0.2e-6) == 32
    few, many = (
        [decode.token(LLAMA, H100, n, algorithm=way).seconds for way in ("ring", "halving", "direct")] for n in (8, 32)
    )
    ring, *others = np.divide(few, many)
    assert ring < 0.5 and others == pytest.approx([1.6, 3.1], abs=0.05)
    assert [one.fits for one in decode.tokens(LLAMA, H100)] == [False] + [True] * 6
    assert [one.fits for one in decode.tokens(LLAMA, H100, 256)] == [False] * 3 + [True] * 4
    assert decode.token(LLAMA, H100, 1).talk_seconds == 0


@pytest.mark.parametrize("way", network.ALGORITHMS)
@pytest.mark.parametrize("batch", [1, 64])
def test_a_token_written_out(way, batch):
    for one in decode.tokens(LLAMA, H100, batch, algorithm=way):
        step = llm.decode_step(LLAMA, H100, batch, 4096, n_chips=one.n).seconds
        talk = 160 * network.all_reduce_seconds(batch * 8192 * 2, one.n, 450e9, 2e-6, way)
        assert one.seconds == pytest.approx(step + talk) and one.talk_share == pytest.approx(talk / (step + talk))


SMALL = "llama-2-7b"


def test_what_hides_and_what_does_not():
    assert overlap.one_step(SMALL, H100, 2048, 8, 450e9).efficiency == 1
    assert overlap.one_step(SMALL, H100, 2048, 64, 50e9).efficiency == pytest.approx(0.35, abs=0.005)
    assert overlap.hiding_tokens(H100, 50e9) == pytest.approx(7915, abs=1)
    assert overlap.hiding_tokens(H100, 450e9) == pytest.approx(880, abs=1)
    ddp, fsdp = (overlap.one_step(SMALL, H100, 256, 64, 50e9, way) for way in overlap.WAYS)
    assert fsdp.gathered + fsdp.reduced == pytest.approx(1.5 * ddp.reduced)
    assert fsdp.seconds > ddp.seconds and fsdp.talk == fsdp.gathered + fsdp.reduced
    assert fsdp.backward_start == max(fsdp.forward, fsdp.gathered) > ddp.backward_start == ddp.forward
    many = overlap.one_step(SMALL, H100, np.array([256, 8192, 65536]), 64, 50e9)
    assert many.efficiency[0] < 0.1 and many.efficiency[1:] == pytest.approx(1)
    assert overlap.one_step(SMALL, H100, 1, 1, 50e9).waited == 0
    step = overlap.one_step("mixtral-8x7b", H100, 20_000, 64, 50e9)
    dense = overlap.one_step(SMALL, H100, 20_000, 64, 50e9)
    assert dense.waited == 0 < step.waited  # hides from 3.6 times as many tokens on
    assert step.reduced / step.backward == pytest.approx(46.7 / 12.9 * dense.reduced / dense.backward, rel=0.01)


@pytest.mark.parametrize("way", overlap.WAYS)
@pytest.mark.parametrize("model", ["llama-2-7b", "llama-3-70b"])
@pytest.mark.parametrize("link", [50e9, 450e9])
def test_the_number_of_tokens_that_hides_is_that_of_no_model(model, link, way):
    enough = overlap.hiding_tokens(H100, link)
    assert overlap.one_step(model, H100, round(1.01 * enough), 10**6, link, way).efficiency == pytest.approx(1)
    assert overlap.one_step(model, H100, round(0.95 * enough), 10**6, link, way).efficiency < 0.99


def test_an_event_loop_says_the_same():
    """Layer by layer: a gradient goes onto the link when its backward is done; the step ends with the last message."""
    layers, gpus, link, tokens = 2000, 64, 50e9, 6000
    step = overlap.one_step(SMALL, H100, tokens, gpus, link)
    clock, free = step.forward, 0.0
    for _ in range(layers):
        clock += step.backward / layers
        free = max(free, clock) + step.reduced / layers
    assert max(clock, free) == pytest.approx(step.seconds, rel=1e-3)
    assert step.waited > 0


WORK = counted.token("llama-3-8b", 8192)


def test_the_parts_of_a_token_by_hand():
    found = training.token_seconds(WORK, H100, product_share=0.5, attention_share=0.5, traffic_share=0.25)
    assert found.products == pytest.approx((WORK.layers + WORK.head) / (0.5 * 989.4e12))
    assert found.attention == pytest.approx(WORK.scores / (0.25 * 989.4e12))
    assert found.traffic == pytest.approx(WORK.moved / (0.25 * 3.35e12))
    assert found.seconds == pytest.approx(found.products + found.attention + found.traffic)
    assert found.most == "products"
    bare = training.token_seconds(WORK, H100)
    slow = training.token_seconds(WORK, H100, talk_seconds=1e-3, idle=0.5, late=1.1)
    assert slow.seconds == pytest.approx((bare.seconds + 1e-3) * 1.5 * 1.1) and slow.most == "talk"
    assert training.token_seconds(WORK, H100, idle=9.0).most == "idle"
    wide, narrow = (training.token_seconds(WORK, H100, dtype) for dtype in (None, "fp8"))
    assert wide.products - narrow.products == pytest.approx(WORK.layers * (1 / 989.4e12 - 1 / 1978.9e12))
    assert narrow.attention == wide.attention
    assert training.wide_peak("v100-sxm2-32gb") == hardware.chip("v100-sxm2-32gb").peak("fp16")


def test_experts_on_other_chips_cost_the_way_there_and_back():
    link = H100.link_bytes_per_s
    hand = 4 * 32 * 2 * 2 * 4096 * 7 / 8 / link  # Mixtral: two experts of a token in each of 32 layers
    assert training.expert_seconds("mixtral-8x7b", H100, 8) == pytest.approx(hand)
    assert training.expert_seconds("llama-3-8b", H100, 8) == training.expert_seconds("mixtral-8x7b", H100, 1) == 0
    far = training.expert_seconds("deepseek-v3", H100, 64)
    assert far == pytest.approx(4 * 58 * 8 * 2 * 7168 * 63 / 64 / training.way_out(H100))


def test_the_last_of_many_is_later_and_weights_that_are_dealt_out_travel_three_times():
    tokens = 4096
    whole = 2 * network.parallel.params(network.parallel.AModel("m", "llama-3-8b"))
    hand = 3 * 7 / 8 * whole / 450e9 / tokens
    assert training.dealt_out_seconds("llama-3-8b", H100, tokens, 8) == pytest.approx(hand)
    assert training.dealt_out_seconds("llama-3-8b", H100, tokens, 1) == 0
    assert training.across_bytes_per_s(H100, 8) == 450e9 and training.across_bytes_per_s(H100, 64) == 400e9
    late = [training.lateness(n) for n in (1, 8, 16384)]
    assert late[0] == 1 < late[1] < late[2] < 1.06
    assert late[2] == pytest.approx(stragglers.waited(16384, stragglers.node_spread()))


def test_cutting_matrices_costs_what_a_step_of_the_chapter_costs():
    """Another road: the all-reduces of one micro-batch of parallel.split."""
    one = network.split("llama-3-8b", H100, 8, 1, 1, 1, 4096)
    assert training.tensor_seconds("llama-3-8b", H100, 8) * 4096 / 8 == pytest.approx(one.tensor_seconds)
    both = network.split("llama-3-8b", H100, 4, 2, 2, 8, 4096, inner_bytes_per_s=400e9)
    found = training.gradient_seconds("llama-3-8b", H100, 8, 2, 4 * 4096)
    assert found * 4 * 4096 / 8 == pytest.approx(both.gradient_seconds, rel=0.001)
    assert training.tensor_seconds("llama-3-8b", H100, 1) == training.gradient_seconds("llama-3-8b", H100, 8, 1, 1) == 0
