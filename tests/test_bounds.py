"""What a signature says of its arguments: it is checked, its defaults keep to it, its limits can be said aloud."""

import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

from accelerator_course import syllabus
from accelerator_lib.checks.signature import Kind

ROOMS = [*(f"accelerator_lib.{topic}" for topic in (*syllabus.rooms(), "machine")), "accelerator_course.frames"]
REASONS = {1.001, 12, 23, 24}  # a share, and rounding; designs of a race; fraction bits of FP32; the finest converter
REASONS |= {25, 450, 63, 127}  # mm: the smallest and the largest wafer; users of 64 slots but one; exponents of a scale
REASONS |= {255, 858}  # registers of a thread; mm² that one exposure prints


def targets(room):
    """Functions and records of a room's modules: (where, the thing)."""
    package = import_module(room)
    for found in walk_packages(package.__path__, f"{package.__name__}."):
        for name, one in vars(import_module(found.name)).items():
            if (inspect.isfunction(one) or inspect.isclass(one)) and one.__module__ == found.name:
                yield f"{found.name}.{name}", one


def sayable(end):
    """One digit and zeros, a power of two, whole KiB, or one with a reason."""
    end = float(end)
    whole = abs(end) % 1 == 0 and int(abs(end)) & (int(abs(end)) - 1) == 0
    return float(f"{end:.0e}") == end or whole or end % 1024 == 0 or 1 / end % 2 == 0 or abs(end) in REASONS


@pytest.mark.parametrize("room", ROOMS)
def test_what_may_enter_is_checked_its_default_may_be_given_and_its_limits_can_be_said(room):
    for where, one in targets(room):
        kinds = getattr(one, "kinds", {})
        said = [kind for kind in inspect.get_annotations(inspect.unwrap(one)).values() if isinstance(kind, Kind)]
        assert hasattr(one, "kinds") or not said, f"{where} is not @checked"
        parameters = inspect.signature(one).parameters if kinds else {}
        for name, kind in kinds.items():
            default = parameters[name].default if name in parameters else None
            if default is not None and default is not inspect.Parameter.empty:
                assert kind(f"{where}.{name}", default) is not None
            assert all(end is None or sayable(end) for end in (kind.low, kind.high)), f"{where}.{name}"
            # what may be negative may be so by far: an exponent, a weight; just below zero is a slip
            assert kind.low is None or kind.low >= 0 or kind.low <= -10, f"{where}.{name}"
