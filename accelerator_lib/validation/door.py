"""The door: a row comes in, its kind's model is asked, a Prediction goes out."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from math import isfinite

from accelerator_lib import data
from accelerator_lib.checks.inputs import LONGEST_LINE, NotAvailable
from accelerator_lib.checks.signature import Given, checked
from accelerator_lib.validation import constants, profile
from accelerator_lib.validation.record import Estimate, Prediction, less_is_better, read

# kind -> the module that holds its models, as `estimate(row, constants)`, and FREE, what is fitted
KINDS = {kind: its["module"] for kind, its in data.load("validation")["kinds"].items()}
PARTS = {part: kind for kind, parts in data.PARTS.items() for part in parts}  # kinds that a chapter sets apart
BROKEN = (LookupError, ValueError, TypeError, ArithmeticError, AttributeError)


def kind_of(name):
    """The kind that a name of a kind means: of a part, the whole."""
    return PARTS.get(name, name) if isinstance(name, str) else name


def whole(row):
    """A row as the models read it, of a part of a kind as of the kind. Raises TypeError, ValueError or UnknownName."""
    part = isinstance(row, Mapping) and kind_of(row.get("kind"))
    return read({**row, "kind": part} if part else row, (*KINDS, *profile.ALONE))


@cache
def model_of(kind):
    """The module that foretells rows of a kind."""
    return import_module(f"accelerator_lib.validation.{KINDS[kind]}")


@checked
def predict(row: Given("a row as in data/measured.yaml", whole)):
    """Prediction of a row as it stands in data/measured.yaml, known or never seen; its value is not looked at. Times of
    single kernels: validation.profile. Raises NotAvailable where it does not state enough or its device is unknown;
    ValueError, TypeError where it is no row."""
    if profile.law(row):
        try:
            return predicted(guarded(profile, row, None), row)
        except NotAvailable:
            if row["kind"] not in KINDS:
                raise  # other models know chips and formats that nobody profiled
    return foretell(row, *constants.of(row["kind"]))


def foretell(row, constants, low=1.0, high=1.0, module=None):
    """Prediction of a row that was read, by such constants, and its kind's models or others. Raises NotAvailable."""
    return predicted(guarded(module or model_of(row["kind"]), row, constants), row, low, high)


def guarded(module, row, fitted):
    """Estimate of a row; NotAvailable wherever the models cannot take what it states."""
    try:
        found = Estimate(*module.estimate(row, fitted))
    except NotAvailable as why:
        if len(str(why)) <= LONGEST_LINE:
            raise
        raise NotAvailable(f"{str(why)[:LONGEST_LINE]} ...") from None
    except BROKEN as why:
        raise NotAvailable(f"{row['id']} states what the models cannot take: {str(why)[:200]}") from why
    if not (isfinite(found.value) and found.value >= 0 and isfinite(found.bound) and found.bound >= 0):
        raise NotAvailable(f"{row['id']} lies outside what the models can compute")
    return found


def predicted(estimate, row, low=1.0, high=1.0):
    """The Prediction of an Estimate whose speed is off by factors from `low` to `high`; nothing passes the bound."""
    less, bound, low, high = less_is_better(row), float(estimate.bound), low * estimate.low, high * estimate.high
    within = (lambda value: max(value, bound)) if less else (lambda value: min(value, bound))
    factors = (1.0, 1 / high, 1 / low) if less else (1.0, low, high)
    ends = [within(float(estimate.value) * each) / row["scale"] for each in factors]
    return Prediction(*ends, bound / row["scale"], estimate.limit, estimate.why, row["asked"], less)
