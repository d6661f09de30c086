"""Laws that stand in a cell and in a tested model: both say the same."""

import pytest
from laws import law

from accelerator_lib.systolic import layers


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("k", [16, 1024, 8192])
def test_the_vector_unit(k, overlap):
    shares = law("systolic", "vector-function", "vector")(k, 64, overlap).values()
    assert list(shares) == pytest.approx([layers.vector_share(k, count, 64, overlap) for count in (1, 8, 40)])
