"""A thousand updates of a thousandth: by this module, and by ml_dtypes one addition after the other."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.numerics import masters


@pytest.mark.parametrize("update", [1e-4, 1e-3, 0.0123])
def test_as_ml_dtypes_adds(update):
    found = masters.updated(1000, update)
    for name, kind in (("FP32 master", np.float32), ("fp16", np.float16), ("bf16", ml_dtypes.bfloat16)):
        weight = np.float64(1)
        for _ in range(1000):
            weight = np.float64(kind(weight + update))
        assert found[name] == pytest.approx(weight, rel=1e-6)


def test_one_and_a_thousand_thousandths():
    found = masters.updated(1000, 0.001)
    assert found["bf16"] == 1 and found["fp16"] == pytest.approx(1.9766, abs=1e-4)
    assert found["FP32 master"] == pytest.approx(2, abs=1e-4)
    draws = [masters.updated(1000, 0.001, seed)["bf16, stochastic"] for seed in range(20)]
    assert np.mean(draws) == pytest.approx(2, abs=0.05) and np.std(draws) > 0.01


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=5))
def test_arrays_are_points(counts):
    found = masters.updated(counts)
    for name, values in found.items():
        assert [masters.updated(count)[name] for count in counts] == values.tolist()


def test_limits():
    with pytest.raises(ValueError, match="updates"):
        masters.updated(4001)
    assert set(masters.updated(0).values()) == {1.0}
