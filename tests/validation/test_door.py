import copy
import subprocess
import sys
from importlib import import_module
from math import isfinite
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_rows import HOSTILE, ROW

from accelerator_lib import data, validation
from accelerator_lib.validation import KINDS, NotAvailable, predict
from accelerator_lib.validation.door import guarded, kind_of, told
from accelerator_lib.validation.record import Estimate, less_is_better, read

ROWS = [row for kind in KINDS for row in data.published(kind).values()]


def answered(row):
    """A Prediction, or the line that says why there is none."""
    try:
        return predict(row)
    except NotAvailable as why:
        return str(why)


@pytest.mark.parametrize("row, error, says", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_row_is_answered_in_one_clear_line(row, error, says):
    with pytest.raises(error) as found:
        predict(row)
    assert "\n" not in str(found.value) and len(str(found.value)) < 300


@pytest.mark.parametrize("kind", KINDS)
def test_every_published_row_is_foretold_or_says_what_is_missing(kind):
    told = {id: answered(row) for id, row in data.published(kind).items()}
    for id, found in told.items():
        if isinstance(found, str):
            assert found and "\n" not in found and len(found) < 300, id
            continue
        assert 0 <= found.low <= found.value <= found.high and isfinite(found.high), id
        assert found.unit == data.published(kind)[id]["unit"] and found.limit and found.why.endswith("."), id
        least = less_is_better(data.published(kind)[id])
        assert (found.low >= found.bound if least else found.high <= found.bound) and found.faster_is_less == least, id


@pytest.mark.parametrize("kind", KINDS)
def test_no_published_row_is_refused_by_accident(kind):
    """What a model cannot take is turned into NotAvailable at the door; of these rows none may need that."""
    for row in data.published(kind).values():
        try:
            predict(row)
        except NotAvailable as why:
            assert why.__cause__ is None, (row["id"], why.__cause__)


def test_the_value_is_never_looked_at():
    for row in ROWS:
        bare = {key: it for key, it in row.items() if key not in ("value", "basis")}
        found = answered(row)
        for other in (bare, {**row, "value": 0}, {**row, "value": 1e9}, {**row, "value": None}):
            assert answered(other) == found, row["id"]


def test_a_row_is_left_as_it_was():
    for row in ROWS:
        kept = copy.deepcopy(row)
        answered(row)
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
    found = told(Estimate(80, 100, "arithmetic", "why."), row, 0.5, 2)
    assert (found.low, found.value, found.high, found.bound) == (40, 80, 100, 100)
    time = read({**ROW, "unit": "ms"}, ("gemm",))
    found = told(Estimate(12, 10, "arithmetic", "why."), time, 0.5, 2)
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


def test_every_module_has_a_test_module_of_its_name():
    here = Path(__file__).parent
    for path in Path(validation.__file__).parent.glob("*.py"):
        assert path.stem == "__init__" or (here / f"test_{path.stem}.py").exists(), path.stem


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_one_module_with_its_constants(kind):
    module = import_module(f"accelerator_lib.validation.{KINDS[kind]}")
    assert all(least > 0 and least <= start <= most for least, start, most in module.FREE.values())
    assert set(module.BY_FAMILY) <= set(module.FREE)


DECODE = {
    "id": "d", "kind": "decode", "unit": "tokens/s", "metric": "throughput", "device": "NVIDIA H100 SXM5 80GB",
    "n_devices": 1, "workload": "Llama-2-7B fp16 decode",
    "conditions": {"batch": 64, "context_tokens": 512, "dtype": "fp16"},
}  # fmt: skip
GEMM = {
    "id": "g", "kind": "gemm", "unit": "TFLOP/s", "metric": "throughput", "device": "H100", "n_devices": 1,
    "workload": "dense matmul", "conditions": {"M": 4096, "N": 4096, "K": 4096, "dtype": "bf16"},
}  # fmt: skip


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


def test_a_number_of_a_thousand_digits_names_its_condition():
    with pytest.raises(NotAvailable, match="batch must be a whole number from 1 to a million"):
        predict(stating(DECODE, batch="9" * 1999))


def test_long_words_do_not_hide_the_reason():
    with pytest.raises(NotAvailable, match="M must be a number, not str") as found:
        predict({**stating(GEMM, M="x" * 1999), "id": "y" * 1999})
    assert len(str(found.value)) < 200
