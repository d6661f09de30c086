"""NumPy's own integers have 32 bits in a browser: where numbers grow beyond them, the models say which they use.

All cells run on a real NumPy of 32 bits in Pyodide (in_pyodide.py). What stands in for it here makes 32 bits of what NumPy
would make of Python's integers; it cannot change what the methods of an array return (`.sum()`, `.astype(int)`).
"""

import numpy as np
import pytest

from accelerator_lib.codesign import mapspace
from accelerator_lib.gpu import access
from accelerator_lib.memory import addresses
from accelerator_lib.silicon import falling
from accelerator_lib.workload import Gemm

MOST = np.iinfo(np.int32).max


class Narrow:
    """NumPy, as it is where a pointer has 32 bits."""

    intp = int_ = np.int32

    def __getattr__(self, name):
        found = getattr(np, name)
        plain = isinstance(found, type) or not callable(found)
        return found if plain else lambda *args, **more: made(found, args, more)


def made(function, args, more):
    """What a function returns, in 32 bits where nothing that it was given says how wide."""
    if function is np.repeat and np.asarray(args[1]).dtype == np.int64:
        raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'")
    found = function(*args, **more)
    parts = [part for arg in args for part in (arg if isinstance(arg, (list, tuple)) else [arg])]
    wide = "dtype" in more or any(isinstance(part, (np.ndarray, np.generic, type)) for part in parts)
    if wide or isinstance(found, (np.random.Generator, np.iinfo)):
        return found
    return type(found)(map(narrow, found)) if isinstance(found, (list, tuple)) else narrow(found)


def narrow(array):
    fits = getattr(array, "dtype", None) == np.int64 and np.max(np.abs(array), initial=0) <= MOST
    return array.astype(np.int32) if fits else array


@pytest.fixture(autouse=True)
def narrow_models(monkeypatch):
    for module in (mapspace, access, addresses, falling):
        monkeypatch.setattr(module, "np", Narrow())


def test_the_stand_in_overflows_as_a_browser_does():
    own = Narrow()
    assert own.arange(3).dtype == own.full(2, -1).dtype == own.array([1, 2]).dtype == np.int32
    assert own.arange(3, dtype=np.int64).dtype == own.array([2**40]).dtype == np.int64
    with np.errstate(over="ignore"):
        assert (own.arange(2**20) * 4096)[-1] < 0
    with pytest.raises(TypeError, match="int64"):
        own.repeat([1.0, 2.0], np.array([1, 2], np.int64))


def test_addresses_far_apart():
    rows, leading = 200, 2**24
    assert addresses.walk(rows, 2, 4, leading).tolist() == [4 * (leading * i + j) for i in range(rows) for j in (0, 1)]
    far = 2**25
    assert access.touched(lambda lane: lane * far, 1024).addresses.max() == 31 * far * 1024 + 1023


def test_the_best_mapping_of_a_large_product_costs_what_its_words_do():
    found = mapspace.best(Gemm(4096, 4096, 4096), 2**19, 2**15)
    assert found.joules == pytest.approx(mapspace.quick_joules((4096,) * 3, found.mapping, 2**19, 2**15))


def test_defects_fall():
    points = list(falling.defects(1, 0.1, alpha=3))
    assert points and all(np.hypot(x, y) <= 150 for x, y in points)
