"""For tests/int32.sh: what a Debian of 32 bits cannot say about a browser.

JAX and ml_dtypes have no build for it, and its numbers keep 80 bits between two steps, where a browser keeps 64: what compares last
digits, or which of two equal fits comes first, differs for that reason alone.
"""

import re
from pathlib import Path

import pytest

from accelerator_lib import data

MISSING = ("jax", "jaxlib", "ml_dtypes")
IMPORTED = re.compile(rf"^(import|from) ({'|'.join(MISSING)})\b", re.MULTILINE)
NAMES = data.parse(Path(__file__).with_suffix(".yaml"))


def pytest_ignore_collect(collection_path):
    path = Path(collection_path)
    if path.suffix == ".py" and IMPORTED.search(path.read_text(encoding="utf-8")):
        return True
    return True if path.as_posix().endswith(tuple(NAMES["needing"])) else None


def pytest_collection_modifyitems(items):
    for names, reason in ((NAMES["digits"], "floating-point numbers of 80 bits"), (NAMES["compiled"], "no JAX")):
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
