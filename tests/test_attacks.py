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


FAULTS = {  # a function, and what it is good for
    "unsound": ("x * float('nan')", 1.0),
    "raw": ("[] if x else 1 + '1'", 0),
    "mutated": ("x.append(1) or 1.0", [1]),
    "freeze": ("[None for _ in iter(int, 1)]", 1),
    "flood": ("[bytes(10**8) for _ in range(10**6)]", 1),
    "class": ("(_ for _ in ()).throw(SystemError('it stops'))", 1),
}
TRIED = """import sys; sys.path[:0] = [{folder!r}]
import resource, signal
from attacks import attack
signal.signal(signal.SIGPROF, attack._late)
attack.SECONDS, most = {seconds}, attack._data_bytes() + 3 * 10**8
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
print(attack.one_try(lambda x: {function}, {{'x': {good!r}}}, ['x'])[0])"""


@LINUX
@pytest.mark.parametrize("kind", FAULTS)
def test_each_kind_of_fault_would_be_found(kind):
    function, good = FAULTS[kind]
    code = TRIED.format(
        folder=str(ATTACK.parents[1]), seconds=4 if kind == "flood" else 0.3, function=function, good=good
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
    assert {"nan", "1" + 39 * "0", "a ragged list", "twice in a list", "its letters"} <= labels
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
