"""Hostile arguments: a sample of what `make attacks` tries, and that it would notice."""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from attacks import attack, calling, hostile

from accelerator_lib import memory, roofline
from accelerator_lib.checks import inputs

ATTACK = Path(__file__).parent / "attacks" / "attack.py"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="it forks, and reads /proc")


@LINUX
def test_a_sample_of_hostile_arguments_is_answered_in_one_line_that_names_the_argument():
    asked = [sys.executable, str(ATTACK), "--sample", "25", "--tries", "8", "--seed", "1"]
    run = subprocess.run(asked, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-3000:]
    assert "200 tries on 25 functions" in run.stdout


def gives_nan(x):
    return x * float("nan")


def asks_itself(x):
    return [] if x else 1 + "1"


def mutates(x):
    x.append(1)
    return 1.0


def never_ends(x):
    while True:
        x += 1


def floods(x):
    return [bytes(10**8) for _ in range(10**6)]


def stops(x):
    raise SystemError("it stops")


FAULTS = {"unsound": (gives_nan, 1.0), "raw": (asks_itself, 0), "mutated": (mutates, [1])}
FAULTS |= {"freeze": (never_ends, 1), "flood": (floods, 1), "class": (stops, 1)}


@LINUX
@pytest.mark.parametrize("kind", FAULTS)
def test_each_kind_of_fault_would_be_found(kind):
    function, good = FAULTS[kind]
    code = (
        f"import sys; sys.path[:0] = [{str(ATTACK.parents[1])!r}]; from attacks import attack; import test_attacks;"
        "import resource, signal; signal.signal(signal.SIGPROF, attack._late);"
        f"attack.SECONDS = {4 if kind == 'flood' else 0.3};"
        "most = attack._data_bytes() + 3 * 10**8; resource.setrlimit(resource.RLIMIT_DATA, (most, most));"
        f"print(attack.one_try(test_attacks.{function.__name__}, {{'x': {good!r}}}, ['x'])[0])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.stdout.strip() == kind, run.stderr


def test_a_line_that_names_no_argument_and_a_narrow_sum_would_be_found():
    with pytest.raises(ValueError) as found:
        inputs.real("bandwidth", -1)
    assert attack.wrong_in(found.value, ["bandwidth"]) is None
    assert attack.wrong_in(found.value, ["peak"])[0] == "nameless"
    assert not calling.same(np.int8(100) + np.int8(27), 128) and calling.same([1, {"a": 2.0}], [1, {"a": 2}])


def test_hostile_values_are_made_of_the_good_one():
    draw = random.Random(1)
    labels = {hostile.spoiled(64, draw)[0] for _ in range(400)}
    assert {"NaN", "10**400", "a ragged list", "twice in a list", "its letters"} <= labels
    kind, narrow, plain = hostile.narrowed(np.arange(300), draw)
    assert narrow.dtype.itemsize < plain.dtype.itemsize and calling.same(narrow, plain) and "array" in kind


RAW = [
    lambda: roofline.ridge_point([1e12, 2e12], [1e9, 2e9, 3e9]),
    lambda: roofline.ridge_point([[1, 2], [3]], 1e9),
    lambda: roofline.place(3, "h100-sxm5"),
    lambda: memory.census(3, memory.Cache(64, 8)),
]


@pytest.mark.parametrize("job", RAW)
def test_no_raw_error_of_numpy_reaches_a_learner(job):
    with pytest.raises((ValueError, TypeError)) as found:
        job()
    assert attack.wrong_in(found.value, ["peak", "bandwidth", "gemm", "addresses"]) is None
