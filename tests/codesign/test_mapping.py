"""All mappings of a product, the best of them, searches for it and their comparison."""

import random
from itertools import pairwise
from math import inf, isclose, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course.frames.codesign import compare, marks
from accelerator_lib import data, energy
from accelerator_lib.codesign import mapspace as space
from accelerator_lib.codesign import search as searching
from accelerator_lib.codesign.loopnest import ORDERS, tile_words, traffic
from accelerator_lib.codesign.mapspace import PRODUCT, REGISTER_WORDS, SRAM_WORDS, best, optimum
from accelerator_lib.codesign.search import STRATEGIES, search
from accelerator_lib.workload import Gemm

G = Gemm(4096, 4096, 4096)
ROWS = data.load("mappings")["rows"]
POWERS = st.sampled_from([1, 2, 4, 8, 16, 32])


def joules(gemm, mapping, sram_words=SRAM_WORDS, register_words=REGISTER_WORDS):
    """The slow way: each tile of the SRAM is a product of its own."""
    outer, order, inner, inside = mapping
    within = all(b <= a for a, b in zip(outer, inner, strict=True))
    if not within or tile_words(outer) > sram_words or tile_words(inner) > register_words:
        return inf
    pieces = prod(size // edge for size, edge in zip((gemm.m, gemm.n, gemm.k), outer, strict=True))
    words = traffic(gemm, outer, order).words, pieces * traffic(Gemm(*outer), inner, inside).words
    return space.DRAM_JOULES * words[0] + space.SRAM_JOULES * words[1]


def every(gemm):
    """All mappings of a small product, written down one by one."""
    pairs = [[(a, b) for a in space.edges(s) for b in space.edges(a)] for s in (gemm.m, gemm.n, gemm.k)]
    for m in pairs[0]:
        for n in pairs[1]:
            for k in pairs[2]:
                outer, inner = zip(m, n, k, strict=True)
                for order in ORDERS:
                    for inside in ORDERS:
                        yield outer, order, inner, inside


def test_the_space_of_the_chapter_and_how_many_are_good():
    assert isclose(space.DRAM_JOULES, energy.access("hbm2_low", 7).pj / 4 * 1e-12)
    assert isclose(space.SRAM_JOULES, energy.access("sram_1mb", 7).pj / 4 * 1e-12)
    assert space.mapspace(G) == (27_128_556, 10_303_200) == (91**3 * 36, 286_200 * 36)
    assert isclose(joules(G, ((512, 512, 128), "mnk", (128, 2, 128), "mkn")), 0.022053650432)
    assert isclose(joules(G, ((64,) * 3, "mnk", (16,) * 3, "mnk")), 0.169089171456)
    assert space.within([1, 1.05, 1.1, 1e6]).tolist() == [84, 312, 580, 10_303_200]
    costs = space.spread(G)
    assert 616 < costs[-1] < 618 and 23 < np.median(costs) < 24.5


def test_a_small_space_is_counted_and_priced_as_if_written_down():
    gemm, rooms = Gemm(8, 4, 2), (40, 12)
    mappings = list(every(gemm))
    costs = np.array([joules(gemm, one, *rooms) for one in mappings])
    assert space.mapspace(gemm, *rooms) == (len(mappings), np.isfinite(costs).sum())
    best = space.best(gemm, *rooms)
    assert isclose(best.joules, costs.min()) and isclose(joules(gemm, best.mapping, *rooms), best.joules)
    assert np.allclose(space.spread(gemm, *rooms) * best.joules, np.sort(costs[np.isfinite(costs)]), rtol=1e-6)


@given(st.tuples(*[POWERS] * 3), st.sampled_from(ORDERS), st.tuples(*[POWERS] * 3), st.sampled_from(ORDERS))
def test_the_quick_way_gives_the_same_energy(outer, order, inner, inside):
    mapping = outer, order, inner, inside
    quick = space.quick_joules((32, 32, 32), mapping, 1000, 100)
    slow = joules(Gemm(32, 32, 32), mapping, 1000, 100)
    assert quick == slow == inf or isclose(quick, slow)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['sram_words']}-{row['register_words']}")
def test_the_stored_optima_are_found_again(row):
    rooms = row["sram_words"], row["register_words"]
    best = space.best(G, *rooms)
    outer, order, inner, inside = row["mapping"]
    assert isclose(best.joules, row["joules"], rel_tol=1e-12)
    assert isclose(joules(G, (tuple(outer), order, tuple(inner), inside), *rooms), row["joules"])
    assert space.mapspace(G, *rooms).legal == row["legal"]


