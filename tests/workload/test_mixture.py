import numpy as np
import pytest

from accelerator_lib.workload import Gemm, mixture, models, transformer


def test_experts_touched_are_what_random_routing_touches():
    draw = np.random.default_rng(1)
    for tokens, count, chosen in ((1, 8, 2), (5, 8, 2), (40, 64, 6)):
        trials = [
            len({e for _ in range(tokens) for e in draw.choice(count, chosen, replace=False)}) for _ in range(2000)
        ]
        assert mixture.experts(tokens, count, chosen).touched == pytest.approx(np.mean(trials), rel=0.02)


def test_one_expert_is_an_ordinary_mlp_and_too_many_choices_are_refused():
    one = mixture.experts(64, 1, 1, 4096, 11008)
    assert one.flops == 2 * Gemm(64, 11008, 4096).flops + Gemm(64, 4096, 11008).flops
    assert one.bytes_moved == 2 * (3 * 4096 * 11008 + 2 * 64 * 4096)
    with pytest.raises(ValueError, match="chosen = 9 must not exceed count = 8"):
        mixture.experts(4, 8, 9)


def test_64_tokens_wake_nearly_all_experts_and_reuse_each_little():
    """The numbers of the chapter: two of 64 experts for each of 64 tokens."""
    assert mixture.experts(1, 64, 2).touched == pytest.approx(2)
    batch = mixture.experts(64, 64, 2)
    assert batch.touched == pytest.approx(55.6, abs=0.1) and batch.intensity == pytest.approx(2.3, abs=0.01)
    assert mixture.experts(64, 1, 1).intensity == pytest.approx(64, rel=0.01)


def test_where_no_shape_is_given_it_is_that_of_mixtral():
    mixtral = models.model("mixtral-8x7b")
    mlp = transformer.mlp(5, mixtral.d_model, mixtral.d_ff).values()
    assert mixture.experts(5).flops == 2 * sum(product.flops for product in mlp)  # two experts for each token
    assert mixture.experts(10**6).touched == pytest.approx(8)
