import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, hardware, tiling
from accelerator_lib.tiling import attention, eager, softmax


def test_attention_by_hand():
    s = tiling.attention_bytes(2048, 128)
    assert (s, tiling.attention_bytes(2048, 128, algorithm="flash")) == (35_651_584, 17_825_792)
    assert s / tiling.attention_bytes(2048, 128, algorithm="flash", kv_cached=True) == 17.0
    # 8 tokens of 4 numbers: scores four times through memory, or K and V once for each of two blocks of rows.
    assert tiling.attention_bytes(8, 4, dtype="int8") == 4 * 8 * 8 + 4 * 8 * 4
    assert tiling.attention_bytes(8, 4, dtype="int8", algorithm="flash", block_rows=4) == 2 * 8 * 4 + 2 * (2 * 8 * 4)
    assert tiling.attention_bytes(8, 4, 3, 5) == 15 * tiling.attention_bytes(8, 4)
    standard = tiling.attention_bytes(2048, 128)
    assert standard / tiling.attention_bytes(2048, 128, algorithm="flash", block_rows=16) == pytest.approx(
        0.26, abs=0.005
    )
    for n in (128, 1024, 65_536):
        flash = tiling.attention_bytes(n, 128, algorithm="flash", block_rows=128)
        assert tiling.attention_bytes(n, 128) / flash == 2.0
    assert tiling.attention_bytes(2048, 64) / tiling.attention_bytes(2048, 64, algorithm="flash") == pytest.approx(
        3.9, abs=0.05
    )
    assert tiling.attention_bytes(131_072, 128) / tiling.attention_bytes(
        131_072, 128, algorithm="flash", kv_cached=True
    ) == pytest.approx(1025)


@pytest.mark.parametrize("algorithm", attention.ALGORITHMS)
@pytest.mark.parametrize("kv_cached", [False, True])
def test_a_curve_over_the_tokens_is_its_points(algorithm, kv_cached):
    tokens, settings = np.array([128, 1000, 131_072]), {"algorithm": algorithm, "kv_cached": kv_cached}
    points = [tiling.attention_bytes(int(n), 64, **settings) for n in tokens]
    assert tiling.attention_bytes(tokens, 64, **settings).tolist() == points


@pytest.mark.parametrize("tokens, block", [(512, 256), (1536, 128), (2048, 128), (100, 100)])
def test_a_causal_mask_leaves_the_blocks_on_the_diagonal_and_below(tokens, block):
    here = np.arange(0, tokens, block)
    assert tiling.causal_share(tokens, block) == np.mean(here[:, None] >= here)


def test_time_is_the_longer_of_traffic_and_work():
    chip = hardware.chip("a100-40gb-sxm")
    moved = tiling.attention_bytes(4096, 64, 8, 16) / chip.bytes_per_s
    worked = tiling.attention_flops(4096, 64, 8, 16) / chip.peak("fp16")
    assert tiling.attention_seconds(4096, 64, 8, 16, chip) == pytest.approx(moved) and moved > worked
    slow = tiling.attention_seconds(4096, 64, 8, 16, chip, "flash", reached=0.1)
    assert slow == pytest.approx(10 * worked)


def test_attention_as_published():
    for name, algorithm in (("pytorch", "standard"), ("flashattention", "flash")):
        rows = [row for id, row in data.rows("attention").items() if id.startswith(f"fa1_t18_{name}")]
        assert len(rows) >= 5
        for row in rows:
            tokens = row["conditions"]["seq"]
            predicted = tiling.attention_seconds(tokens, 64, 8, 16, "a100-40gb-sxm", algorithm, reached=0.21)
            if tokens >= 1024:
                assert 0.5 < predicted / (row["value"] / 1e3) < 2
    rows = data.rows("attention")
    assert rows["fa1_fig2_stand_hbm"]["value"] / rows["fa1_fig2_flash_hbm"]["value"] == pytest.approx(9.2, abs=0.05)
    assert rows["fa1_fig2_flash_gflops"]["value"] > rows["fa1_fig2_stand_gflops"]["value"]


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


@given(st.lists(st.floats(-500, 500), min_size=1, max_size=60), st.integers(1, 70))
def test_the_stream_ends_where_softmax_is(scores, block):
    values = np.random.default_rng(len(scores)).standard_normal((len(scores), 3))
    full = softmax.reference(np.array(scores), values)
    *_, last = softmax.stream(scores, values, block)
    assert np.allclose(last.output, full, atol=1e-12)
    assert last.read == len(scores)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=30))
def test_score_by_score_the_sum_is_that_of_the_stream(scores):
    *_, last = softmax.stream(scores, np.ones((len(scores), 1)), 1)
    maximum, total = scores[0], 1.0
    for score in scores[1:]:
        step = softmax.one_more(maximum, total, score)
        assert step.rises == ("rises" if score > maximum and step.scale < 1 else "stays")
        maximum, total = step.maximum, step.total
    assert (maximum, total) == (last.maximum, pytest.approx(last.total))


def test_softmax_by_hand():
    # Scores 1 and 3, one at a time: the first counts exp(-2) once the second is known.
    first, second = softmax.stream([1.0, 3.0], [[1.0], [0.0]], block=1)
    assert (first.maximum, first.total, first.output.tolist()) == (1, 1, [1])
    assert second.scale == pytest.approx(np.exp(-2)) and second.total == pytest.approx(1 + np.exp(-2))
    assert second.output[0] == pytest.approx(np.exp(-2) / (1 + np.exp(-2)))
    low, high = softmax.one_more(2, 4, 1), softmax.one_more(2, 4, 3)
    assert (low.total, low.swapped) == (pytest.approx(4 + np.exp(-1)), pytest.approx(4 * np.exp(-1) + 1))
    assert (high.total, high.swapped) == (pytest.approx(4 * np.exp(-1) + 1), pytest.approx(4 + np.exp(-1)))
    draw = np.random.default_rng(1)
    scores, values = draw.normal(0, 3, 10), draw.standard_normal((10, 2))
    states = list(softmax.stream(scores, values, 4))
    assert [state.read for state in states] == [4, 8, 10] and [len(state.scores) for state in states] == [4, 4, 2]
    for state in states:
        assert np.allclose(state.output, softmax.reference(scores[: state.read], values[: state.read]))
