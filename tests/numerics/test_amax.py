"""Scales from a history: a loop beside the vectorised one, a spike, and what no history can know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.numerics import FORMATS, amax

SIZES = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=40)


@given(SIZES, st.integers(1, 60), st.sampled_from(["e4m3", "e5m2"]), st.integers(0, 4))
def test_a_loop_finds_the_same_scales(sizes, history, format, margin):
    found = amax.delayed(sizes, history, format, margin)
    for step, scale in enumerate(found.scales):
        known = max(sizes[max(0, step - history) : step] or [sizes[0]])
        assert scale == pytest.approx(FORMATS[format].max / 2**margin / known)
        assert found.clipped[step] == (sizes[step] * scale > FORMATS[format].max * (1 + 1e-12))


@pytest.mark.parametrize("history", [1, 16, 1024])
def test_a_spike_is_clipped_whatever_the_history(history):
    found = amax.delayed(amax.magnitudes(16.0), history)
    assert found.clipped[amax.AT] and found.worst > 8


def test_a_long_history_clips_less_and_wastes_more():
    sizes = amax.magnitudes(16.0)
    short, long = amax.delayed(sizes, 1), amax.delayed(sizes, 1024)
    assert short.clipped.sum() > 100 * long.clipped.sum() >= 100
    after = slice(amax.AT + 2, amax.AT + 1000)
    assert long.headroom_octaves[after].mean() > 4 > 1 > short.headroom_octaves[after].mean()
    assert long.headroom_octaves[-1] < 2  # 1,024 steps later the spike is forgotten


@given(SIZES)
def test_with_a_margin_nothing_that_grows_less_is_clipped(sizes):
    spread = np.log2(max(sizes) / min(sizes))
    if spread < 7.9:
        assert not amax.delayed(sizes, 1, margin=8).clipped.any()


def test_what_is_no_history_is_refused():
    with pytest.raises(ValueError, match="amax"):
        amax.delayed([1.0, float("nan")])
    with pytest.raises(ValueError, match="history"):
        amax.delayed([1.0], 0)
    with pytest.raises(ValueError, match="one number a step"):
        amax.delayed(np.ones((2, 2)))
    with pytest.raises(KeyError, match="e4m3"):
        amax.delayed([1.0], 4, "e4m2")
