import random
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.codesign import search as s
from accelerator_lib.codesign.mapspace import best, fits, joules
from accelerator_lib.workload import Gemm

BEST = 0.022053650432
FOUR = (4096, 4096, 4096)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(s.STRATEGIES), st.integers(0, 1000))
def test_every_trial_is_a_mapping_at_its_price_and_the_best_so_far_never_rises(strategy, seed):
    trials = list(s.search(strategy, seed, 150))
    assert [one.number for one in trials] == list(range(1, 151))
    least = np.minimum.accumulate([one.joules for one in trials])
    assert [one.best for one in trials] == least.tolist()
    for one in trials[::10]:
        assert one.joules == inf or isclose(one.joules, joules(s.PRODUCT, one.mapping))
        assert (one.joules == inf) == (not fits(one.mapping))
        if one.leader:
            assert isclose(joules(s.PRODUCT, one.leader), one.best)
        assert one.best >= BEST * (1 - 1e-12)


def test_the_same_seed_gives_the_same_trials_and_another_gives_others():
    for strategy in s.STRATEGIES:
        one, again, other = (list(s.search(strategy, seed, 60)) for seed in (3, 3, 4))
        assert one == again != other


def test_drawing_meets_every_mapping_alike():
    dice, counts = random.Random(1), {}
    for _ in range(4000):
        mapping = s.draw(dice, (2, 2, 1))
        counts[mapping] = counts.get(mapping, 0) + 1
    assert len(counts) == 3 * 3 * 36  # 3 pairs along m, 3 along n, one along k
    assert max(counts.values()) < 40


def test_about_38_percent_of_what_is_drawn_fits():
    dice = random.Random(2)
    share = np.mean([fits(s.draw(dice)) for _ in range(4000)])
    assert abs(share - 10_303_200 / 27_128_556) < 0.03


@given(st.integers(0, 10_000), st.sampled_from(s.SIZES + s.TURNS + s.SWAPS))
def test_a_change_stays_in_the_space_and_changes_what_it_says(seed, move):
    mapping = s.draw(random.Random(seed))
    other = s.change(mapping, move, FOUR)
    if other is None:
        return
    different = [place for place in range(4) if other[place] != mapping[place]]
    assert different == [move[0]]
    outer, _, inner, _ = other
    assert all(1 <= b <= a <= 4096 and 4096 % a == 0 for a, b in zip(outer, inner, strict=True))
    if move[0] in (0, 2) and not isinstance(move[2], bool):
        assert np.prod(other[move[0]]) == np.prod(mapping[move[0]])


@given(st.integers(0, 10_000), st.sampled_from(s.SIZES))
def test_a_change_of_size_can_be_taken_back(seed, move):
    mapping = s.draw(random.Random(seed))
    other = s.change(mapping, move, FOUR)
    if other is not None:
        assert s.change(other, (move[0], move[1], not move[2]), FOUR) == mapping


def test_a_climb_ends_where_no_change_helps():
    for seed in range(12):
        for swap in (False, True):
            mapping, energy, trials = s.climb(seed, swap)
            assert isclose(energy, joules(s.PRODUCT, mapping)) and trials > len(s.SIZES)
            assert s.better(mapping, swap) == []
            assert all(joules(s.PRODUCT, one) < energy for one in s.better(mapping, swap=True))


def test_a_swap_opens_a_way_where_changes_of_one_thing_do_not():
    alone, swapped = ([s.climb(seed, swap)[1] for seed in range(100)] for swap in (False, True))
    assert np.mean(np.array(alone) < 1.1 * BEST) < 0.1 < np.mean(np.array(swapped) < 1.1 * BEST)
    freed = [bool(s.better(s.climb(seed, False)[0], swap=True)) for seed in range(100)]
    assert 0.4 < np.mean(freed) < 0.8


def test_the_middle_of_twenty_seeds_at_a_thousand_trials():
    middle = {
        strategy: np.median([list(s.search(strategy, seed))[-1].best for seed in range(20)]) / BEST
        for strategy in s.STRATEGIES
    }
    assert 1.5 < middle["random"] < 1.7 and 1.2 < middle["evolution"] < 1.4
    assert 1.15 < middle["hill-climb"] < 1.4 and middle["hill-climb, swap"] < 1.05


def test_a_small_space_is_searched_to_its_best():
    gemm = Gemm(8, 8, 8)
    for strategy in s.STRATEGIES[2:]:
        *_, last = s.search(strategy, 0, 4000, gemm, 64, 12)
        assert isclose(last.best, best(gemm, 64, 12).joules)


@pytest.mark.parametrize("bad, error", [
    (lambda: s.search("annealing"), UnknownName),
    (lambda: s.search("random", -1), ValueError),
    (lambda: s.search("random", 0, 0), ValueError),
    (lambda: s.search("random", 0, 10**9), ValueError),
    (lambda: s.search("random", gemm=Gemm(12, 8, 8)), ValueError),
])  # fmt: skip
def test_bad_input_is_answered_before_the_first_trial(bad, error):
    with pytest.raises(error):
        bad()


def test_better_answers_what_is_no_mapping():
    for bad in (None, 3, ((2, 2, 2), "mnk"), ((2, 2, 2), "mnk", (1, 1, 1), "abc")):
        with pytest.raises((TypeError, KeyError)):
            s.better(bad)
