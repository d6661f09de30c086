"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib import hardware

A100, H100 = hardware.chip("a100-80gb-sxm"), hardware.chip("h100-sxm5")
READ_7B, READ_8B = 6_607_343_616, 7_504_924_672  # weights without the table of inputs


def test_experts_and_the_head_that_reads():
    routed = law("llm", "experts-function", "routed")
    assert routed(4, 16, 3).mean_read == 4 and routed(8, 2, 8).mean_read == pytest.approx(7.1990966796875)
    *moments, end = law("llm", "users-function", "one_step")(8)
    assert not moments[0].served.any() and end.served.all()
    for one in moments[1:]:
        assert one.served.sum() == (8 if one.at_weights else 1)
    readers = [one.reader for one in moments if not one.at_weights]
    assert readers == sorted(readers) and readers[0] < 3 and readers[-1] < 8


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


@pytest.mark.parametrize("batch", [1, 109, 110, 512])
@pytest.mark.parametrize("bits", [16, 8, 4])
def test_users_in_a_batch(batch, bits):
    before = ("users-function", "dots-function", "fits-function")
    here = law("llm", "batch-function", "crowd", *before)(batch, 1024, kv_bits=bits)
    cache = batch * 1024 * 524_288 * bits / 16
    assert here["seconds"] == pytest.approx((2 * READ_7B + cache) / A100.bytes_per_s)
    assert here["tokens_per_s"] == pytest.approx(batch / here["seconds"]) and here["tokens_per_s"] < here["most"]
    assert here["fits"] == float(2 * 6_738_415_616 + cache <= 0.9 * 80e9) and here["memory_bound"] == 1


@pytest.mark.parametrize("weight_bits, kv_bits, most", [(16, 16, 27), (4, 16, 31), (16, 8, 54)])
def test_what_fits(weight_bits, kv_bits, most):
    here = law("llm", "fits-function", "fits", "users-function")(32, 4096, weight_bits, kv_bits)
    assert here.most == most and here.kv_bytes == 32 * 4096 * 524_288 * kv_bits / 16


@pytest.mark.parametrize("users", [1, 8, 16])
@pytest.mark.parametrize("context", [128, 1024])
def test_one_step_for_so_many_users(users, context):
    *_, end = law("llm", "users-function", "one_step")(users, context)
    assert end.done and end.seconds == pytest.approx((2 * READ_7B + users * context * 524_288) / A100.bytes_per_s)
    assert end.reading.longer == pytest.approx(end.seconds / ((2 * READ_7B + context * 524_288) / A100.bytes_per_s))


@pytest.mark.parametrize(
    "heads, numbers", [("32 KV heads (MHA)", 8192), ("8 KV heads (GQA)", 2048), ("a short vector (MLA)", 576)]
)
def test_what_shared_heads_leave_in_the_cache(heads, numbers):
    here = law("llm", "fits-function", "fits", "users-function")(16, 4096, heads=heads)
    assert here.kv_bytes == 16 * 4096 * 32 * numbers * 2 and here.capacity_bytes == 80e9
