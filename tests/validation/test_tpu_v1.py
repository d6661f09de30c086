import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import tpu_v1
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


@pytest.mark.parametrize(
    "id", ["tpu1_mlp0_vs_cpu", "tpu1_speedup_gm", "power_tpu_idle", "tpu1_model_error_cnn0", "tpu1_mean_tops"]
)
def test_what_no_model_foretells_says_why(id):
    with pytest.raises(NotAvailable, match="does not state|names no application"):
        said(ROWS[id])


@pytest.mark.parametrize(
    "change",
    [{"device": "H100"}, {"metric": "smell"}, {"unit": "W"}, {"workload": "the mean"}, {"workload": ""},
     {"conditions": {"weights": "many", "macs_per_weight_byte": 3}}, {"conditions": {"weights": "5M"}},
     {"workload": "MLP9", "conditions": {"macs_per_weight_byte": 3}}, {"device": "Haswell"}],
)  # fmt: skip
def test_rows_that_state_too_little_are_not_available(change):
    with pytest.raises(NotAvailable):
        said({**ROWS["tpu1_mlp0_tops"], **change})


def test_the_applications_are_foretold_within_a_fifth_on_average():
    judged = {each.id: each for each in report()["tpu_v1"]["publisher"].judged}
    off = [abs(judged[f"tpu1_{name}_tops"].off) for name in ("mlp0", "lstm0", "cnn0", "cnn1")]
    assert sum(off) / 4 < 0.2 and max(off) < 0.4
