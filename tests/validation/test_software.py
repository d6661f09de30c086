from itertools import pairwise

import pytest

from accelerator_lib import data, memory
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import predict, software

ROWS = data.published("software_ladder")
WORK = 2 * 4096**3


def test_c_waits_for_lines_and_the_rest_is_little_s_law():
    found = predict(ROWS["ladder_3_runtime"])
    rate = software.LINE * software.IN_FLIGHT / software.LATENCY
    assert memory.bytes_in_flight(rate, software.LATENCY) == pytest.approx(software.LINE * software.IN_FLIGHT)
    assert found.value == pytest.approx(4096**3 * 64 / rate) and found.limit == "memory latency"
    assert predict(ROWS["ladder_4_runtime"]).limit == "memory bandwidth"


def test_the_bound_of_every_rung_is_the_peak_and_each_rung_is_faster():
    found = [predict(ROWS[f"ladder_{rung}_runtime"]) for rung in range(3, 8)]
    assert all(each.bound == pytest.approx(WORK / 835e9) for each in found)
    assert all(slow.value > fast.value for slow, fast in pairwise(found))


def test_lanes_and_fused_multiply_adds_are_worth_what_they_are():
    blocks, lanes, fused = (predict(ROWS[f"ladder_{rung}_runtime"]).value for rung in (5, 6, 7))
    assert blocks / lanes == pytest.approx(4) and lanes / fused == pytest.approx(2)


def test_what_the_source_computed_from_the_runtime_is_not_looked_at():
    row = ROWS["ladder_5_runtime"]
    assert predict({**row, "conditions": {"peak_gflop_s": 835}}) == predict(row)


@pytest.mark.parametrize(
    "id, change",
    [("ladder_1_runtime", {}), ("ladder_2_runtime", {}), ("ladder_3_runtime", {"workload": "a matmul: C"}),
     ("ladder_3_runtime", {"device": "Cray-1"}), ("ladder_3_runtime", {"metric": "smell"}),
     ("ladder_3_runtime", {"workload": "64 x 64 x 64 FP32 matmul: C"}), ("ladder_3_runtime", {"unit": "GB/s"})],
)  # fmt: skip
def test_what_no_model_foretells_says_why(id, change):
    with pytest.raises(NotAvailable):
        predict({**ROWS[id], **change})
