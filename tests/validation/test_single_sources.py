"""Kinds of which one source tells alone: TPUs, operators, programs on a CPU, a split memory."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, memory
from accelerator_lib.validation import operators, predict, software, tpu_v1
from accelerator_lib.validation.constants import Constants
from accelerator_lib.validation.record import read
from accelerator_lib.validation.report import report

ROWS = data.published("tpu_v1")
ALL = Constants({"kept": 1.0, "general": 1.0})


def said(row, constants=ALL, **conditions):
    row = {**row, "conditions": {**row["conditions"], **conditions}}
    return tpu_v1.estimate(read(row, ("tpu_v1",)), constants)


def test_mlp0_by_hand():
    """20 M weights cross at 34 GB/s for 200 inputs: 2 x 200 x 34e9 = 13.6 TOP/s; streaming 200 of 1,349 cycles."""
    tops = said(ROWS["tpu1_mlp0_tops"])
    assert (tops.value, tops.bound) == pytest.approx((13.6, 13.6)) and tops.limit == "weights from memory"
    cycles = 65536 / 34e9 * 0.7e9
    assert said(ROWS["tpu1_mlp0_active"]).value == pytest.approx(100 * 200 / cycles)
    assert said(ROWS["tpu1_mlp0_stall"]).value == pytest.approx(100 * (cycles - 200 - 256) / cycles)
    assert said(ROWS["tpu1_mlp0_tops"], Constants({"kept": 0.5, "general": 1})).value == pytest.approx(6.8)


def test_inferences_by_hand():
    """FP32 weights of 80 MB at 51 GB/s for 16 inputs; at 64 the arithmetic of 1.3 TFLOP/s binds; the TPU has a host."""
    assert said(ROWS["mlp0_cpu_b16_ips"]).value == pytest.approx(16 / (80e6 / 51e9))
    assert said(ROWS["mlp0_cpu_b64_ips"]).value == pytest.approx(1.3e12 / 40e6)
    found = said(ROWS["mlp0_tpu_b200_ips"])
    assert found.bound == pytest.approx(200 / (20e6 / 34e9)) and found.value == pytest.approx(found.bound / 1.21)


def test_an_application_that_was_never_seen_is_foretold_by_its_numbers():
    row = {**ROWS["tpu1_mlp0_tops"], "id": "new", "workload": "MLP1"}
    assert said(row, weights="5M", batch=168, macs_per_weight_byte=168).value == pytest.approx(2 * 168 * 34e-3)
    other = {**row, "workload": "LSTM7"}
    assert said(other, weights=1e6, macs_per_weight_byte=32).value == pytest.approx(2 * 32 * 34e-3)
    slow = {**other, "metric": "array_active_cycles", "unit": "%"}
    assert said(slow, weights=1e6, macs_per_weight_byte=32).value == pytest.approx(100 * 64 / (65536 / 34e9 * 0.7e9))


@given(st.floats(1, 1e5), st.floats(1, 1e5))
def test_more_uses_of_a_weight_are_never_slower_and_nothing_passes_the_roof(one, other):
    low, high = sorted((one, other))
    found = [said(ROWS["tpu1_mlp0_tops"], macs_per_weight_byte=uses) for uses in (low, high)]
    assert found[0].value <= found[1].value * (1 + 1e-9)
    assert all(each.value <= each.bound * 1.003 <= 92 * 1.003 for each in found)  # 91.75 is printed as 92


def test_the_applications_are_foretold_within_a_fifth_on_average():
    judged = {each.id: each for each in report()["tpu_v1"]["publisher"].judged}
    off = [abs(judged[f"tpu1_{name}_tops"].off) for name in ("mlp0", "lstm0", "cnn0", "cnn1")]
    assert sum(off) / 4 < 0.2 and max(off) < 0.4


ROWS_TPU_V4 = data.published("tpu_v4")


def test_a_generation_gains_between_its_memory_and_its_peak():
    found = predict(ROWS_TPU_V4["tpuv4_vs_v3_perf"])
    new, old = hardware.chip("tpu-v4"), hardware.chip("tpu-v3")
    peaks, rates = new.peak("bf16") / old.peak("bf16"), new.bytes_per_s / old.bytes_per_s
    assert rates < found.value < peaks == found.bound and found.value**2 == pytest.approx(peaks * rates)


def test_a_chip_gains_nothing_over_itself_and_the_other_way_round_is_the_inverse():
    row = ROWS_TPU_V4["tpuv4_vs_v3_perf"]
    assert predict({**row, "device": "TPU v3"}).value == pytest.approx(1)
    back = {**row, "device": "TPU v3", "workload": "mean speed-up over TPU v4 per chip"}
    assert predict(back).value == pytest.approx(1 / predict(row).value)


ROWS_OPERATORS = data.published("operator_classes")


def test_products_of_a_layer_by_the_usual_counts():
    """Second road: 2 x 12 d^2 FLOP a token forward, 4 T d for the scores, three times that to train."""
    rows, d = 8 * 512, 1024
    found = sum(each.flops for each in operators.layer()["tensor"])
    assert found == 3 * rows * (2 * 12 * d * d + 4 * 512 * d)


@pytest.mark.parametrize("metric", ["flop_share", "runtime_share"])
def test_the_shares_of_all_classes_make_a_whole(metric):
    rows = [row for row in ROWS_OPERATORS.values() if row["metric"] == metric]
    assert len(rows) == 3 and sum(predict(row).value for row in rows) == pytest.approx(100)


def test_hardly_any_flop_takes_a_third_of_the_time():
    flops, time = (predict(ROWS_OPERATORS[f"opclass_tensor_{name}"]).value for name in ("flop", "runtime"))
    assert flops > 99.7 and 50 < time < 75


def test_what_is_no_product_takes_the_time_of_its_bytes():
    chip, works = hardware.chip("v100-sxm2-32gb"), operators.layer()
    found = dict(zip(operators.CLASSES, operators.times(chip, 1.0), strict=True))
    for name in ("normal", "element"):
        numbers = sum(each.n * (each.reads + each.writes) for each in works[name])
        assert found[name] == pytest.approx(2 * numbers / chip.bytes_per_s)


def test_faster_memory_takes_time_from_the_norms():
    row = ROWS_OPERATORS["opclass_statistical_runtime"]
    assert predict({**row, "device": "A100"}).value != predict(row).value
    slow, fast = (operators.times(hardware.chip("v100-sxm2-32gb"), balance) for balance in (0.5, 1.0))
    assert fast[0] < slow[0] and fast[1:] == slow[1:]


ROWS_SOFTWARE = data.published("software_ladder")
WORK = 2 * 4096**3


def test_c_waits_for_lines_and_the_rest_is_little_s_law():
    found = predict(ROWS_SOFTWARE["ladder_3_runtime"])
    rate = software.LINE * software.IN_FLIGHT / software.LATENCY
    assert memory.bytes_in_flight(rate, software.LATENCY) == pytest.approx(software.LINE * software.IN_FLIGHT)
    assert found.value == pytest.approx(4096**3 * 64 / rate) and found.limit == "memory latency"
    assert predict(ROWS_SOFTWARE["ladder_4_runtime"]).limit == "memory bandwidth"


def test_the_bound_of_every_rung_is_the_peak_and_each_rung_is_faster():
    found = [predict(ROWS_SOFTWARE[f"ladder_{rung}_runtime"]) for rung in range(3, 8)]
    assert all(each.bound == pytest.approx(WORK / 835e9) for each in found)
    assert all(slow.value > fast.value for slow, fast in pairwise(found))


def test_lanes_and_fused_multiply_adds_are_worth_what_they_are():
    blocks, lanes, fused = (predict(ROWS_SOFTWARE[f"ladder_{rung}_runtime"]).value for rung in (5, 6, 7))
    assert blocks / lanes == pytest.approx(4) and lanes / fused == pytest.approx(2)


def test_what_the_source_computed_from_the_runtime_is_not_looked_at():
    row = ROWS_SOFTWARE["ladder_5_runtime"]
    assert predict({**row, "conditions": {"peak_gflop_s": 835}}) == predict(row)


ROWS_SPLIT = data.published("memory_split")


def test_parameters_are_counted_by_hand():
    assert predict(ROWS_SPLIT["vllm_13b_parameters_gb"]).value == pytest.approx(26)
    assert predict(ROWS_SPLIT["vllm_13b_parameters"]).value == pytest.approx(65)
    changed = {"workload": "Llama-2-7B serving", "conditions": {"part": "weights", "dtype": "INT8"}}
    assert predict({**ROWS_SPLIT["vllm_13b_parameters_gb"], **changed}).value == pytest.approx(7)


def test_caches_have_what_is_left_and_no_more():
    found = predict(ROWS_SPLIT["vllm_13b_kv_cache"])
    assert found.value < found.bound == pytest.approx(100 - 65)
    more = predict({**ROWS_SPLIT["vllm_13b_kv_cache"], "device": "A100 80GB"})
    assert more.bound == pytest.approx(100 * (1 - 26 / 80)) and more.value > found.value


def test_two_gpus_hold_twice_as_much():
    one, two = (predict({**ROWS_SPLIT["vllm_13b_parameters"], "n_devices": count}).value for count in (1, 2))
    assert one == pytest.approx(2 * two)
