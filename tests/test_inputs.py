import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from attacks import calling
from hypothesis import given, settings
from hypothesis import strategies as st
from refused import refused

import accelerator_course
import accelerator_lib
from accelerator_course import syllabus
from accelerator_lib import hardware, units, workload
from accelerator_lib.checks import inputs
from accelerator_lib.checks.signature import Switch

FOLDER = Path(accelerator_lib.__file__).parent
RANK_OF_MODELS = {*syllabus.rooms(), "machine", "kernels", "frames"}
NAMES = ["", "bf16", "fp32", "h100-sxm5", "tpu-v1", "H100"]
NUMBERS = [None, True, False, 0, 1, -1, 1e308, 5e-324, 1j]
OBJECTS = [workload.Gemm(4, 5, 6), [], [1, 2], ["a"], {}, np.array([1.0, np.nan]), np.array([2, 3]), object()]
WEIRD = st.floats() | st.integers(-(10**40), 10**40) | st.sampled_from([*NAMES, *NUMBERS]) | st.sampled_from(OBJECTS)
OUTSIDE = [float("nan"), float("inf"), -float("inf"), -1, 0, 1e300, 10**400, 1e-300]


@pytest.mark.parametrize("value", [*OUTSIDE, "1", None, True, 1j, [], {}, ["a"], object(), np.array(["a"])])
def test_a_quantity_outside_every_machine_and_what_is_no_number_are_refused_by_name(value):
    outside = type(value) in (int, float)
    with pytest.raises(ValueError if outside else (TypeError, ValueError)) as found:
        inputs.real("x", value, unit="B/s")
    assert re.match(r"x .*allowed.*B/s" if outside else "x must|x is empty", str(found.value))


def test_an_array_is_checked_element_by_element():
    refused(ValueError, "x is not a number", inputs.real, "x", np.array([1.0, np.nan]))
    assert inputs.real("x", [1, 2]).dtype == float
    for outside in ([5, 0.5, 7], [5, 11, 7]):  # one element below, one above: both ends hold for each
        said = r"x = (0.5|11.0) is outside the allowed range, 1 to 10"
        refused(ValueError, said, inputs.real, "x", outside, low=1, high=10)
    assert inputs.real("x", [1, 10], low=1, high=10).tolist() == [1, 10]


def test_whole_numbers_stay_exact_and_halves_are_refused_and_only_true_and_false_are_flags():
    assert inputs.whole("m", 10**11) == 10**11 and isinstance(inputs.whole("m", np.int64(3)), int)
    assert inputs.whole("m", 4.0) == 4 and Switch("overlap", np.bool_(True)) is True
    refused(ValueError, "m must be whole, not 2.5", inputs.whole, "m", 2.5)
    refused(TypeError, "overlap must be True or False", Switch, "overlap", 1)


def test_a_typo_is_answered_with_the_nearest_names_three_at_most():
    said = "^dtype 'bf61' is unknown; did you mean 'bf16' or 'fp16'[?]$"
    refused(inputs.UnknownName, said, inputs.one_of, "dtype", "bf61", ["bf16", "fp16"])
    said = "dtype must be a name such as 'bf16', not int 16"
    refused(TypeError, said, inputs.one_of, "dtype", 16, ["bf16"])
    known = ["fp11", "fp12", "fp13", "fp14", "fp15"]
    refused(inputs.UnknownName, "did you mean 'fp1.' or 'fp1.' or 'fp1.'[?]$", inputs.one_of, "dtype", "fp1", known)


class Mute(int):
    def __repr__(self):
        raise ValueError("no words")


class Long:
    def __repr__(self):
        return "x" * 10**6


ODD = [10**5000, -(10**5000), [10**5000], {1: 10**5000}, Mute(3), [Mute(3)], Long(), [Long()]]


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_what_is_shown_is_short_whatever_it_is(value):
    assert 0 < len(inputs.shown(value)) <= 24 and "limit" not in inputs.shown(value)
    for check in (Switch, lambda *given: inputs.one_of(*given, ("a", "b")), inputs.count, inputs.real):
        try:
            check("x", value)
        except (TypeError, ValueError) as error:
            assert re.match("x (must|=|has|holds)", str(error)) and len(str(error)) < 100, error
    for ask in (hardware.chip, hardware.format_bytes):
        refused(TypeError, "(chip|dtype) must be .* not int 10[*][*]", ask, 10**5000)


def checked_functions():
    """Every function and record that checks its inputs: whatever a question's key may call, and frames of steppers."""
    for path in sorted([*FOLDER.rglob("*.py"), *Path(accelerator_course.__file__).parent.glob("frames/*.py")]):
        parts = path.relative_to(FOLDER.parent).with_suffix("").parts
        if len(parts) == 2 or parts[1] in RANK_OF_MODELS:
            module = import_module(".".join(parts).removesuffix(".__init__"))
            for value in vars(module).values():
                if hasattr(value, "kinds") and getattr(value, "__module__", None) == module.__name__:
                    yield value


PUBLIC = list(checked_functions())


def test_the_public_functions_are_found():
    names = {f"{f.__module__}.{f.__name__}" for f in PUBLIC}
    assert {"accelerator_lib.roofline.roof.place", "accelerator_lib.workload.work.Gemm"} <= names and len(names) > 60


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_any_input_gives_a_finite_answer_or_one_clear_line(function):
    @settings(max_examples=20)
    @given(data=st.data())
    def tried(data):
        answers(function, data)

    tried()


def answers(function, data):
    good = st.sampled_from([1, 2, 64, 0.5, 1e12, 3.5e9, "h100-sxm5", "bf16", "resnet-50", workload.Gemm(8, 9, 10)])
    arguments = [data.draw(st.one_of(good, WEIRD)) for _ in list(inspect.signature(function).parameters)[:8]]
    with np.errstate(all="raise", under="ignore"):
        try:
            found = list(calling.numbers_in(function(*arguments)))
        except (ValueError, TypeError, KeyError) as error:
            said = str(error)
            assert "\n" not in said and len(said) > 8 and "truth value" not in said and "0-dimensional" not in said
            return
    for number in found:
        assert np.all(np.isfinite(np.asarray(number, dtype=float))), (arguments, number)


@given(st.one_of(st.floats(-1e30, 1e30), st.integers(-(10**30), 10**30)))
def test_every_finite_number_can_be_printed(value):
    for text in (units.si(value, "s"), units.number(value), units.percent(value)):
        assert text and "nan" not in text


def test_arrays_that_would_become_far_larger_together_are_refused_by_name():
    line = r"10,000,000,000 numbers of arrays taken together .* a \(100000, 1\) or b \(1, 100000\)"
    refused(ValueError, line, inputs.together, {"a": (10**5, 1), "b": (1, 10**5)})
    for shapes in ((10**9,), (1,)), ((1000, 1), (1, 10**4)):  # as large as one of them is
        inputs.together(dict(zip("ab", shapes, strict=True)))


def test_a_span_of_time_is_no_number_and_a_mask_is_not_lost():
    for odd in (np.timedelta64(5, "ns"), np.ma.masked, np.ma.masked_array([1.0, 2.0], [0, 1])):
        refused(TypeError, "t (must be a|has masked)", inputs.real, "t", odd)
    refused(TypeError, "t must", inputs.whole, "t", np.timedelta64(5))
    assert inputs.real("t", np.ma.masked_array([1.0, 2.0])).tolist() == [1.0, 2.0]
