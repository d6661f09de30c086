"""Chips that hold a model, and TOPS a watt."""

import pytest

from accelerator_lib import design, llm


@pytest.mark.parametrize("size, memory, chips", [(2, 230e6, 600), (2, 80e9, 2), (2, 44e9, 4), (0.5, 230e6, 150)])
def test_a_model_of_70_billion(size, memory, chips):
    weights = llm.param_count("llama-2-70b")
    assert design.chips_for_weights(weights, size, memory) == chips
    assert (chips - 1) * memory < weights * size <= chips * memory


def test_tops_per_watt():
    assert [design.tops_per_watt(4, 2), design.tops_per_watt(512, 50)] == [2.0, 10.24]


@pytest.mark.parametrize("call", [
    lambda: design.chips_for_weights(0, 2, 80e9), lambda: design.chips_for_weights(7e9, float("nan"), 80e9),
    lambda: design.chips_for_weights(7e9, 2, 0), lambda: design.tops_per_watt(1, 0), lambda: design.tops_per_watt(-1, 5),
])  # fmt: skip
def test_bad_input(call):
    with pytest.raises((ValueError, TypeError)):
        call()
