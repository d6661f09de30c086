"""Attention: what a row runs, and how long that takes, by hand and by law."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import stated

from accelerator_lib import data, hardware
from accelerator_lib.tiling import attention_flops
from accelerator_lib.validation import NotAvailable, predict
from accelerator_lib.validation.attention import FREE, estimate, heads, instructions, pass_of
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.gemm import CACHED
from accelerator_lib.validation.record import read

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

START = Constants({name: start for name, (_, start, _) in FREE.items()})
FREE_RIDE = Constants(dict.fromkeys(FREE, 1e-12) | {"bandwidth": 1.0})
SHAPE = {"seq": 1024, "batch": 16, "heads": 8, "head_dim": 64}
METHODS = st.sampled_from(
    ["PyTorch attention", "Megatron attention", "FlashAttention", "FlashAttention-2", "FlashAttention-3"]
)
PASSES = st.sampled_from(["forward", "backward", "forward+backward"])


def row(workload="FlashAttention-2", device="A100 40GB", unit="ms", **conditions):
    return stated("attention", device, workload, "runtime", unit, **{"dtype": "fp16", **SHAPE, **conditions})


def test_step_by_step_is_what_it_is_by_hand():
    """Six passes over 128 x 1024^2 scores of two bytes, and four operands, at 0.87 of 1,555 GB/s."""
    moved = 2 * 128 * (6 * 1024**2 + 4 * 1024 * 64)
    assert estimate(row("PyTorch attention"), START).value == pytest.approx(moved / (0.87 * 1.555e12) * 1e3)
    with_mask = estimate(row("PyTorch attention", options="mask and dropout 0.1"), START)
    moved = 2 * 128 * (11.5 * 1024**2 + 4 * 1024 * 64)
    assert with_mask.value == pytest.approx(moved / (0.87 * 1.555e12) * 1e3)


def test_flash_is_what_it_is_by_hand():
    """128 heads x 8 blocks of 128 rows on 108 SMs: 10 waves, 1,024 of 1,080 full; 2/16 clocks beside 1/16 for softmax.

    No product of the part with 40 GB is published: 0.8 of its peak."""
    found = estimate(row(), START)
    seconds = 4 * 1024**2 * 64 * 128 / (0.8 * 312e12 * 2 / 3 * 1024 / 1080)
    assert found.value == pytest.approx(seconds * 1e3, rel=2e-3) and found.limit == "arithmetic"
    first = heads(row("FlashAttention"))
    assert first.full == pytest.approx(128 / 216)  # one block for each head: two waves


def test_attention_is_never_clocked_faster_than_the_best_product():
    products = [it for it in data.published("gemm").values() if it["device"] == "MI300X" and it["unit"] == "TFLOP/s"]
    best = max(it["value"] for it in products if it["conditions"]["dtype"] in ("bf16", "fp16"))
    found = heads(row(device="MI300X"))
    assert found.loaded * found.peak == pytest.approx(best * 1e12) and found.loaded < 0.6


def test_an_older_kernel_reaches_half_of_a_hopper():
    two, three = (heads(row(work, "H100 SXM")) for work in ("FlashAttention-2", "FlashAttention-3"))
    assert two.usable == pytest.approx(three.usable / 2) and two.peak == three.peak
    assert heads(row("FlashAttention-2", "A100")).usable == pytest.approx(312e12)
    assert instructions(hardware.chip("a100-80gb-sxm"), "ampere") == 1
    assert instructions(hardware.chip("h100-sxm5"), "hopper") == pytest.approx(0.5)


@given(METHODS, PASSES, st.integers(16, 65536), st.sampled_from([32, 64, 128, 256]), st.integers(1, 64), st.booleans())
def test_no_attention_is_foretold_faster_than_the_machine(method, which, seq, width, batch, causal):
    asked = row(method, "H100 SXM", seq=seq, head_dim=width, batch=batch, causal=causal, **{"pass": which})
    free, real = estimate(asked, FREE_RIDE), estimate(asked, START)
    assert real.value >= free.value >= free.bound * (1 - 1e-9)
    tera = estimate({**asked, "unit": "TFLOP/s"}, START)
    assert tera.value <= tera.bound and tera.value == pytest.approx(heads(asked).flops / real.value / 1e9)


@given(METHODS, st.integers(16, 20_000))
def test_longer_sequences_take_longer_and_backward_longer_than_forward(method, seq):
    short, long, back = (
        estimate(row(method, seq=tokens, **{"pass": which}), START).value
        for tokens, which in ((seq, "forward"), (2 * seq, "forward"), (seq, "backward"))
    )
    assert short <= long and short <= back


def test_traffic_is_bounded_from_below():
    found = predict({**row("standard attention", unit="GB"), "metric": "hbm_read_plus_write"})
    assert found.faster_is_less and found.bound <= found.low <= found.value <= found.high


def test_short_sequences_wait_for_launches():
    found = estimate(row("PyTorch attention", seq=128), START)
    assert found.limit == "launch" and found.value == pytest.approx(4 * 40e-3)
    assert found.why.endswith("its 4 launches of 40 µs each take 160 µs.")
    assert estimate(row(seq=64), START).why.endswith("its one launch takes 40 µs.")


def test_a_row_without_its_shape_is_taken_as_long():
    best = estimate(row(unit="TFLOP/s", seq=None, heads=None, head_dim=128), START)
    assert best.value == pytest.approx(0.8 * 312 * 4 / 5, rel=2e-3)
    plain = estimate(row("plain PyTorch attention", "A100", "TFLOP/s", heads=None), START)
    assert plain.value == pytest.approx(4 * 64 / (2 * 6) * 0.87 * 2.039, rel=1e-3)
    found = heads(row_heads(seq=None))
    assert found.flops is None and found.peak == pytest.approx(312e12)
    third, widest = (heads(row_heads("FlashAttention-3", "H100 SXM", head_dim=width)) for width in (None, 256))
    assert third.plain_intensity == widest.plain_intensity  # its paper's best case: heads of 256


SHAPE_HEADS = {"seq": 2048, "batch": 4, "heads": 16, "head_dim": 64}


def row_heads(workload="FlashAttention-2", device="A100", **conditions):
    said = SHAPE_HEADS | conditions
    return read(stated("attention", device, workload, "runtime", "ms", **said), ("attention",))


@pytest.mark.parametrize("said, told", TABLE["a_pass_is_known_by_its_words"])
def test_a_pass_is_known_by_its_words(said, told):
    assert pass_of(said) == told


@pytest.mark.parametrize("workload, version", TABLE["a_method_is_known_by_its_name"])
def test_a_method_is_known_by_its_name(workload, version):
    assert heads(row_heads(workload)).version == version


@pytest.mark.parametrize("workload", ["ring attention", "FlashAttention-4", "a walk", "Linformer"])
def test_a_method_without_a_model_is_not_available(workload):
    with pytest.raises(NotAvailable, match="has no model here"):
        heads(row_heads(workload))


def test_a_causal_mask_halves_the_work_and_a_backward_pass_has_two_and_a_half_times_as_much():
    plain, masked, back = heads(row_heads()), heads(row_heads(causal=True)), heads(row_heads(**{"pass": "backward"}))
    assert plain.flops == attention_flops(2048, 64, 16, 4) == 4 * 2048**2 * 64 * 16 * 4
    assert masked.flops == plain.flops / 2 and back.flops == pytest.approx(2.5 * plain.flops)
    rates = [estimate(row(unit="TFLOP/s", mask=mask), START).value for mask in ("none", "causal")]
    assert rates[0] == pytest.approx(rates[1])


def test_operands_and_results_cross_once_at_least():
    """Second road: queries, keys, values and outputs, two bytes each."""
    found = heads(row_heads())
    assert found.compulsory == 4 * 2 * 2048 * 64 * 16 * 4
    assert found.moved >= found.compulsory
    assert found.least_seconds == pytest.approx(max(found.flops / 312e12, found.compulsory / 2.039e12))


def test_heads_that_share_keys_and_values_move_fewer_bytes():
    """64 requests of 64 tokens, 32 heads of 128 in 16 bits: queries and results, and as many keys and values at most."""
    shape = {"batch": 64, "seq": 64, "heads": 32, "head_dim": 128}
    whole, shared = (heads(row_heads("FlashAttention-2", **shape, kv_heads=kv)).compulsory for kv in (32, 8))
    assert whole == 4 * 64 * 64 * 32 * 128 * 2 == heads(row_heads("FlashAttention-2", **shape)).compulsory
    assert shared == whole / 2 * (1 + 8 / 32)


def test_operands_that_a_cache_may_hold_do_not_bound_a_time():
    small, large = (
        heads(row_heads("FlashAttention-2", batch=batch, seq=64, heads=32, head_dim=128)) for batch in (64, 640)
    )
    assert small.compulsory < CACHED < large.compulsory
    assert small.least_seconds == small.flops / small.peak
    assert large.least_seconds == large.compulsory / large.rate > large.flops / large.peak
