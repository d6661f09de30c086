"""For tests/int32.sh: what a Debian of 32 bits cannot say about a browser.

JAX and ml_dtypes have no build for it, and its floating-point numbers keep 80 bits between two steps, where a browser
keeps 64: what compares last digits, or which of two equal fits comes first, differs for that reason alone.
"""

import re
from pathlib import Path

import pytest

MISSING = ("jax", "jaxlib", "ml_dtypes")
IMPORTED = re.compile(rf"^(import|from) ({'|'.join(MISSING)})\b", re.MULTILINE)
DIGITS = (
    "test_everyone_finishes_when_bytes_over_bandwidth_says",
    "test_integers_are_within_half_a_step",
    "test_the_best_mask_of_four_is_the_best_of_all_six",
    "test_a_mask_fits_where_no_group_keeps_more_than_two",
    "test_the_calibration_is_what_a_fit_finds_today",
    "test_what_is_stored_is_what_climbing_finds_today",
    "test_the_stored_report_is_what_judging_finds_today",
)
COMPILED = (  # by JAX, and asked how
    "test_a_stream_counts_every_byte_that_its_arrays_hold_and_its_result",
    "test_passes_of_the_programs_in_the_cell",
    "test_bytes_of_a_program_by_hand",
    "test_one_compilation_serves_all_formats",
)
NEEDING = (  # test modules that need JAX where no import says so
    "tests/codesign/test_recorded.py",
    "tests/design/test_hosts.py",
    "tests/design/test_numbers.py",
    "tests/design/test_sharded.py",
    "tests/measure/test_main.py",
    "tests/network/test_devices.py",
)


def pytest_ignore_collect(collection_path):
    path = Path(collection_path)
    if path.suffix == ".py" and IMPORTED.search(path.read_text(encoding="utf-8")):
        return True
    return True if path.as_posix().endswith(NEEDING) else None


def pytest_collection_modifyitems(items):
    for names, reason in ((DIGITS, "floating-point numbers of 80 bits"), (COMPILED, "no JAX")):
        for item in items:
            if item.originalname in names:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    return (yield from unless_missing())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    return (yield from unless_missing())


def unless_missing():
    """What a test comes to; skipped where JAX is not there, and no recording stands in for it."""
    try:
        return (yield)
    except Exception as error:
        if (getattr(error, "name", None) or "").partition(".")[0] in MISSING or type(error).__name__ == "NotRecorded":
            pytest.skip(str(error))
        raise
