import copy
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_rows import HOSTILE, ROW

from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.validation import record


@pytest.mark.parametrize("row, error, says", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_row_is_answered_in_one_clear_line(row, error, says):
    with pytest.raises(error) as told:
        record.read(row, ("gemm", "decode"))
    assert says in str(told.value) and "\n" not in str(told.value) and len(str(told.value)) < 300


def test_a_row_is_read_into_a_dict_of_its_own_without_its_value():
    kept = copy.deepcopy(ROW)
    found = record.read(ROW, ("gemm",))
    assert "value" not in found and found["conditions"] == ROW["conditions"]
    found["conditions"]["M"] = 2
    assert kept == ROW


def test_missing_words_are_empty_and_missing_numbers_unknown():
    found = record.read({"kind": "gemm", "unit": "TFLOP/s", "metric": "throughput", "device": None}, ("gemm",))
    assert (found["id"], found["device"], found["workload"]) == ("", "", "")
    assert found["n_devices"] is None and found["conditions"] == {} and found["scale"] == 1


def test_another_unit_is_converted_at_the_door():
    found = record.read({**ROW, "unit": "GFLOP/s"}, ("gemm",))
    assert found["unit"] == "TFLOP/s" and found["asked"] == "GFLOP/s" and found["scale"] == pytest.approx(1e-3)


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.floats(0, 1e20) | st.text(max_size=20) | st.none() | st.booleans(),
        max_size=5,
    )
)
def test_any_plain_conditions_are_taken_as_they_are(conditions):
    found = record.read({**ROW, "conditions": conditions}, ("gemm",))["conditions"]
    assert {name: found[name] for name in conditions} == conditions
    assert set(found) - set(conditions) <= set(record.ALSO.values())  # said in another word: SEQLEN is seq, too


def test_conditions_go_by_several_names():
    said = {"input_len": 128, "OSL": 64, "batch size": 8, "TP": 2, "headdim": 64, "M": 1}
    found = record.read({**ROW, "conditions": said}, ("gemm",))["conditions"]
    assert found == {**said, "input_tokens": 128, "output_tokens": 64, "batch": 8, "tensor_parallel": 2, "head_dim": 64}
    both = record.read({**ROW, "conditions": {"batch": 4, "bs": 8}}, ("gemm",))["conditions"]
    assert both["batch"] == 4  # the usual name goes first


def test_what_is_stated_under_any_of_its_names():
    row = record.read({**ROW, "conditions": {"b": 4, "word": "four", "none": None}}, ("gemm",))
    assert record.stated(row, "a", "b") == 4 and record.amount(row, "b") == 4.0
    for name in ("a", "none"):
        with pytest.raises(NotAvailable, match=f"one does not state {name}"):
            record.stated(row, name)
    with pytest.raises(NotAvailable, match="word must be a number"):
        record.amount(row, "word")


def test_a_prediction_knows_which_way_is_better():
    speed = record.Prediction(90, 80, 100, 100, "memory", "why", "GB/s")
    time = record.Prediction(10, 9, 11, 9, "memory", "why", "ms", faster_is_less=True)
    assert speed.beaten(101) and not speed.beaten(99) and time.beaten(8) and not time.beaten(10)


@pytest.mark.parametrize(
    "given, kept",
    [
        (np.int64(64), 64), (np.int32(64), 64), (np.float32(0.5), 0.5), (np.float16(2), 2.0), (np.longdouble(3), 3.0),
        (np.array(64), 64), (np.bool_(True), True), (np.str_("fp16"), "fp16"), (Fraction(1, 2), 0.5),
        (np.array([1, 2]), [1, 2]), ([np.int64(1), 2.0], [1, 2.0]), ((1, 2), [1, 2]),
    ],
)  # fmt: skip
def test_numbers_of_numpy_become_pythons_own(given, kept):
    found = record.read({**ROW, "conditions": {"M": given}, "n_devices": np.int64(8)}, ("gemm",))
    assert found["conditions"]["M"] == kept and type(found["conditions"]["M"]) is type(kept)
    assert all(type(each) in (int, float) for each in (kept if isinstance(kept, list) else ()))
    assert found["n_devices"] == 8 and type(found["n_devices"]) is int
