import pytest

from accelerator_lib import hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.tiling import attention_flops
from accelerator_lib.validation.attention import heads, instructions, pass_of
from accelerator_lib.validation.gemm import CACHED
from accelerator_lib.validation.record import read

SHAPE = {"seq": 2048, "batch": 4, "heads": 16, "head_dim": 64}


def row(workload="FlashAttention-2", device="A100", **conditions):
    stated = {"kind": "attention", "device": device, "workload": workload, "metric": "runtime", "unit": "ms"}
    return read({**stated, "conditions": SHAPE | conditions}, ("attention",))


@pytest.mark.parametrize(
    "said, told",
    [({}, "forward"), ({"pass": "fwd"}, "forward"), ({"pass": "Backward"}, "backward"), ({"pass": "both"}, "forward+backward"),
     ({"pass": "forward + backward"}, "forward+backward"), ({"pass": None}, "forward")],
)  # fmt: skip
def test_a_pass_is_known_by_its_words(said, told):
    assert pass_of(said) == told


@pytest.mark.parametrize(
    "workload, version",
    [
        ("FlashAttention", 1),
        ("FlashAttention-2", 2),
        ("FA3 forward", 3),
        ("PyTorch attention", 0),
        ("naive attention", 0),
    ],
)
def test_a_method_is_known_by_its_name(workload, version):
    assert heads(row(workload)).version == version


@pytest.mark.parametrize("workload", ["ring attention", "FlashAttention-4", "a walk", "Linformer"])
def test_a_method_without_a_model_is_not_available(workload):
    with pytest.raises(NotAvailable, match="has no model here"):
        heads(row(workload))


def test_a_causal_mask_halves_the_work_and_a_backward_pass_has_two_and_a_half_times_as_much():
    plain, masked, back = heads(row()), heads(row(causal=True)), heads(row(**{"pass": "backward"}))
    assert plain.flops == attention_flops(2048, 64, 16, 4) == 4 * 2048**2 * 64 * 16 * 4
    assert masked.flops == plain.flops / 2 and back.flops == pytest.approx(2.5 * plain.flops)


def test_operands_and_results_cross_once_at_least():
    """Second road: queries, keys, values and outputs, two bytes each."""
    found = heads(row())
    assert found.compulsory == 4 * 2 * 2048 * 64 * 16 * 4
    assert found.moved >= found.compulsory
    assert found.least_seconds == pytest.approx(max(found.flops / 312e12, found.compulsory / 2.039e12))


def test_a_row_without_its_shape_keeps_what_needs_none():
    found = heads(row(seq=None))
    assert found.flops is None and found.peak == pytest.approx(312e12)


def test_instructions_of_ampere_reach_half_of_a_hopper():
    assert instructions(hardware.chip("a100-80gb-sxm"), "ampere") == 1
    assert instructions(hardware.chip("h100-sxm5"), "hopper") == pytest.approx(0.5)


def test_heads_that_share_keys_and_values_move_fewer_bytes():
    """64 requests of 64 tokens, 32 heads of 128 in 16 bits: queries and results, and as many keys and values at most."""
    shape = {"batch": 64, "seq": 64, "heads": 32, "head_dim": 128}
    whole, shared = (heads(row("FlashAttention-2", **shape, kv_heads=kv)).compulsory for kv in (32, 8))
    assert whole == 4 * 64 * 64 * 32 * 128 * 2 == heads(row("FlashAttention-2", **shape)).compulsory
    assert shared == whole / 2 * (1 + 8 / 32)


def test_operands_that_a_cache_may_hold_do_not_bound_a_time():
    small, large = (heads(row("FlashAttention-2", batch=batch, seq=64, heads=32, head_dim=128)) for batch in (64, 640))
    assert small.compulsory < CACHED < large.compulsory
    assert small.least_seconds == small.flops / small.peak
    assert large.least_seconds == large.compulsory / large.rate > large.flops / large.peak
