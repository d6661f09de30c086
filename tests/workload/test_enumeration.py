"""How the FLOP of whole networks divide: by hand, by counting a tiny forward pass, by published sizes, by enumeration."""

from itertools import combinations, product

import numpy as np
import pytest

from accelerator_lib.workload.mixture import experts
from accelerator_lib.workload.networks import stages
from accelerator_lib.workload.transformer import crossover_tokens
from accelerator_lib.workload.transformer import flops as transformer


def test_a_tiny_block_by_hand():
    """3 tokens, width 2, MLP 4 wide, one layer."""
    found = transformer(3, d_model=2, mlp_ratio=2, layers=1)
    assert found.projections == 3 * 32  # four matrices of 2 x 2, two FLOP each
    assert found.mlp == 3 * 48  # three of 2 x 4
    assert found.scores == 72  # 3 x 3 scores of 2 products, and as many for the weighted sum, two FLOP each
    assert found.total == 312 and found.scores_share == pytest.approx(0.230769, abs=1e-6)
    assert transformer(3, 2, 2, layers=5, training=True).total == 312 * 5 * 3  # backward is two more passes


class Counted:
    """Multiplies matrices element by element and counts: two FLOP for each product."""

    def __init__(self):
        self.flops = 0

    def __call__(self, a, b):
        result = np.zeros((a.shape[0], b.shape[1]))
        for row, col, k in np.ndindex(*result.shape, a.shape[1]):
            result[row, col] += a[row, k] * b[k, col]
            self.flops += 2
        return result


@pytest.mark.parametrize("tokens, width, hidden", [(1, 2, 4), (5, 4, 6), (7, 3, 3), (12, 2, 5)])
def test_a_forward_pass_that_counts_its_own_products_needs_what_the_model_says(tokens, width, hidden):
    draw = np.random.default_rng(tokens)
    x, projections, scores, mlp = draw.standard_normal((tokens, width)), Counted(), Counted(), Counted()
    query, key, value = (projections(x, draw.standard_normal((width, width))) for _ in range(3))
    weights = np.exp(scores(query, key.T))
    x = projections(scores(weights / weights.sum(axis=1, keepdims=True), value), draw.standard_normal((width, width)))
    gate, up = (mlp(x, draw.standard_normal((width, hidden))) for _ in range(2))
    assert mlp(np.maximum(gate, 0) * up, draw.standard_normal((hidden, width))).shape == (tokens, width)
    found = transformer(tokens, width, hidden / width, layers=1)
    assert (found.projections, found.scores, found.mlp) == (projections.flops, scores.flops, mlp.flops)


def test_llama_2_7b_by_hand_at_one_token():
    """32 x (4 x 4096^2 + 3 x 4096 x 11008) = 6,476,005,376 weights in its matrices; two FLOP each."""
    found = transformer(1)
    assert found.projections + found.mlp == 2 * 6_476_005_376
    assert found.scores == 32 * 4 * 4096


@pytest.mark.parametrize(
    "width, hidden, tokens", [(4096, 11008, 24_704), (1024, 4096, 8192), (8192, 28672, 59_392), (2, 4, 10)]
)
def test_the_crossover_is_the_first_length_at_which_scores_cost_as_much(width, hidden, tokens):
    """2 d + 1.5 d_ff, found again by trying the lengths around it."""
    assert crossover_tokens(width, hidden / width) == tokens
    at = {t: transformer(t, width, hidden / width) for t in (tokens - 1, tokens, tokens + 1)}
    assert crossover_tokens() == 24_704
    sign = [np.sign(one.scores - one.projections - one.mlp) for one in at.values()]
    assert sign == [-1, 0, 1]


def test_the_share_of_scores_goes_from_none_to_all_and_arrays_are_each_of_their_elements():
    lengths = np.array([1, 100, 24_704, 10**6, 10**9])
    shares = transformer(lengths).scores_share
    assert list(shares) == [transformer(int(t)).scores_share for t in lengths]
    assert shares[0] < 1e-4 and shares[-1] > 0.9999 and (np.diff(shares) > 0).all()


