"""Weights are counted from the shape, and the facts say the same."""

import pytest

from accelerator_lib import llm
from accelerator_lib.inputs import NotAvailable
from accelerator_lib.workload import models


@pytest.mark.parametrize("id", [id for id, one in models.models().items() if one.kv_width])
def test_the_count_from_the_shape_is_that_of_the_table(id):
    assert llm.param_count(id) == llm.param_count(llm.model(id)) == models.models()[id].params


def test_by_hand():
    shape = llm.model("llama-3-70b")
    square, narrow, wide = 8192 * 8192, 8192 * 1024, 8192 * 28672
    layer = 2 * square + 2 * narrow + 3 * wide + 2 * 8192
    assert llm.param_count(shape) == 80 * layer + 8192 + 2 * 128256 * 8192


def test_a_shape_that_the_formula_does_not_cover_is_refused():
    with pytest.raises(NotAvailable, match="compressed"):
        llm.param_count("deepseek-v3")
    with pytest.raises(KeyError, match="llama-3-70b"):
        llm.param_count("llama3-70b")
