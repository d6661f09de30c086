import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import predict

ROWS = data.published("memory_split")


def test_parameters_are_counted_by_hand():
    assert predict(ROWS["vllm_13b_parameters_gb"]).value == pytest.approx(26)
    assert predict(ROWS["vllm_13b_parameters"]).value == pytest.approx(65)
    other = {
        **ROWS["vllm_13b_parameters_gb"],
        "workload": "Llama-2-7B serving",
        "conditions": {"part": "weights", "dtype": "INT8"},
    }
    assert predict(other).value == pytest.approx(7)


def test_caches_have_what_is_left_and_no_more():
    found = predict(ROWS["vllm_13b_kv_cache"])
    assert found.value < found.bound == pytest.approx(100 - 65)
    more = predict({**ROWS["vllm_13b_kv_cache"], "device": "A100 80GB"})
    assert more.bound == pytest.approx(100 * (1 - 26 / 80)) and more.value > found.value


def test_two_gpus_hold_twice_as_much():
    one, two = (predict({**ROWS["vllm_13b_parameters"], "n_devices": count}).value for count in (1, 2))
    assert one == pytest.approx(2 * two)


@pytest.mark.parametrize(
    "change",
    [{"conditions": {"part": "activations", "dtype": "fp16"}}, {"conditions": {"part": "parameters"}}, {"conditions": {}},
     {"workload": "a decoder"}, {"conditions": {"part": "kv_cache", "dtype": "fp17"}}, {"unit": "s"},
     {"workload": "700B decoder serving"}, {"device": "Abacus"}],
)  # fmt: skip
def test_what_is_not_stated_is_not_available(change):
    with pytest.raises(NotAvailable):
        predict({**ROWS["vllm_13b_parameters"], **change})
