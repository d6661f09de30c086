"""The tuner on recorded times: what it says is what was recorded, and its clock is the record's alone."""

import sys

import numpy as np
import pytest

from accelerator_lib.codesign import autotune, kernels


@pytest.fixture(autouse=True)
def no_jax(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)


@pytest.mark.parametrize("name", kernels.NAMES)
def test_every_choice_was_recorded_and_right(name):
    recorded, real = kernels.times(name), kernels._kernel(name, False)
    assert tuple(recorded) == real.configurations
    assert all(right and compiling > 0 and len(runs) == kernels.RUNS for compiling, runs, right in recorded.values())


@pytest.mark.parametrize("strategy", autotune.STRATEGIES)
def test_a_tuning_spends_recorded_seconds(strategy):
    *_, end = autotune.run("attention", strategy, 600, kernels.RUNS)
    recorded = kernels.times("attention")
    assert end.doing == "done" and not end.wrong and set(end.times) == set(recorded)
    for choice, seconds in end.times.items():
        assert (
            sorted(seconds) == pytest.approx(sorted(recorded[choice][1][: len(seconds)])) or len(seconds) < kernels.RUNS
        )
        assert set(np.round(seconds, 9)) <= set(np.round(recorded[choice][1], 9))
    assert end.spent[0] == pytest.approx(sum(one[0] for one in recorded.values()))
    assert end.spent[2] == pytest.approx(sum(map(sum, end.times.values())))


def test_a_small_budget_ends_early_and_a_name_is_checked():
    *_, end = autotune.run("product", "exhaustive", 0.01)
    assert end.doing == "done" and 1 <= len(end.times) < len(kernels.times("product"))
