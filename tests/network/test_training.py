from dataclasses import replace

import pytest

from accelerator_lib import hardware, network
from accelerator_lib.network import stragglers, training
from accelerator_lib.workload import counted

H100 = hardware.chip("h100-sxm5")
WORK = counted.token("llama-3-8b", 8192)


def test_the_parts_by_hand():
    found = training.token_seconds(WORK, H100, product_share=0.5, attention_share=0.5, traffic_share=0.25)
    assert found.products == pytest.approx((WORK.layers + WORK.head) / (0.5 * 989.4e12))
    assert found.attention == pytest.approx(WORK.scores / (0.25 * 989.4e12))
    assert found.traffic == pytest.approx(WORK.moved / (0.25 * 3.35e12))
    assert found.seconds == pytest.approx(found.products + found.attention + found.traffic)
    assert found.most == "products"


def test_waiting_multiplies_and_talk_adds():
    bare = training.token_seconds(WORK, H100)
    slow = training.token_seconds(WORK, H100, talk_seconds=1e-3, idle=0.5, late=1.1)
    assert slow.seconds == pytest.approx((bare.seconds + 1e-3) * 1.5 * 1.1) and slow.most == "talk"
    assert training.token_seconds(WORK, H100, idle=9.0).most == "idle"


def test_experts_on_other_chips_cost_the_way_there_and_back():
    link = H100.link_bytes_per_s
    hand = 4 * 32 * 2 * 2 * 4096 * 7 / 8 / link  # Mixtral: two experts of a token in each of 32 layers
    assert training.expert_seconds("mixtral-8x7b", H100, 8) == pytest.approx(hand)
    assert training.expert_seconds("llama-3-8b", H100, 8) == training.expert_seconds("mixtral-8x7b", H100, 1) == 0
    far = training.expert_seconds("deepseek-v3", H100, 64)
    assert far == pytest.approx(4 * 58 * 8 * 2 * 7168 * 63 / 64 / training.way_out(H100))


def test_eight_bits_help_the_layers_alone():
    wide, narrow = (training.token_seconds(WORK, H100, dtype) for dtype in (None, "fp8"))
    assert wide.products - narrow.products == pytest.approx(WORK.layers * (1 / 989.4e12 - 1 / 1978.9e12))
    assert narrow.attention == wide.attention
    assert training.wide_peak("v100-sxm2-32gb") == hardware.chip("v100-sxm2-32gb").peak("fp16")


def test_weights_that_are_dealt_out_travel_three_times():
    tokens = 4096
    whole = 2 * network.parallel.params(network.parallel.AModel("m", "llama-3-8b"))
    assert training.dealt_out_seconds("llama-3-8b", H100, tokens, 8) == pytest.approx(
        3 * 7 / 8 * whole / 450e9 / tokens
    )
    assert training.dealt_out_seconds("llama-3-8b", H100, tokens, 1) == 0
    assert training.across_bytes_per_s(H100, 8) == 450e9 and training.across_bytes_per_s(H100, 64) == 400e9


def test_cutting_matrices_costs_what_a_step_of_the_chapter_costs():
    """Another road: the all-reduces of one micro-batch of parallel.split."""
    one = network.split("llama-3-8b", H100, 8, 1, 1, 1, 4096)
    assert training.tensor_seconds("llama-3-8b", H100, 8) * 4096 / 8 == pytest.approx(one.tensor_seconds)
    both = network.split("llama-3-8b", H100, 4, 2, 2, 8, 4096, inner_bytes_per_s=400e9)
    found = training.gradient_seconds("llama-3-8b", H100, 8, 2, 4 * 4096)
    assert found * 4 * 4096 / 8 == pytest.approx(both.gradient_seconds, rel=0.001)
    assert training.tensor_seconds("llama-3-8b", H100, 1) == training.gradient_seconds("llama-3-8b", H100, 8, 1, 1) == 0


def test_the_last_of_many_is_later():
    late = [training.lateness(n) for n in (1, 8, 16384)]
    assert late[0] == 1 < late[1] < late[2] < 1.06
    assert late[2] == pytest.approx(stragglers.waited(16384, stragglers.node_spread()))


def test_bad_input():
    with pytest.raises(TypeError, match="Token"):
        training.token_seconds("llama-3-8b", H100)
    with pytest.raises(ValueError, match="product_share"):
        training.token_seconds(WORK, H100, product_share=0)
    with pytest.raises(ValueError, match="late"):
        training.token_seconds(replace(WORK, head=0.0), H100, late=0.5)