@pytest.mark.parametrize("row", ROWS[6:8], ids=lambda row: f"{row['sram_words']}-{row['register_words']}")
def test_the_stored_counts_of_good_ones_are_found_again(row):
    found = space.within([1, 1.05], G, row["sram_words"], row["register_words"])
    assert found.tolist() == [row["ties"], row["within_5_percent"]]


def test_twelve_optima_none_below_each_word_once():
    least = {(row["sram_words"], row["register_words"]): row["joules"] for row in ROWS}
    srams, registers = sorted({s for s, _ in least}), sorted({r for _, r in least})
    assert len(least) == len(ROWS) == len(srams) * len(registers) == 12
    for s in srams:
        for r in registers:
            assert all(least[s, r] >= least[t, q] for t in srams for q in registers if t >= s and q >= r)
    best = space.best(G)
    assert best.joules > (space.DRAM_JOULES + space.SRAM_JOULES) * 3 * 4096**2
    assert tile_words(best.mapping[0]) <= 2**19 and tile_words(best.mapping[2]) <= 2**15


def test_what_does_not_fit_and_how_many_edges_there_are():
    assert joules(G, ((1024, 1024, 1024), "mnk", (16, 16, 16), "mnk")) == inf
    assert joules(G, ((512, 512, 64), "mnk", (128, 128, 128), "mnk")) == inf  # longer inside than outside
    assert space.edges(12) == (1, 2, 4, 8)
    assert space.mapspace(Gemm(12, 1, 1), 100, 100).all == 10 * 36 == prod((10, 36))


def test_reading_sums_back_out_of_the_sram_changes_the_best_a_little_and_leaves_good_ones_rare():
    """The model leaves these reads out: a tile that is not the first along k finds sums in the SRAM."""
    dram, sram, outer, _ = space._costs(G, space.SRAM_WORDS, space.REGISTER_WORDS)
    m, n, k = outer
    again = (4096 // k - 1) * (4096 // m) * (4096 // n) * m * n
    without, with_them = (dram.min(0) + sram.min(0)), (dram.min(0) + sram.min(0) + space.SRAM_JOULES * again)
    assert 1 < with_them.min() / without.min() < 1.1  # the best needs a little more
    assert with_them[without.argmin()] / with_them.min() < 1.05  # what was the best is nearly the best
    every = (dram[:, None] + sram[None] + space.SRAM_JOULES * again) / with_them.min()
    assert (every <= 1.05).sum() < 1.05 * 312 and 20 < np.median(every) < 25  # and good ones stay as rare


BEST = 0.022053650432
FOUR = (4096, 4096, 4096)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(searching.STRATEGIES), st.integers(0, 1000))
def test_every_trial_is_a_mapping_at_its_price_and_the_best_so_far_never_rises(strategy, seed):
    trials = list(searching.search(strategy, seed, 150))
    assert [one.number for one in trials] == list(range(1, 151))
    least = np.minimum.accumulate([one.joules for one in trials])
    assert [one.best for one in trials] == least.tolist()
    for one in trials[::10]:
        assert one.joules == inf or isclose(one.joules, joules(searching.PRODUCT, one.mapping))
        if one.leader:
            assert isclose(joules(searching.PRODUCT, one.leader), one.best)
        assert one.best >= BEST * (1 - 1e-12)


def test_the_same_seed_gives_the_same_trials_and_another_gives_others():
    for strategy in searching.STRATEGIES:
        one, again, other = (list(searching.search(strategy, seed, 60)) for seed in (3, 3, 4))
        assert one == again != other


def test_drawing_meets_every_mapping_alike_and_38_percent_fit():
    dice, counts = random.Random(1), {}
    for _ in range(4000):
        mapping = searching.draw(dice, (2, 2, 1))
        counts[mapping] = counts.get(mapping, 0) + 1
    assert len(counts) == 3 * 3 * 36  # 3 pairs along m, 3 along n, one along k
    assert max(counts.values()) < 40
    dice = random.Random(2)
    share = np.mean([joules(G, searching.draw(dice)) < inf for _ in range(4000)])
    assert abs(share - 10_303_200 / 27_128_556) < 0.03