def resnet_50():
    """{resolution: (multiply-adds, weights, outputs)}, built from the rule of its blocks, not from the table of layers.

    Four groups of 3, 4, 6 and 3 blocks of 1 x 1, 3 x 3, 1 x 1; the first block of a group halves the image and widens.
    """
    found = {"first": (112 * 112 * 64 * 147, 64 * 147, 112 * 112 * 64)}  # 7 x 7 x 3 = 147 products for each output
    channels, edge = 64, 56
    for group, (blocks, width) in enumerate(zip((3, 4, 6, 3), (64, 128, 256, 512), strict=True)):
        edge = edge if group == 0 else edge // 2
        sums = np.zeros(3, dtype=int)
        for block in range(blocks):
            shapes = [(channels, width, 1), (width, width, 9), (width, 4 * width, 1)]
            shapes += [(channels, 4 * width, 1)] if block == 0 else []  # the shortcut
            for inputs, outputs, taps in shapes:
                sums += [edge * edge * inputs * outputs * taps, inputs * outputs * taps, edge * edge * outputs]
            channels = 4 * width
        found[f"{edge} px"] = tuple(int(one) for one in sums)
    return found


def test_the_stages_of_resnet_50_are_those_of_its_building_rule():
    found = {stage.name: (stage.flops / 2, stage.weights, stage.outputs) for stage in stages("resnet-50")}
    assert found == resnet_50()


def test_resnet_50_and_mobilenet_have_the_sizes_that_are_published():
    """Weights of the convolutions: all parameters, less those of the classifier and two for each normalised channel."""
    resnet, mobile = (
        [sum(getattr(stage, part) for stage in stages(name)) for part in ("flops", "weights")]
        for name in ("resnet-50", "mobilenet-v1")
    )
    assert resnet[1] == 25_557_032 - (2048 + 1) * 1000 - 2 * 26_560
    assert mobile[1] == 4_231_976 - (1024 + 1) * 1000 - 2 * 10_944
    assert resnet[0] / 2 == pytest.approx(3.8e9, rel=0.02)  # He et al., Table 1
    assert mobile[0] / 2 == pytest.approx(569e6, rel=0.003)  # Howard et al., Table 4; with the classifier's million


def test_a_larger_image_costs_by_its_area_and_needs_no_more_weights():
    small, large = stages("resnet-50", 224), stages("resnet-50", 448)
    for one, four in zip(small, large, strict=True):
        assert (four.flops, four.weights, four.outputs) == (4 * one.flops, one.weights, 4 * one.outputs)
    for one, huge in zip(small, stages("resnet-50", 16 * 224), strict=True):
        assert (huge.flops, huge.weights) == (256 * one.flops, one.weights)


def test_experts_by_hand():
    """Width 3, experts 4 wide, 2 of 8 chosen, one token: two experts of three 3 x 4 matrices, and two rows of 3."""
    one = experts(1, count=8, chosen=2, d_model=3, d_ff=4)
    assert (one.touched, one.flops, one.bytes_moved) == (2, 2 * 3 * 12 * 2, 2 * (2 * 3 * 12 + 2 * 3))
    assert one.intensity == 144 / 156
    mixtral = experts(1)  # two of eight experts of three 4096 x 14336 matrices
    assert (mixtral.flops, mixtral.bytes_moved) == (704_643_072, 704_659_456)


@pytest.mark.parametrize(
    "tokens, count, chosen", [(1, 4, 2), (2, 4, 2), (3, 4, 1), (3, 4, 2), (4, 3, 2), (2, 5, 3), (3, 3, 3)]
)
def test_experts_touched_are_the_mean_over_all_ways_to_route(tokens, count, chosen):
    """Every token may pick any set of experts: all combinations are listed, none is drawn."""
    ways = list(product(combinations(range(count), chosen), repeat=tokens))
    mean = sum(len(set().union(*way)) for way in ways) / len(ways)
    assert experts(tokens, count, chosen).touched == pytest.approx(mean, rel=1e-12)


def test_many_tokens_touch_every_expert_and_the_intensity_of_each_is_that_of_its_share():
    many = experts(10**6, count=64, chosen=6)
    assert many.touched == pytest.approx(64, rel=1e-12)
    few, dense = experts(1, 64, 6), experts(1, 1, 1)
    assert few.intensity == pytest.approx(dense.intensity, rel=1e-3)  # one token alone: one FLOP for each byte
    assert few.flops == 6 * dense.flops
    batch = experts(64, 8, 2)  # 64 tokens, each in 2 of 8: on average 16 for each expert that is read
    assert batch.intensity == pytest.approx(16, rel=0.01)
