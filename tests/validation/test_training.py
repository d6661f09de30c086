import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data
from accelerator_lib.validation import NotAvailable, predict
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.door import KINDS
from accelerator_lib.validation.record import read
from accelerator_lib.validation.training import FREE, estimate

FULL = Constants({"product_share": 1.0, "attention_share": 1.0, "traffic_share": 1.0, "talk_exposed": 0.0})
START = Constants({name: start for name, (_, start, _) in FREE.items()})


def row(workload="Llama 3 8B training", device="A100 80GB", n=8, metric="mfu", unit="%", **conditions):
    return {"id": "", "kind": "training", "device": device, "n_devices": n, "workload": workload, "unit": unit,
            "metric": metric, "conditions": conditions}  # fmt: skip


def told(*given, constants=START, **more):
    return estimate(read(row(*given, **more), KINDS), constants)


def test_a_decoder_on_one_chip_by_hand():
    """24 layers, 2,048 wide, 2,048 tokens, nothing talks: products at the best published rate, 271.2 of 312 TFLOP/s."""
    found = told("MPT-style decoder", n=1, layers=24, d_model=2048, seq=2048, constants=FULL)
    parameters = 12 * 24 * 2048**2 + 50368 * 2048 + 2048**2
    products = 6 * (12 * 24 * 2048**2 + 50368 * 2048) / 271.2e12
    attention = 7 * 24 * 2048 * 2048 / (230e12 / 2)
    elements = 24 * 3 * (4 * 3 * 2048 + 3 * 5461) * 2 + 6 * 4 * 50368
    credited = 6 * parameters + 12 * 24 * 2048 * 2048
    assert found.value == pytest.approx(
        100 * credited / (products + attention + elements / 2.039e12) / 312e12, rel=2e-3
    )
    assert found.bound == pytest.approx(100 * credited / (6 * (parameters - 2048**2) + 6 * 24 * 2048 * 2048), rel=2e-3)


def test_mfu_hfu_rates_and_tokens_are_of_the_same_time():
    mfu = told(recomputation="full").value
    assert told(metric="hfu", recomputation="full").value / mfu == pytest.approx(4 / 3, rel=0.04)
    assert told(metric="throughput_per_gpu", unit="TFLOP/s", recomputation="full").value == pytest.approx(3.12 * mfu)
    each = told(metric="tokens_per_s_per_gpu", unit="tokens/s", recomputation="full").value
    credited = 6 * 8030261248 + 12 * 32 * 4096 * 8192
    assert each * credited / 3.12e12 == pytest.approx(mfu)
    assert told(metric="tokens_per_s", unit="tokens/s", recomputation="full").value == pytest.approx(8 * each)
    step = told(metric="step_time", unit="s", sharding="FSDP", batch=64, seq=8192).value
    dealt = told(metric="tokens_per_s_per_gpu", unit="tokens/s", sharding="FSDP", seq=8192).value
    assert step == pytest.approx(8 * 8192 / dealt)
    assert predict(row(unit="1")).value == pytest.approx(predict(row()).value / 100)


def test_a_count_that_includes_recomputation_is_an_hfu():
    plain = told("GPT 7.5B training", metric="throughput_per_gpu", unit="TFLOP/s", recomputation="full")
    counted = told("GPT 7.5B training", metric="throughput_per_gpu", unit="TFLOP/s",
                   flop_count="with full activation recomputation")  # fmt: skip
    assert 1.3 < counted.value / plain.value <= 4 / 3


@given(st.integers(256, 65536))
def test_an_mfu_falls_with_what_is_computed_again_and_never_passes_its_bound(seq):
    found = [told(seq=seq, recomputation=each) for each in ("none", "selective", "selective, per layer", "full")]
    values = [each.value for each in found]
    assert values[0] == max(values) and values[-1] == min(values)
    assert all(each.value < each.bound for each in found)


def test_the_mask_lets_the_bound_pass_a_hundred_percent():
    short, long = (told(seq=seq).bound for seq in (512, 65536))
    assert 100 < short < long < 200


@pytest.mark.parametrize("n", [64, 512])
def test_more_chips_for_the_same_tokens_only_talk_and_wait_more(n):
    few, many = (told("7B", n=each, sharding="FSDP", micro_batch=1, seq=1024).value for each in (8, n))
    assert many < few < told("7B", n=1, sharding="FSDP", micro_batch=1, seq=1024).value
    wide = told("7B", n=n, sharding="FSDP", micro_batch=16, seq=1024).value
    assert wide > many


def test_fewer_micro_batches_leave_stages_waiting():
    found = [told("Llama 3 405B", "H100", 16384, tensor_parallel=8, pipeline_parallel=16, data_parallel=128,
                  batch_per_dp=batch, seq=8192) for batch in (16, 32, 160)]  # fmt: skip
    values = [each.value for each in found]
    assert values == sorted(values)
    assert found[0].bound / found[1].bound == pytest.approx((1 + 15 / 8 / 32) / (1 + 15 / 8 / 16))


def test_early_sources_kept_their_scores_in_memory():
    early = {**row("GPT 1.7B training", seq=2048), "source": "megatron2021"}
    assert predict(early).value < predict(row("GPT 1.7B training", seq=2048)).value
    assert predict({**early, "source": ["x"]}).value == predict({**early, "source": "nobody"}).value


@pytest.mark.parametrize("hostile", [
    row("large-scale training"), row("0B"), row("GPT 9999999T"), row(device="Abacus"), row(metric="loss", unit="nats"),
    row(metric="step_time", unit="s"), row("7B", vocab="many"), row(dtype="fp8"), row(seq=10**12), row("DeepSeek-V9"),
    row(model=["llama"], seq=1e30), row("7B", device="Edge TPU"),
])  # fmt: skip
def test_what_is_not_stated_is_said_in_one_line(hostile):
    with pytest.raises(NotAvailable) as error:
        predict(hostile)
    assert "\n" not in str(error.value)


def test_no_published_run_beats_its_bound():
    for published in data.published("training").values():
        try:
            found = predict(published)
        except NotAvailable:
            assert published["id"] == "rule_large_training_mfu"
            continue
        assert not found.beaten(published["value"]), published["id"]
        assert found.low <= found.value <= found.high <= found.bound