@given(st.integers(0, 10_000), st.sampled_from(searching.SIZES + searching.TURNS + searching.SWAPS))
def test_a_change_stays_in_the_space_and_changes_what_it_says(seed, move):
    mapping = searching.draw(random.Random(seed))
    other = searching.change(mapping, move, FOUR)
    if other is None:
        return
    different = [place for place in range(4) if other[place] != mapping[place]]
    assert different == [move[0]]
    outer, _, inner, _ = other
    assert all(1 <= b <= a <= 4096 and 4096 % a == 0 for a, b in zip(outer, inner, strict=True))
    if move[0] in (0, 2) and not isinstance(move[2], bool):
        assert np.prod(other[move[0]]) == np.prod(mapping[move[0]])


@given(st.integers(0, 10_000), st.sampled_from(searching.SIZES))
def test_a_change_of_size_can_be_taken_back(seed, move):
    mapping = searching.draw(random.Random(seed))
    other = searching.change(mapping, move, FOUR)
    if other is not None:
        assert searching.change(other, (move[0], move[1], not move[2]), FOUR) == mapping


def test_the_middle_of_twenty_seeds_at_a_thousand_trials():
    middle = {
        strategy: np.median([list(searching.search(strategy, seed))[-1].best for seed in range(20)]) / BEST
        for strategy in searching.STRATEGIES
    }
    assert 1.5 < middle["random"] < 1.7 and 1.2 < middle["evolution"] < 1.4
    assert 1.15 < middle["hill-climb"] < 1.4 and middle["hill-climb, swap"] < 1.05


def test_a_small_space_is_searched_to_its_best():
    gemm = Gemm(8, 8, 8)
    for strategy in searching.STRATEGIES[2:]:
        *_, last = searching.search(strategy, 0, 4000, gemm, 64, 12)
        assert isclose(last.best, best(gemm, 64, 12).joules)


@pytest.mark.parametrize("budget", [1, 10, 100, 777])
def test_a_race_ends_where_each_search_alone_does(budget):
    states = list(compare(budget, 5))
    assert states[0].trials == 0 and states[-1].trials == budget
    for run, strategy in zip(states[-1].runs, STRATEGIES, strict=True):
        alone = list(search(strategy, 5, budget))
        assert isclose(run.ratio * states[-1].optimum.joules, alone[-1].best) or run.ratio == inf == alone[-1].best
        gains = [a.number for a, b in zip(alone, [None, *alone], strict=False) if a.best < (b.best if b else inf)]
        assert [trial for trial, _ in run.gains] == gains and run.found_at == (gains[-1] if gains else 0)
        assert run.leader == alone[-1].leader


def test_nobody_passes_the_finish_and_nobody_falls_back():
    before = (inf,) * 4
    for state in compare(1000, 12):
        now = tuple(run.ratio for run in state.runs)
        assert all(1 - 1e-9 <= a <= b for a, b in zip(now, before, strict=True))
        for run in state.runs:
            assert [trial for trial, _ in run.gains] == sorted({trial for trial, _ in run.gains})
            if run.gains:
                assert run.gains[-1] == (run.found_at, run.ratio)
                assert isclose(joules(PRODUCT, run.leader), run.ratio * state.optimum.joules)
        before = now


def test_one_looks_ever_more_rarely():
    found = marks(10_000)
    assert found[:5] == [1, 2, 3, 4, 5] and found[-1] == 10_000 and len(found) < 80
    assert all(b - a <= 1 + 0.2 * a for a, b in pairwise(found))
    assert marks(1) == [1]


def test_the_finish_is_stored_for_the_chapter_s_product_and_found_for_another():
    first = next(compare(10, 0))
    assert first.legal == 10_303_200 and isclose(first.optimum.joules, joules(PRODUCT, first.optimum.mapping))
    small = Gemm(8, 8, 8), 64, 12
    assert optimum(*small) == (space.best(*small), space.mapspace(*small).legal)
    other = next(compare(10, 0, 64, 12, Gemm(8, 8, 8)))
    assert isclose(other.optimum.joules, joules(Gemm(8, 8, 8), other.optimum.mapping, 64, 12)) and other.legal > 0


def test_luck_is_what_many_seeds_have():
    dice = random.Random(3)
    tries = [any(dice.random() < 1 / 50 for _ in range(30)) for _ in range(20_000)]
    assert searching.luck(30, 50) == pytest.approx(sum(tries) / len(tries), abs=0.015)
    assert searching.luck(1, 4) == 0.25 and searching.luck(10**6, 1) == 1
