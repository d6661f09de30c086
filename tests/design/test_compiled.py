"""The compiled laws: what 32 bits and a compiler make of the grid."""

import numpy as np

from accelerator_lib.design import compiled, explore
from accelerator_lib.design.grid import AXES, opened


def test_the_compiled_grid_has_the_numbers_of_the_plain_one():
    found = explore.grid()
    legal, value = map(np.asarray, compiled.values(compiled.opened_floats()))
    assert legal.dtype == bool and value.dtype == np.float32
    assert legal.sum() == found.legal and np.array_equal(legal, found.allowed)
    assert np.allclose(value[legal], found.value[legal], rtol=compiled.CLOSE, atol=0)
    assert not value[~legal].any() and int(value.argmax()) == found.top()


def test_a_list_of_designs_gives_the_same_one_by_one():
    found = explore.grid()
    places = np.random.default_rng(3).integers(found.size, size=200)
    columns = [np.broadcast_to(axis, found.allowed.shape).ravel()[places] for axis in opened(AXES.values())]
    legal, value = map(np.asarray, compiled.listed(columns))
    assert np.array_equal(legal, found.allowed.ravel()[places])
    assert np.allclose(value[legal], found.value.ravel()[places][legal], rtol=compiled.CLOSE, atol=0)
