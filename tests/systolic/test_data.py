import pytest

from accelerator_lib import data, hardware

DEVICES = data.load("accelerators")["devices"]
SYSTOLIC = data.load("systolic")


@pytest.mark.parametrize("record", SYSTOLIC["arrays"], ids=lambda record: record["chip"])
def test_arrays_at_a_plausible_clock_give_the_published_peak(record):
    chip = hardware.chip(record["chip"])
    peak = chip.peak("bf16" if "bf16" in chip.matrix else "int8")

    def clock(arrays):
        return peak / hardware.peak_from_units(arrays, 2 * record["edge"] ** 2, 1)

    fits = clock(record.get("arrays_from_peak", record["arrays"]))
    assert 0.5e9 < fits < 2.5e9
    if chip.clock_hz:
        assert fits == pytest.approx(chip.clock_hz, rel=0.01)
    if "arrays_from_peak" in record:
        assert clock(record["arrays"]) > 3e9


def test_every_tpu_of_the_catalog_has_its_arrays():
    assert [record["chip"] for record in SYSTOLIC["arrays"]] == [d["id"] for d in DEVICES if d["id"].startswith("tpu-")]


@pytest.mark.parametrize("record", SYSTOLIC["tpu_applications"], ids=lambda record: record["name"])
def test_the_applications_of_the_first_tpu_are_the_measured_rows(record):
    rows = data.rows("tpu_v1")
    found = {row["metric"]: row for row in rows.values() if row["workload"] == record["name"]}
    assert found["delivered"]["value"] * 1e12 == pytest.approx(record["delivered_ops_per_s"], rel=1e-12)
    assert found["array_active_cycles"]["value"] == pytest.approx(100 * record["active"])
    assert found["weight_stall_cycles"]["value"] == pytest.approx(100 * record["stalled"])
    assert found["speedup"]["value"] == record["speedup_over_cpu"]
    error = rows[f"tpu1_model_error_{record['name'].lower()}"]["value"]
    assert error == pytest.approx(100 * record["model_error"])
    conditions = found["delivered"]["conditions"]
    assert conditions["weights"] == f"{record['weights'] // 10**6}M" and conditions["batch"] == record["batch"]
    assert conditions["macs_per_weight_byte"] == record["macs_per_weight_byte"]
    assert record["active"] + record["stalled"] <= 1
    assert record["delivered_ops_per_s"] < hardware.chip(record["chip"]).peak("int8")
