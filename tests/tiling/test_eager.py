import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import tiling
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.tiling import eager


class Counted:
    """Score matrices that count how often all of them are read and written, as kernels of one framework do it."""

    def __init__(self):
        self.passes = 0.0

    def kernel(self, reads=(), writes=()):
        self.passes += sum(array.size for array in reads) / 64**2
        self.passes += sum(array.size * array.itemsize / 2 for array in writes) / 64**2


def walked(masked, dropout):
    """Forward attention on 64 tokens in float16, every step reading and writing the scores."""
    count, rng = Counted(), np.random.default_rng(0)
    q, k, v = rng.standard_normal((3, 64, 8)).astype(np.float16)
    scores = (q @ k.T).astype(np.float16)
    count.kernel(writes=[scores])
    scaled = scores / np.float16(np.sqrt(8))
    count.kernel([scores], [scaled])
    if masked:
        mask = np.zeros((64, 64), np.float16)
        count.kernel([scaled, mask], [scaled])
        scaled = scaled + mask
    weights = np.exp(scaled - scaled.max(1, keepdims=True))
    weights = (weights / weights.sum(1, keepdims=True)).astype(np.float16)
    count.kernel([scaled], [weights])
    if dropout:
        kept = rng.random((64, 64)) < 0.9
        count.kernel([weights], [weights, kept.astype(np.uint8)])
    count.kernel([weights])
    return count.passes, weights @ v


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("dropout", [False, True])
def test_passes_are_those_of_a_walk_through_the_steps(masked, dropout):
    passes, _ = walked(masked, dropout)
    assert sum(eager.steps(masked=masked, dropout=dropout).values()) == passes
    assert eager.eager_bytes(4096, 64, masked=masked, dropout=dropout) == pytest.approx(
        2 * 4096 * (4096 * passes + 256)
    )


def test_a_fused_softmax_leaves_the_four_passes_of_the_chapter():
    assert eager.eager_bytes(1024, 64, 16, 4, fused=True) == tiling.attention_bytes(1024, 64, 16, 4)
    assert set(eager.steps(fused=True, masked=True)) == {"product Q K", "softmax", "product P V"}


@given(st.integers(1, 10**5), st.sampled_from([32, 64, 128]), st.booleans(), st.booleans(), st.booleans())
def test_more_steps_move_more_and_forward_and_backward_add_up(tokens, width, fused, masked, dropout):
    given_steps = {"fused": fused, "masked": masked, "dropout": dropout}
    both, *parts = (
        eager.eager_bytes(tokens, width, which=which, **given_steps)
        for which in ("forward+backward", "forward", "backward")
    )
    assert both == pytest.approx(sum(parts))
    assert eager.eager_bytes(tokens, width, fused=fused) <= parts[0]
    assert parts[0] >= eager.eager_bytes(tokens, width, fused=True)


def test_a_pass_is_one_of_three():
    with pytest.raises(UnknownName, match="forward"):
        eager.eager_bytes(8, 8, which="sideways")
