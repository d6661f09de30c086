"""The door: what is no row, what a row becomes, units, constants, and what comes of every published row."""

import copy
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from math import isfinite
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_rows import HOSTILE, ROW
from stated import stated

from accelerator_lib import data
from accelerator_lib.validation import KINDS, NotAvailable, constants, predict, record, report
from accelerator_lib.validation.door import guarded, kind_of, model_of, predicted
from accelerator_lib.validation.record import Estimate, less_is_better, read

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

ROWS = [row for kind in KINDS for row in data.published(kind).values()]


def answered(row):
    """A Prediction, or the line that says why there is none."""
    try:
        return predict(row)
    except NotAvailable as why:
        return str(why)


ODD = data.parse(Path(__file__).with_name("hostile.yaml"))


def odd_rows():
    """Rows of every kind of which none can be foretold, each with a word of the line that says so."""
    for kind, told in ODD.items():
        for change, word in told["odd"]:
            row = told.get("good") or data.published(kind)[change.pop("row")]
            kept = row["conditions"] if "good" in told or "conditions" not in change else {}
            conditions = kept | change.pop("conditions", {})
            said = {name: value for name, value in conditions.items() if value is not None}
            yield pytest.param({**row, **change, "conditions": said}, word)


@pytest.mark.parametrize("row, word", list(odd_rows()))
def test_what_a_row_does_not_state_is_said_in_one_line(row, word):
    with pytest.raises(NotAvailable, match=word or None) as error:
        predict(row)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("row, error, says", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_row_is_answered_in_one_clear_line(row, error, says):
    with pytest.raises(error) as found:
        predict(row)
    assert "\n" not in str(found.value) and len(str(found.value)) < 300


@pytest.mark.parametrize("kind", KINDS)
def test_every_published_row_is_foretold_or_says_what_is_missing(kind):
    told = {id: answered(row) for id, row in data.published(kind).items()}
    judged = report.report()[kind]["publisher"]
    assert {id for id, found in told.items() if isinstance(found, str)} == set(judged.missing)
    for id, found in told.items():
        if isinstance(found, str):
            assert found and "\n" not in found and len(found) < 300, id
            continue
        assert 0 <= found.low <= found.value <= found.high and isfinite(found.high), id
        assert found.unit == data.published(kind)[id]["unit"] and found.limit and found.why.endswith("."), id
        least = less_is_better(data.published(kind)[id])
        assert (found.low >= found.bound if least else found.high <= found.bound) and found.faster_is_less == least, id
        assert id in judged.beaten or not found.beaten(data.published(kind)[id]["value"]), id


@pytest.mark.parametrize("kind", KINDS)
def test_no_published_row_is_refused_by_accident(kind):
    """What a model cannot take is turned into NotAvailable at the door; of these rows none may need that."""
    for row in data.published(kind).values():
        try:
            predict(row)
        except NotAvailable as why:
            assert why.__cause__ is None, (row["id"], why.__cause__)


def test_the_value_is_never_looked_at_and_a_row_is_left_as_it_was():
    for row in ROWS:
        kept = copy.deepcopy(row)
        bare = {key: it for key, it in row.items() if key not in ("value", "basis")}
        found = answered(row)
        for other in (bare, {**row, "value": 0}, {**row, "value": 1e9}, {**row, "value": None}):
            assert answered(other) == found, row["id"]
        assert row == kept


UNITS = {"GB/s": ("TB/s", 1e-3), "TFLOP/s": ("GFLOP/s", 1e3), "ms": ("us", 1e3), "s": ("ms", 1e3), "%": ("1", 0.01)}


def test_a_row_in_another_unit_is_the_same_row():
    changed = 0
    for row in ROWS:
        other, size = UNITS.get(row["unit"], (None, 1))
        found = answered(row)
        if other and not isinstance(found, str):
            again = answered({**row, "unit": other})
            if not isinstance(again, str):
                for name in ("value", "low", "high", "bound"):
                    assert getattr(again, name) == pytest.approx(size * getattr(found, name)), row["id"]
                assert again.unit == other and again.faster_is_less == found.faster_is_less
                changed += 1
    assert changed > 200


MESS = (
    st.none()
    | st.booleans()
    | st.floats(0, 1e12)
    | st.integers(0, 10**12)
    | st.text(max_size=12)
    | st.sampled_from(["1M", "8 KiB", "fp8", "H100"])
)


@given(st.sampled_from(ROWS), st.data())
def test_rows_with_odd_or_missing_conditions_are_foretold_or_not_available(row, draw):
    names = sorted(row["conditions"])
    conditions = dict(row["conditions"])
    for name in draw.draw(st.lists(st.sampled_from(names), max_size=3)) if names else []:
        conditions[name] = draw.draw(MESS)
    kept = {name: it for name, it in conditions.items() if draw.draw(st.integers(0, 5)) > 0}
    odd = {**row, "conditions": kept, "n_devices": draw.draw(st.sampled_from([row["n_devices"], None, 1, 8, 3]))}
    odd["device"] = draw.draw(
        st.sampled_from([row["device"], "", "H100", "A100-SXM4-80GB", "MI300X", "TPU v5e", "Intel Gaudi 3"])
    )
    odd["unit"] = draw.draw(st.sampled_from([row["unit"], "GB/s", "parsecs", "x"]))
    odd["metric"] = draw.draw(st.sampled_from([row["metric"], "throughput", "smell"]))
    found = answered(odd)
    assert isinstance(found, str) or (isfinite(found.value) and 0 <= found.low <= found.value <= found.high)


WORDS = "batch prompt_tokens prompt input_tokens output_tokens generated_tokens requests weights_gib weights dtype mode"


@pytest.mark.parametrize("kind", ["decode", "prefill", "serving"])
@given(st.dictionaries(st.sampled_from([*WORDS.split(), "tensor_parallel", "software"]), MESS, max_size=4))
def test_no_condition_lets_an_estimate_pass_its_bound(kind, conditions):
    good = ODD[kind]["good"]
    row = read({**good, "conditions": good["conditions"] | conditions}, KINDS)
    try:
        found = guarded(model_of(kind), row, constants.of(kind)[0])
    except NotAvailable:
        return
    fast, slow = (found.bound, found.value) if less_is_better(row) else (found.value, found.bound)
    assert 0 < fast <= slow * (1 + 1e-9) and found.why


def test_a_part_of_a_kind_is_of_that_kind():
    assert kind_of("training_1b") == "training" and kind_of("gemm") == "gemm"
    row = next(row for row in ROWS if row["kind"] != kind_of(row["kind"]))
    assert answered(row) == answered({**row, "kind": kind_of(row["kind"])})


@pytest.mark.parametrize(
    "error", [KeyError("m"), ZeroDivisionError(), AttributeError("x"), OverflowError(), TypeError("y")]
)
def test_what_a_model_stumbles_over_is_not_available(error):
    def estimate(row, constants):
        raise error

    with pytest.raises(NotAvailable, match="states what the models cannot take") as found:
        guarded(SimpleNamespace(estimate=estimate), read(ROW, ("gemm",)), None)
    assert found.value.__cause__ is error


@pytest.mark.parametrize("value, bound", [(float("nan"), 1), (float("inf"), 1), (-1, 1), (1, float("nan"))])
def test_garbage_is_not_available(value, bound):
    module = SimpleNamespace(estimate=lambda row, constants: Estimate(value, bound, "memory", "why."))
    with pytest.raises(NotAvailable, match="outside"):
        guarded(module, read(ROW, ("gemm",)), None)


def test_nothing_passes_the_bound():
    row = read(ROW, ("gemm",))
    found = predicted(Estimate(80, 100, "arithmetic", "why."), row, 0.5, 2)
    assert (found.low, found.value, found.high, found.bound) == (40, 80, 100, 100)
    time = read({**ROW, "unit": "ms"}, ("gemm",))
    found = predicted(Estimate(12, 10, "arithmetic", "why."), time, 0.5, 2)
    assert (found.low, found.value, found.high, found.bound) == (10, 12, 24, 10)


def test_no_kind_is_imported_before_it_is_asked_for():
    code = (
        "import sys; from accelerator_lib import validation;"
        "print(sorted(m for m in sys.modules if m.startswith('accelerator_lib.') and m.split('.')[1] in"
        " ('gpu', 'llm', 'network', 'tiling', 'systolic', 'roofline', 'workload', 'memory', 'design')),"
        " {'matplotlib', 'jax', 'ipywidgets', 'scipy'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[] set()"


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_one_module_with_its_constants(kind):
    module = import_module(f"accelerator_lib.validation.{KINDS[kind]}")
    assert all(least > 0 and least <= start <= most for least, start, most in module.FREE.values())
    assert set(module.BY_FAMILY) <= set(module.FREE)


SAID = {"batch": 64, "context_tokens": 512, "dtype": "fp16"}
DECODE = stated("decode", "NVIDIA H100 SXM5 80GB", "Llama-2-7B fp16 decode", "throughput", "tokens/s", **SAID)
GEMM = stated("gemm", "H100", "dense matmul", "throughput", "TFLOP/s", M=4096, N=4096, K=4096, dtype="bf16")


def stating(row, **conditions):
    return {**row, "conditions": {**row["conditions"], **conditions}}


@pytest.mark.parametrize("row, name", [(DECODE, "batch"), (DECODE, "context_tokens"), (GEMM, "M")])
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.float32, np.float64, np.array])
def test_a_number_of_numpy_is_that_number(row, name, kind):
    assert predict(stating(row, **{name: kind(row["conditions"][name])})) == predict(row)


