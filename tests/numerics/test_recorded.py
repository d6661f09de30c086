"""The recorded runs, trained again."""

import pytest

from accelerator_lib.numerics import lowbit, recorded


@pytest.mark.parametrize("name", recorded.RUNS)
def test_a_recorded_run_is_what_training_gives(name):
    kept = recorded.run(name)
    found = lowbit.train(
        kept.forward, kept.backward, kept.loss_scale, kept.dynamic, weights=kept.weights, rate=kept.rate
    )
    assert found.lost_share == pytest.approx(kept.lost_share, rel=0.1)
    assert found.skipped.sum() == pytest.approx(kept.skipped, rel=0.05, abs=2)
    loose = kept.skipped > 100  # the few steps left amplify the last bit in which processors differ
    assert found.loss == pytest.approx(kept.loss, rel=1 if loose else 0.3)
    with pytest.raises(KeyError, match="name 'e4m3' is unknown; did you mean 'e4m3 alone'"):
        recorded.run("e4m3")


def test_the_share_that_is_lost_depends_little_on_the_draws():
    found = [lowbit.train("e4m3", "e4m3", seed=seed).lost_share for seed in range(5)]
    assert (min(found), max(found)) == pytest.approx(recorded.LOST_BY_SEED["e4m3 alone"], rel=0.1)


def test_rounded_weights_lag_with_any_draws():
    for seed in range(3):
        slow = {kind: lowbit.train(weights=kind, rate=0.003, seed=seed).loss for kind in lowbit.WEIGHTS}
        assert slow["bf16"] > slow["fp32"] + 0.1 > slow["bf16 stochastic"]
