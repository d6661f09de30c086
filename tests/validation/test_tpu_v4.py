import pytest

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import predict

ROWS = data.published("tpu_v4")


def test_a_generation_gains_between_its_memory_and_its_peak():
    found = predict(ROWS["tpuv4_vs_v3_perf"])
    new, old = hardware.chip("tpu-v4"), hardware.chip("tpu-v3")
    peaks, rates = new.peak("bf16") / old.peak("bf16"), new.bytes_per_s / old.bytes_per_s
    assert rates < found.value < peaks == found.bound and found.value**2 == pytest.approx(peaks * rates)


def test_a_chip_gains_nothing_over_itself_and_the_other_way_round_is_the_inverse():
    row = ROWS["tpuv4_vs_v3_perf"]
    assert predict({**row, "device": "TPU v3"}).value == pytest.approx(1)
    back = {**row, "device": "TPU v3", "workload": "mean speed-up over TPU v4 per chip"}
    assert predict(back).value == pytest.approx(1 / predict(row).value)


@pytest.mark.parametrize(
    "id, change",
    [("tpuv4_mean_power", {}), ("tpuv4_vs_a100_speed", {}), ("tpuv4_vs_v3_perf", {"workload": "speed-up per chip"}),
     ("tpuv4_vs_v3_perf", {"unit": "parsecs"}), ("tpuv4_vs_v3_perf", {"workload": "over XYZ 7 per chip"}),
     ("tpuv4_vs_v3_perf", {"device": "TPU v1"}),
     ("tpuv4_vs_v3_perf", {"workload": "performance per watt over TPU v3 per chip"}),
     ("tpuv4_vs_v3_perf", {"workload": "mean speed-up over A100 per chip"})],
)  # fmt: skip
def test_what_is_not_stated_is_not_available(id, change):
    with pytest.raises(NotAvailable):
        predict({**ROWS[id], **change})
