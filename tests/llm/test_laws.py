"""Laws that stand in a cell and in a tested model: both say the same."""

import numpy as np
import pytest
from laws import law

from accelerator_lib import hardware, llm
from accelerator_lib.llm import goodput, published, tiers
from accelerator_lib.memory.hostlink import LINKS

A100, H100 = hardware.chip("a100-80gb-sxm"), hardware.chip("h100-sxm5")
READ_7B, READ_8B, READ_70B = 6_607_343_616, 7_504_924_672, 69_503_033_344  # weights without the table of inputs


def test_every_kind_of_published_runs_can_be_chosen():
    against = law("llm", "measured-function", "against")
    runs = [published.one_user(), published.longer_answer(), published.first_token(), published.offline()]
    names = list(against.__globals__["RUNS"])
    assert [against(name) for name in names] == [*runs, published.offline("fp16")]


@pytest.mark.parametrize("batch", [1, 30, 109])
@pytest.mark.parametrize("lost", [0.0, 0.033])
def test_what_a_step_uses(batch, lost):
    here = law("llm", "mbu-function", "used")(batch, lost)
    moved = 2 * READ_7B + batch * 1024 * 524_288
    flops = batch * (2 * READ_7B + 4 * 32 * 4096 * 1024)
    seconds = max(moved / A100.bytes_per_s, flops / A100.peak("bf16")) + lost
    assert here["MBU"] == pytest.approx(moved / A100.bytes_per_s / seconds)
    assert here["MFU"] == pytest.approx(flops / A100.peak("bf16") / seconds)


@pytest.mark.parametrize("batch", [1, 438, 512])
@pytest.mark.parametrize("weights, arithmetic", [("bf16", "bf16"), ("int4", "bf16"), ("fp8", "fp8"), ("bf16", "fp8")])
def test_bytes_and_arithmetic(batch, weights, arithmetic):
    here = law("llm", "bits-function", "bits")(batch, 128, weights, arithmetic)
    read = READ_8B * hardware.format_bytes(weights) + batch * 128 * 131_072
    flops = batch * (2 * READ_8B + 4 * 32 * 4096 * 128)
    times = read / H100.bytes_per_s, flops / H100.peak(arithmetic)
    assert (here["bytes"], here["arithmetic, all users"]) == (pytest.approx(times[0]), pytest.approx(times[1]))
    plain = max((2 * READ_8B + batch * 128 * 131_072) / H100.bytes_per_s, flops / H100.peak("bf16"))
    assert here["faster"] == pytest.approx(plain / max(times)) and here["faster"] > 0.999


@pytest.mark.parametrize("link", list(LINKS))
@pytest.mark.parametrize("tokens", [16, 4096, np.array([16.0, 131_072.0])])
def test_swap_or_recompute(link, tokens):
    here = law("llm", "tiers-function", "aside")(tokens, 16, link, 0.5)
    one = tiers.put_aside(tokens=tokens, block=16, link_bytes_per_s=LINKS[link], mfu=0.5)
    assert here["swap, one piece"] == pytest.approx(2 * tokens * 131_072 / LINKS[link])
    assert here["swap, page by page"] == pytest.approx(one.pieces_seconds)
    assert here["recompute"] == pytest.approx(llm.prefill("llama-3-8b", "h100-sxm5", tokens, mfu=0.5)[1])


@pytest.mark.parametrize("batch", [1, 8, 32])
@pytest.mark.parametrize("context", [128, 1024])
def test_one_step_for_so_many_users(batch, context):
    here = law("llm", "users-function", "one_step")(batch, context)
    assert here.step.seconds == pytest.approx((2 * READ_7B + batch * context * 524_288) / A100.bytes_per_s)
    assert here.longer == pytest.approx(
        here.step.seconds / law("llm", "users-function", "one_step")(1, context).step.seconds
    )


