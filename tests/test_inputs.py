import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accelerator_course
import accelerator_lib
from accelerator_course import syllabus
from accelerator_lib import hardware, units, workload
from accelerator_lib.checks import inputs

FOLDER = Path(accelerator_lib.__file__).parent
RANK_OF_MODELS = {*syllabus.rooms(), "machine", "kernels", "frames"}
WEIRD = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-(10**40), 10**40),
    st.sampled_from(
        [None, True, False, "", "bf16", "fp32", "h100-sxm5", "tpu-v1", "H100", 0, 1, -1, 1e308, 5e-324, 1j]
    ),
    st.sampled_from(
        [workload.Gemm(4, 5, 6), [], [1, 2], ["a"], {}, np.array([1.0, np.nan]), np.array([2, 3]), object()]
    ),
)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -1, 0, 1e300, 10**400, 1e-300])
def test_a_quantity_outside_every_machine_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^bandwidth .*allowed.*B/s"):
        inputs.real("bandwidth", value, unit="B/s")


@pytest.mark.parametrize("value", ["1", None, True, 1j, [], {}, ["a"], object(), np.array(["a"])])
def test_what_is_no_number_is_refused_by_type(value):
    with pytest.raises((TypeError, ValueError), match="^x must|^x is empty"):
        inputs.real("x", value)


def test_an_array_is_checked_element_by_element():
    with pytest.raises(ValueError, match="x is not a number"):
        inputs.real("x", np.array([1.0, np.nan]))
    assert inputs.real("x", [1, 2]).dtype == float
    for outside in ([5, 0.5, 7], [5, 11, 7]):  # one element below, one above: both ends hold for each
        with pytest.raises(ValueError, match=r"x = (0.5|11.0) is outside the allowed range, 1 to 10"):
            inputs.real("x", outside, low=1, high=10)
    assert inputs.real("x", [1, 10], low=1, high=10).tolist() == [1, 10]


def test_whole_numbers_stay_exact_and_halves_are_refused():
    assert inputs.whole("m", 10**11) == 10**11 and isinstance(inputs.whole("m", np.int64(3)), int)
    assert inputs.whole("m", 4.0) == 4
    with pytest.raises(ValueError, match="m must be whole, not 2.5"):
        inputs.whole("m", 2.5)


def test_a_typo_is_answered_with_the_nearest_name():
    with pytest.raises(inputs.UnknownName) as caught:
        inputs.one_of("dtype", "bf61", ["bf16", "fp16"])
    assert str(caught.value) == "dtype 'bf61' is unknown; did you mean 'bf16' or 'fp16'?"
    with pytest.raises(TypeError, match="dtype must be a name such as 'bf16', not int 16"):
        inputs.one_of("dtype", 16, ["bf16"])


def test_at_most_three_names_are_offered():
    with pytest.raises(inputs.UnknownName, match="did you mean 'fp1.' or 'fp1.' or 'fp1.'[?]$"):
        inputs.one_of("dtype", "fp1", ["fp11", "fp12", "fp13", "fp14", "fp15"])


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
    for check in (inputs.flag, lambda *given: inputs.one_of(*given, ("a", "b")), inputs.count, inputs.real):
        try:
            check("x", value)
        except (TypeError, ValueError) as error:
            assert re.match("x (must|=|has|holds)", str(error)) and len(str(error)) < 100, error


@pytest.mark.parametrize("ask", [hardware.chip, hardware.format_bytes])
def test_a_name_of_many_digits_is_answered_by_the_argument_s_name(ask):
    with pytest.raises(TypeError, match="(chip|dtype) must be .* not int 10[*][*]"):
        ask(10**5000)


def test_only_true_and_false_are_flags():
    assert inputs.flag("overlap", np.bool_(True)) is True
    with pytest.raises(TypeError, match="overlap must be True or False"):
        inputs.flag("overlap", 1)


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


def numbers_in(result, depth=0):
    """Every number a result holds or computes, properties included."""
    if isinstance(result, np.ndarray) and result.dtype == object:
        yield from numbers_in([part for part in result.flat if part is not None], depth)  # None: no batch is enough
    elif isinstance(result, (int, float, np.ndarray, np.number)):
        yield result
    elif isinstance(result, (list, tuple)):
        for part in result:
            yield from numbers_in(part, depth)
    elif isinstance(result, dict):
        yield from numbers_in(list(result.values()), depth)
    elif depth < 2 and type(result).__module__.startswith("accelerator_"):
        for name in dir(result):
            if not name.startswith("_") and not callable(getattr(result, name)):
                yield from numbers_in(getattr(result, name), depth + 1)


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
            result = function(*arguments)
            found = list(numbers_in(result))
        except (ValueError, TypeError, KeyError) as error:
            assert "\n" not in str(error) and len(str(error)) > 8
            assert not any(words in str(error) for words in ("truth value", "0-dimensional")), (
                "an array where one is asked"
            )
            return
    for number in found:
        assert np.all(np.isfinite(np.asarray(number, dtype=float))), (arguments, number)


@given(st.one_of(st.floats(-1e30, 1e30), st.integers(-(10**30), 10**30)))
def test_every_finite_number_can_be_printed(value):
    for text in (units.si(value, "s"), units.number(value), units.percent(value)):
        assert text and "nan" not in text


def test_arrays_that_would_become_far_larger_together_are_refused_by_name():
    line = r"10,000,000,000 numbers of arrays taken together .* a \(100000, 1\) or b \(1, 100000\)"
    with pytest.raises(ValueError, match=line):
        inputs.together({"a": (10**5, 1), "b": (1, 10**5)})
    inputs.together({"a": (10**9,), "b": (1,)})  # as large as one of them is
    inputs.together({"a": (1000, 1), "b": (1, 10**4)})
