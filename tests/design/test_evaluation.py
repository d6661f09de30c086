"""One job on one design: the published numbers of the model, and the steps that add up to it."""

import itertools

import pytest

from accelerator_lib import design

RATES = {
    "decode": 2677.96604,
    "prefill": 44789.03734,
    "training": 1755.36916,
    "vision": 19365.22345,
    "recommender": 12371354.536,
}


@pytest.mark.parametrize("job, rate", RATES.items())
def test_rates_of_an_h100(job, rate):
    assert design.evaluate("h100-sxm5", job).per_chip_s == pytest.approx(rate, rel=1e-8)


@pytest.mark.parametrize("job, cause, share", [("decode", "memory", 0.95), ("prefill", "compute", 0.92)])
def test_one_chip_is_two_machines(job, cause, share):
    found = design.evaluate("h100-sxm5", job)
    assert found.bound == cause and getattr(found, cause) / found.seconds == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize("id", design.reals())
@pytest.mark.parametrize("job", design.jobs())
def test_the_last_step_is_the_evaluation(id, job):
    found, seen = design.evaluate(id, job), list(design.steps(id, job))
    assert seen[-1][1] == pytest.approx(found.causes)
    for (_, before), (_, after) in itertools.pairwise(seen):
        assert all(b <= a * (1 + 1e-12) for b, a in zip(before, after, strict=True))


def test_so_many_chips_as_asked():
    alone, four = design.evaluate("a100-80gb-sxm", "decode"), design.evaluate("a100-80gb-sxm", "decode", 4)
    assert (alone.chips, four.chips, alone.link) == (1, 4, 0)
    assert four.seconds < alone.seconds < 4 * four.seconds and four.per_chip_s < alone.per_chip_s
    assert four.causes.link == four.link > 0


@pytest.mark.parametrize("chips", [0, -3, 1.5, float("nan"), 10**9, "two"])
def test_bad_numbers_of_chips(chips):
    with pytest.raises((ValueError, TypeError), match="chips"):
        design.evaluate("h100-sxm5", "decode", chips)