@pytest.mark.parametrize("row, name", [(DECODE, "batch"), (DECODE, "context_tokens"), (GEMM, "M")])
@pytest.mark.parametrize("several", [[64, 64], np.array([64, 64]), [1] * 10**6, np.ones((2, 2)), True])
def test_what_is_no_one_number_is_refused_by_name(row, name, several):
    with pytest.raises((ValueError, TypeError), match=rf"{name} (must be|holds)") as found:
        predict(stating(row, **{name: several}))
    assert "\n" not in str(found.value) and len(str(found.value)) < 200


def test_long_values_do_not_hide_the_reason():
    with pytest.raises(NotAvailable, match="batch must be a whole number from 1 to a million"):
        predict(stating(DECODE, batch="9" * 1999))
    with pytest.raises(NotAvailable, match="M must be a number, not str") as found:
        predict({**stating(GEMM, M="x" * 1999), "id": "y" * 1999})
    assert len(str(found.value)) < 200


def test_a_row_is_read_into_a_dict_of_its_own_without_its_value():
    kept = copy.deepcopy(ROW)
    found = record.read(ROW, ("gemm",))
    assert "value" not in found and found["conditions"] == ROW["conditions"]
    found["conditions"]["M"] = 2
    assert kept == ROW


def test_missing_words_are_empty_and_another_unit_is_converted():
    found = record.read({"kind": "gemm", "unit": "TFLOP/s", "metric": "throughput", "device": None}, ("gemm",))
    assert (found["id"], found["device"], found["workload"]) == ("the row", "", "")
    assert found["n_devices"] is None and found["conditions"] == {} and found["scale"] == 1
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