@pytest.mark.parametrize("batch", [1, 109, 110, 512])
@pytest.mark.parametrize("bits", [16, 8, 4])
def test_users_in_a_batch(batch, bits):
    before = ("users-function", "dots-function", "fits-function")
    here = law("llm", "batch-function", "crowd", *before)(batch, 1024, kv_bits=bits)
    cache = batch * 1024 * 524_288 * bits / 16
    assert here["seconds"] == pytest.approx((2 * READ_7B + cache) / A100.bytes_per_s)
    assert here["tokens_per_s"] == pytest.approx(batch / here["seconds"]) and here["tokens_per_s"] < here["most"]
    assert here["fits"] == float(2 * 6_738_415_616 + cache <= 0.9 * 80e9) and here["memory_bound"] == 1


@pytest.mark.parametrize(
    "shared, elements",
    [("32 KV heads (MHA)", 8192), ("8 KV heads (GQA)", 2048), ("1 KV head (MQA)", 256), ("a short vector (MLA)", 576)],
)
def test_what_shared_heads_leave_in_the_cache(shared, elements):
    here = law("llm", "heads-function", "heads", "users-function", "fits-function")(shared, 4096, 16)
    assert here.kv_bytes == 16 * 4096 * 32 * elements * 2 and here.capacity_bytes == 80e9


@pytest.mark.parametrize("weight_bits, kv_bits, most", [(16, 16, 27), (4, 16, 31), (16, 8, 54)])
def test_what_fits(weight_bits, kv_bits, most):
    here = law("llm", "fits-function", "fits", "users-function")(32, 4096, weight_bits, kv_bits)
    assert here.most == most and here.kv_bytes == 32 * 4096 * 524_288 * kv_bits / 16


def test_requests_in_pieces_and_in_blocks():
    here = law("llm", "paging-function", "paging", "users-function")()
    assert here.slots == int((0.9 * 80e9 - 2 * 6_738_415_616) // 524_288)
    assert (here.reserved_share, here.block_share) == (
        llm.kv_utilization(here.lengths),
        llm.kv_utilization(here.lengths, block=16),
    )


def test_no_token_picks_more_experts_than_there_are():
    routed = law("llm", "experts-function", "routed")
    assert routed(4, 16, 3).mean_read == 4 and routed(8, 2, 8).mean_read == pytest.approx(7.1990966796875)


@pytest.mark.parametrize("batch", [1, 64, 512])
@pytest.mark.parametrize("acceptance, drafted", [(0.3, 1), (0.8, 4), (0.95, 12)])
def test_what_speculation_pays(batch, acceptance, drafted):
    here = law("llm", "pays-function", "pays")(batch, acceptance, drafted)
    context = batch * 1024
    large = (2 * READ_70B + context * 327_680) / (8 * H100.bytes_per_s)
    small = (2 * READ_8B + context * 131_072) / (8 * H100.bytes_per_s)
    work = batch * (2 * READ_70B + 4 * 80 * 8192 * 1024) / (8 * H100.peak("bf16"))
    draft = batch * (2 * READ_8B + 4 * 32 * 4096 * 1024) / (8 * H100.peak("bf16"))
    tokens = sum(acceptance**n for n in range(drafted + 1))
    seconds = drafted * max(small, draft) + max(large, (drafted + 1) * work)
    assert here["tokens"] == pytest.approx(tokens)
    assert here["speed"] == pytest.approx(tokens * max(large, work) / seconds)


def test_a_pause_is_a_step_of_the_whole_prompt_or_of_a_chunk():
    pause = law("llm", "pause-function", "pause")
    head = 128_256 * 4096
    for chunk, tokens in (("whole", 8192 + 31), ("2,048 tokens", 2048), ("512 tokens", 512)):
        flops = 2 * (READ_8B - head) * tokens + 2 * head * 32  # 31 who stream, and the end of the prompt
        assert pause(8192, chunk, 31).longest == pytest.approx(flops / (0.5 * H100.peak("bf16")))


def test_the_panels_of_the_promise_show_the_load_of_the_key():
    promise, decide = (
        law("llm", "goodput-function", "promise"),
        law("llm", "decide-function", "decide", "goodput-function"),
    )
    for rate, kept in ((29, True), (30, False)):
        assert promise(rate, 32, "256 tokens").passes == decide(rate, 32, "256 tokens").passes == kept
    assert goodput.highest_rate(32, 256) == 29 and not decide(29, 32, "256 tokens", 128).passes
