"""A run of thousands of GPUs: what the models say, what was published, and how far apart they are."""

import numpy as np
import pytest

from accelerator_lib import data, network
from accelerator_lib.checks.inputs import NotAvailable
from accelerator_lib.network import reliability, runs


def test_twice_the_gpus_leave_each_what_the_idle_pipeline_leaves_it():
    """Two roads: the whole model of a step, and the bubble's formula alone, which is most of it."""
    for interleave in (1, 2, 4, 8):
        few, many = (1 - network.pipeline_bubble(16, m, interleave) for m in (32, 16))
        assert runs.kept(interleave) == pytest.approx(many / few, rel=0.03)
        assert runs.kept(interleave) < many / few  # and the gradients' all-reduce, hidden by nothing


def test_the_plain_schedule_is_ruled_out_by_what_was_published():
    assert runs.published_kept() == pytest.approx(400 / 430)
    assert runs.kept(1) == pytest.approx(0.75, abs=0.005) and runs.kept(1) < 0.82 * runs.published_kept()
    assert runs.kept(8) == pytest.approx(runs.published_kept(), abs=0.01)


def test_the_level_is_missed_by_a_factor():
    for run, level in zip(runs.scale(8), (0.61, 0.56), strict=True):
        assert run.model_mfu == pytest.approx(level, abs=0.006)
        assert 1.3 < run.model_mfu / run.mfu < 1.45
        assert run.flops_per_s / 989.4e12 == pytest.approx(run.mfu, abs=0.007)  # both were published


def test_micro_batches_of_each_copy_are_what_the_run_had():
    assert [run.microbatches for run in runs.scale()] == [32, 16] and [run.gpus for run in runs.scale()] == [
        8192,
        16384,
    ]
    with pytest.raises(NotAvailable, match="do not divide"):
        runs.scale(3)


def test_failures_of_the_run():
    seen = data.load("network")["failures"]
    assert runs.mtbf() == pytest.approx(54 * 24 * 3600 / 419) == reliability.mtbf_seconds(16384)
    assert runs.best_useful(60) == pytest.approx(0.8758, abs=1e-4) and runs.best_useful(60) < seen["useful_share"]
    cost = runs.longest_cost()
    assert cost == pytest.approx(33.3, abs=0.1)
    assert runs.best_useful(cost * 0.999) > 0.9 > runs.best_useful(cost * 1.001)
    assert runs.longest_cost(0.999) == 0.0  # restarts alone cost more


def test_one_share_is_asked_for():
    with pytest.raises(TypeError, match="useful must be one number"):
        runs.longest_cost(np.array([0.5, 0.9]))
