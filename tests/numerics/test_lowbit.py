"""Training in few bits: what the settings do to loss, zeros, skips and scale; one program serves them all."""

import numpy as np
import pytest

from accelerator_lib.numerics import lowbit

train = lowbit.train


def test_without_rounding_the_spiral_is_learned():
    run = train()
    assert len(run.losses) == len(run.scales) == 300 and run.step == 300
    assert run.losses[0] > 1 and run.loss < 0.02 and not run.skipped.any() and run.zeros == 0


def test_e4m3_needs_a_scale():
    alone, scaled = train("e4m3", "e4m3"), train("e4m3", "e4m3", 2.0**8)
    assert alone.loss > 1 and alone.zero_share.mean() > 0.4
    tenth = slice(270, 300)  # of 300 steps the last
    assert (alone.loss, alone.zeros) == pytest.approx((alone.losses[tenth].mean(), alone.zero_share[tenth].mean()))
    assert scaled.loss < 0.03 and scaled.zero_share.mean() < alone.zero_share.mean() / 3
    assert train("e4m3", "e4m3", per_tensor=True).loss < 0.03


def test_a_scale_that_is_too_large_skips_and_a_dynamic_one_recovers():
    fixed, moving = train("e4m3", "e4m3", 2.0**16), train("e4m3", "e4m3", 2.0**16, dynamic=True)
    assert fixed.skipped.sum() > 100 and (fixed.scales == 2.0**16).all() and fixed.loss > 5 * moving.loss
    assert 0 < moving.skipped.sum() < 20 and moving.loss < 0.05


def test_the_dynamic_scale_by_its_rule():
    run = train("fp16", "fp16", 2.0**24, dynamic=True)
    scale, clean = 2.0**24, 0
    for skipped, used in zip(run.skipped, run.scales, strict=True):
        assert used == scale
        if skipped:
            scale, clean = scale / 2, 0
        elif (clean := clean + 1) == 50:
            scale, clean = scale * 2, 0
    assert train("fp16", "fp16", 2.0**24).loss > 0.3 > 0.03 > run.loss


def test_integers_need_the_scale_of_each_tensor():
    assert train("int8", "int8", per_tensor=True).loss < 0.03 < 0.5 < train("int4", "int4", per_tensor=True).loss


def test_bf16_weights_lag_at_a_small_rate_and_stochastic_ones_do_not():
    master, nearest, random = (train(weights=kind, rate=0.003).loss for kind in lowbit.WEIGHTS)
    assert nearest > master + 0.08 and random == pytest.approx(master, abs=0.03)


def test_a_run_goes_on_where_it_was_asked_and_is_kept():
    states = lowbit.watch("e5m2", "e5m2")
    first = next(states)
    assert first.step == 0 and first.loss == pytest.approx(np.log(3)) and first.scale is None
    assert [next(states).step for _ in range(3)] == [10, 20, 30]
    again = list(lowbit.watch("e5m2", "e5m2"))
    assert again[0] is first and len(again) == 31 and again[-1].arms.shape == (lowbit.GRID, lowbit.GRID)


def test_one_compilation_serves_all_formats():
    for forward in ("fp32", "bf16", "e2m1", "int8"):
        next(iter(train(forward, "e5m2", per_tensor=True).losses))
    assert lowbit._program()._cache_size() == 1


def test_the_map_of_a_trained_network_is_the_spiral():
    run = train()
    line = np.linspace(-1, 1, lowbit.GRID)
    x, y = np.meshgrid(line, line[::-1])
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    arm = np.rint(((angle / (2 * np.pi) - lowbit.TURNS * radius) % 1) * 3).astype(int) % 3
    inside = (radius > 0.25) & (radius < 0.95)
    assert (run.arms == arm)[inside].mean() > 0.9


def test_the_spiral_has_three_equal_arms():
    inputs, arms = lowbit.spiral()
    assert inputs.shape == (4096, 3) and (inputs[:, 2] == 1).all()
    assert np.bincount(arms).min() > 1200 and np.hypot(*inputs[:, :2].T).max() <= 1.0001