def test_of_times_less_is_better():
    speed = record.Prediction(90, 80, 100, 100, "memory", "why", "GB/s")
    time = record.Prediction(10, 9, 11, 9, "memory", "why", "ms", faster_is_less=True)
    assert speed.beaten(101) and not speed.beaten(99) and time.beaten(8) and not time.beaten(10)
    assert {"s", "ms", "us", "µs", "ns", "cycles"} <= record.TIMES
    assert not {"GB/s", "%", "tokens/s", "x"} & record.TIMES


SCALARS = [np.int64(64), np.int32(64), np.float32(0.5), np.float16(2), np.array(64), np.bool_(True)]
LISTS = [([np.int64(1), 2.0], [1, 2.0]), ((1, 2), [1, 2]), (np.array([1, 2]), [1, 2])]
OTHERS = [(np.str_("fp16"), "fp16"), (Fraction(1, 2), 0.5), *LISTS]


@pytest.mark.parametrize("given, kept", [(np.longdouble(3), 3.0), *((each, each.item()) for each in SCALARS), *OTHERS])
def test_numbers_of_numpy_become_pythons_own(given, kept):
    found = record.read({**ROW, "conditions": {"M": given}, "n_devices": np.int64(8)}, ("gemm",))
    assert found["conditions"]["M"] == kept and type(found["conditions"]["M"]) is type(kept)
    assert all(type(each) in (int, float) for each in (kept if isinstance(kept, list) else ()))
    assert found["n_devices"] == 8 and type(found["n_devices"]) is int


@pytest.mark.parametrize("unit, known, told", TABLE["a_unit_becomes_one_that_the_models_speak"])
def test_a_unit_becomes_one_that_the_models_speak(unit, known, told):
    assert record.spoken(unit, tuple(known)) == (told[0], pytest.approx(told[1]))


@given(st.sampled_from(["kB/s", "MB/s", "GB/s", "TB/s", "GiB/s"]), st.sampled_from(["MB/s", "GB/s", "TB/s"]))
def test_there_and_back_again_is_where_one_was(unit, other):
    _, there = record.spoken(unit, (other,))
    _, back = record.spoken(other, (unit,))
    assert there * back == pytest.approx(1)


def test_a_family_has_its_own_constant_and_what_was_asked_for_is_remembered():
    share = constants.Constants({"share": 0.8, "share.hopper": 0.9})
    assert share("share", "hopper") == 0.9 and share("share", "ampere") == share("share") == 0.8
    assert share.name(("share", "hopper")) == "share.hopper" and share.name(("share", None)) == "share"
    with pytest.raises(TypeError):
        share.values["share"] = 1
    ask = constants.Listening({"share": 0.8, "share.hopper": 0.9, "launch": 5})
    assert ask("share", "hopper") == 0.9 and ask("launch") == 5
    assert ask.asked == {("share", "hopper"): 0.9, ("launch", None): 5}


def test_a_kind_without_calibration_says_what_to_run(monkeypatch):
    monkeypatch.setattr(data, "load", lambda name: {})
    with pytest.raises(NotAvailable, match="make calibrate"):
        constants.of.__wrapped__("gemm")


@pytest.mark.parametrize("kind", KINDS)
def test_fitted_constants_lie_in_their_ranges_and_are_few(kind):
    fitted, low, high = constants.of(kind)
    free = model_of(kind).FREE
    assert set(free) <= set(fitted.values) and {name.partition(".")[0] for name in fitted.values} <= set(free)
    for name, value in fitted.values.items():
        least, start, most = free[name.partition(".")[0]]
        assert least <= start <= most and least * 0.999 <= value <= most * 1.001, name
        assert "." not in name or name.partition(".")[0] in model_of(kind).BY_FAMILY
    assert 0 < low <= 1 <= high
    assert len(fitted.values) <= 1 + len(data.published(kind)) / 10 or len(fitted.values) <= 2, "too many constants"
