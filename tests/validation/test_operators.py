import pytest

from accelerator_lib import data, hardware
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import operators, predict

ROWS = data.published("operator_classes")


def test_products_of_a_layer_by_the_usual_counts():
    """Second road: 2 x 12 d^2 FLOP a token forward, 4 T d for the scores, three times that to train."""
    rows, d = 8 * 512, 1024
    found = sum(each.flops for each in operators.layer()["tensor"])
    assert found == 3 * rows * (2 * 12 * d * d + 4 * 512 * d)


@pytest.mark.parametrize("metric", ["flop_share", "runtime_share"])
def test_the_shares_of_all_classes_make_a_whole(metric):
    rows = [row for row in ROWS.values() if row["metric"] == metric]
    assert len(rows) == 3 and sum(predict(row).value for row in rows) == pytest.approx(100)


def test_hardly_any_flop_takes_a_third_of_the_time():
    flops, time = (predict(ROWS[f"opclass_tensor_{name}"]).value for name in ("flop", "runtime"))
    assert flops > 99.7 and 50 < time < 75


def test_what_is_no_product_takes_the_time_of_its_bytes():
    chip, works = hardware.chip("v100-sxm2-32gb"), operators.layer()
    found = dict(zip(operators.CLASSES, operators.times(chip, 1.0), strict=True))
    for name in ("normal", "element"):
        numbers = sum(each.n * (each.reads + each.writes) for each in works[name])
        assert found[name] == pytest.approx(2 * numbers / chip.bytes_per_s)


def test_faster_memory_takes_time_from_the_norms():
    row = ROWS["opclass_statistical_runtime"]
    assert predict({**row, "device": "A100"}).value != predict(row).value
    slow, fast = (operators.times(hardware.chip("v100-sxm2-32gb"), balance) for balance in (0.5, 1.0))
    assert fast[0] < slow[0] and fast[1:] == slow[1:]


@pytest.mark.parametrize(
    "change",
    [{"workload": "ResNet training step"}, {"conditions": {}}, {"conditions": {"operator_class": "magic"}},
     {"metric": "smell"}, {"unit": "s"}, {"device": "unknown 5"}, {"device": "TPU v1"}],
)  # fmt: skip
def test_other_steps_are_not_available(change):
    with pytest.raises(NotAvailable):
        predict({**ROWS["opclass_tensor_runtime"], **change})
