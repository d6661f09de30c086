from math import inf, isclose, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import data, energy
from accelerator_lib.codesign import mapspace as space
from accelerator_lib.codesign.nest import ORDERS, tile_words
from accelerator_lib.workload import Gemm

G = Gemm(4096, 4096, 4096)
ROWS = data.load("mappings")["rows"]
POWERS = st.sampled_from([1, 2, 4, 8, 16, 32])


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


def test_the_energies_are_those_of_chapter_8():
    assert isclose(space.DRAM_JOULES, energy.access("hbm2_low", 7).pj / 4 * 1e-12)
    assert isclose(space.SRAM_JOULES, energy.access("sram_1mb", 7).pj / 4 * 1e-12)


def test_a_small_space_is_counted_and_priced_as_if_written_down():
    gemm, rooms = Gemm(8, 4, 2), (40, 12)
    mappings = list(every(gemm))
    costs = np.array([space.joules(gemm, one, *rooms) for one in mappings])
    assert space.mapspace(gemm, *rooms) == (len(mappings), np.isfinite(costs).sum())
    best = space.best(gemm, *rooms)
    assert isclose(best.joules, costs.min()) and isclose(space.joules(gemm, best.mapping, *rooms), best.joules)
    assert np.allclose(np.sort(space.table(gemm, *rooms).ravel()), np.sort(costs[np.isfinite(costs)]), rtol=1e-12)
    assert np.allclose(space.spread(gemm, *rooms) * best.joules, np.sort(costs[np.isfinite(costs)]), rtol=1e-6)


@given(st.tuples(*[POWERS] * 3), st.sampled_from(ORDERS), st.tuples(*[POWERS] * 3), st.sampled_from(ORDERS))
def test_the_quick_way_gives_the_same_energy(outer, order, inner, inside):
    mapping = outer, order, inner, inside
    quick = space.quick_joules((32, 32, 32), mapping, 1000, 100)
    slow = space.joules(Gemm(32, 32, 32), mapping, 1000, 100)
    assert quick == slow == inf or isclose(quick, slow)


def test_the_space_of_the_chapter():
    assert space.mapspace(G) == (27_128_556, 10_303_200) == (91**3 * 36, 286_200 * 36)
    assert isclose(space.joules(G, ((512, 512, 128), "mnk", (128, 2, 128), "mkn")), 0.022053650432)
    assert isclose(space.joules(G, ((64,) * 3, "mnk", (16,) * 3, "mnk")), 0.169089171456)


def test_how_many_are_good():
    assert space.within([1, 1.05, 1.1, 1e6]).tolist() == [84, 312, 580, 10_303_200]
    costs = space.spread(G)
    assert 616 < costs[-1] < 618 and 23 < np.median(costs) < 24.5
    exact = space.table(G)
    assert (exact <= 1.05 * exact.min()).sum() == 312


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['sram_words']}-{row['register_words']}")
def test_the_stored_optima_are_found_again(row):
    rooms = row["sram_words"], row["register_words"]
    best = space.best(G, *rooms)
    outer, order, inner, inside = row["mapping"]
    assert isclose(best.joules, row["joules"], rel_tol=1e-12)
    assert isclose(space.joules(G, (tuple(outer), order, tuple(inner), inside), *rooms), row["joules"])
    assert space.mapspace(G, *rooms).legal == row["legal"]


@pytest.mark.parametrize("row", ROWS[6:8], ids=lambda row: f"{row['sram_words']}-{row['register_words']}")
def test_the_stored_counts_of_good_ones_are_found_again(row):
    ratios = space.table(G, row["sram_words"], row["register_words"]) / row["joules"]
    assert ((ratios < 1 + 1e-9).sum(), (ratios <= 1.05).sum()) == (row["ties"], row["within_5_percent"])


def test_there_are_twelve_and_larger_buffers_never_cost_more():
    least = {(row["sram_words"], row["register_words"]): row["joules"] for row in ROWS}
    srams, registers = sorted({s for s, _ in least}), sorted({r for _, r in least})
    assert len(least) == len(ROWS) == len(srams) * len(registers) == 12
    for s in srams:
        for r in registers:
            assert all(least[s, r] >= least[t, q] for t in srams for q in registers if t >= s and q >= r)


def test_no_mapping_beats_each_word_once_between_every_two_levels():
    best = space.best(G)
    assert best.joules > (space.DRAM_JOULES + space.SRAM_JOULES) * 3 * 4096**2
    assert tile_words(best.mapping[0]) <= 2**19 and tile_words(best.mapping[2]) <= 2**15


def test_what_does_not_fit_costs_infinitely_much():
    assert space.joules(G, ((1024, 1024, 1024), "mnk", (16, 16, 16), "mnk")) == inf
    assert space.joules(G, ((512, 512, 64), "mnk", (128, 128, 128), "mnk")) == inf  # longer inside than outside
    with pytest.raises(ValueError, match="no mapping fits"):
        space.best(G, 2, 2)


def test_a_dimension_that_is_no_power_of_two_has_powers_up_to_it():
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


@pytest.mark.parametrize("ask", [space.best, space.table, space.spread, lambda *given: space.within(1.05, *given)])
def test_where_nothing_fits_there_is_no_best(ask):
    with pytest.raises(ValueError, match="no mapping fits into 2 and 2 words"):
        ask(Gemm(8, 8, 8), 2, 2)


def test_more_mappings_than_can_be_listed_are_refused():
    with pytest.raises(ValueError, match="too many to list"):
        space.within(1.05, Gemm(65536, 65536, 65536), 2**40, 2**40)


def test_a_table_lists_no_more_than_a_spread():
    large = Gemm(2**14, 2**14, 2**14), 2**40, 2**40
    for listed in (space.table, lambda gemm, *rooms: space.spread(gemm, *rooms)):
        with pytest.raises(ValueError, match="62,208,000 mappings fit, too many to list; at most 30,000,000"):
            listed(*large)
