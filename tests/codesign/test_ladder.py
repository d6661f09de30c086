from itertools import pairwise
from math import prod

import pytest

from accelerator_lib.codesign import ladder


def test_seven_rungs_six_steps_and_what_the_last_one_brings():
    *_, top = ladder.climb()
    assert top.climbed == len(top.rungs) == 7
    assert top.here.speedup == 62_806 and round(top.step, 1) == 2.7
    assert ladder.gained(1) == pytest.approx(62806 / 23224) and ladder.gained(6) == 62_806


@pytest.mark.parametrize("wrong", [0, 8])
def test_no_rung_lies_below_the_first_or_above_the_last(wrong):
    with pytest.raises(ValueError, match=f"to = {wrong} is outside the allowed range, 1 to 7"):
        ladder.climb(wrong)


def test_steps_multiply_to_the_whole():
    steps = [one.step for one in ladder.climb()]
    assert steps[0] is None and prod(steps[1:]) == pytest.approx(62_806)
    assert all(step > 2 for step in steps[1:])


def test_seconds_and_speedups_are_two_roads_to_one_number():
    first = ladder.rungs()[0]
    for rung in ladder.rungs():
        assert first.seconds / rung.seconds == pytest.approx(rung.speedup, rel=0.03)
        assert rung.flops_per_s / 1e9 == pytest.approx(rung.gflop_s, rel=0.08)
    assert all(one.seconds > other.seconds for one, other in pairwise(ladder.rungs()))


def test_even_the_last_version_leaves_more_than_half_of_the_peak():
    assert ladder.rungs()[-1].peak_share == pytest.approx(337.812 / 835)
    assert len(list(ladder.climb(3))) == 3
    with pytest.raises(ValueError, match="outside the allowed range"):
        ladder.climb(8)
