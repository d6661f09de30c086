"""A loop nest: its words in closed form, in brute loops and step by step; its buffers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.codesign import both, thin
from accelerator_lib.codesign.loopnest import ORDERS, Traffic, tile_words, traffic, walk
from accelerator_lib.tiling.products import gemm_bytes
from accelerator_lib.workload import Gemm

SMALL = st.integers(1, 9)


def brute(sizes, tile, order):
    """Words, found by doing the loops with one tile of each matrix kept and its place remembered."""
    trips = [-(-size // edge) for size, edge in zip(sizes, tile, strict=True)]
    places = ["mnk".index(d) for d in order]
    held, begun, words = {}, set(), [0, 0, 0, 0]

    def size(d, i):
        return min(tile[d], sizes[d] - i * tile[d])

    def home():
        if "C" in held:
            words[2] += size(0, held["C"][0]) * size(1, held["C"][1])

    for turn in np.ndindex(*(trips[place] for place in places)):
        m, n, k = (turn[places.index(d)] for d in range(3))
        if held.get("A") != (m, k):
            held["A"] = m, k
            words[0] += size(0, m) * size(2, k)
        if held.get("B") != (k, n):
            held["B"] = k, n
            words[1] += size(2, k) * size(1, n)
        if held.get("C") != (m, n):
            home()
            if (m, n) in begun:
                words[3] += size(0, m) * size(1, n)
            begun.add((m, n))
            held["C"] = m, n
    home()
    return tuple(words)


@given(st.tuples(SMALL, SMALL, SMALL), st.tuples(SMALL, SMALL, SMALL), st.sampled_from(ORDERS))
def test_the_closed_form_is_what_the_loops_move_turned_or_not_and_never_less_than_each_matrix_once(sizes, tile, order):
    assert traffic(Gemm(*sizes), tile, order) == brute(sizes, tile, order)
    m, n, k = sizes
    least = m * k + k * n + m * n
    assert traffic(Gemm(*sizes), tile, order).words >= least
    assert traffic(Gemm(*sizes), sizes, order).words == least
    m, n, k = sizes
    turned = traffic(Gemm(n, m, k), (tile[1], tile[0], tile[2]), order.translate(str.maketrans("mn", "nm")))
    here = traffic(Gemm(m, n, k), tile, order)
    assert here == turned._replace(inputs=turned.weights, weights=turned.inputs)


def test_cases_by_hand():
    assert traffic(Gemm(8, 8, 8), (2, 2, 2), "mnk") == (256, 256, 64, 0)
    assert traffic(Gemm(8, 8, 8), (2, 2, 2), "mkn") == Traffic(64, 256, 256, 192)
    assert traffic(Gemm(10, 7, 5), (4, 3, 2), "mkn") == (50, 105, 210, 140)
    edges = np.array([1, 2, 4, 8])
    many = traffic(Gemm(8, 8, 8), (edges, edges, edges), "mkn").words
    assert many.tolist() == [traffic(Gemm(8, 8, 8), (int(e),) * 3, "mkn").words for e in edges]
    sizes = np.array([8, 16])
    each = [traffic(Gemm(int(m), 8, 8), (2, 2, 2), "kmn").words for m in sizes]
    assert traffic(Gemm(sizes, 8, 8), (2, 2, 2), "kmn").words.tolist() == each
    assert tile_words((2, 3, 4)) == 8 + 12 + 6


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 64), st.integers(1, 64), st.integers(1, 64))
def test_sums_that_stay_move_what_chapter_4_says(m, n, tile_m, tile_n, tile_k):
    """Output-stationary, no cache: the same formula, found there in another way (bf16: two bytes)."""
    k = 4 * tile_k  # more than one trip, so that both operands come again
    gemm = Gemm(m, n, k)
    assert 2 * traffic(gemm, (tile_m, tile_n, tile_k), "mnk").words == gemm_bytes(gemm, tile_m, tile_n)


SMALL = st.integers(1, 7)
THREE = st.tuples(SMALL, SMALL, SMALL)


@given(THREE, THREE, st.sampled_from(ORDERS))
def test_a_walk_ends_at_the_closed_form_and_words_grow_by_what_comes_and_goes(sizes, tile, order):
    *_, last = walk(Gemm(*sizes), tile, order)
    assert last.words == traffic(Gemm(*sizes), tile, order)
    before = None
    for now in walk(Gemm(*sizes), tile, order):
        if before is not None:
            come = [piece.words if new else 0 for piece, new in zip(now.held, now.came, strict=True)]
            back = now.held[2].words if now.came[2] and now.held[2].again else 0
            home = now.home.words if now.home else 0
            grown = [a - b for a, b in zip(now.words, before.words, strict=True)]
            assert grown == [come[0], come[1], home, back]
        before = now


def test_every_state_knows_its_number_and_its_end():
    moments = list(walk(Gemm(8, 8, 8), (2, 2, 2), "kmn"))
    assert [one.step for one in moments] == list(range(66)) and {one.steps for one in moments} == {65}
    assert moments[0].words == (0, 0, 0, 0) and moments[0].held == (None,) * 3  # the walk went on, it did not
    assert {one.ends for one in moments} == {moments[-1].words}


def test_walks_side_by_side_and_thinned():
    *_, last = both(2, "mnk", "mkn")
    assert (last.left.words.words, last.right.words.words, last.fewer) == (576, 768, "mnk")
    assert list(both(8))[-1].fewer is None and next(both(2, "mkn", "mnk")).fewer is None
    whole = list(walk(Gemm(8, 8, 8), (1, 1, 1), ORDERS[0]))
    kept = list(thin(whole, slowly=10, most=30))
    assert kept[:11] == whole[:11] and kept[-1] == whole[-1] and len(kept) <= 32
    assert len(list(thin(whole[:57]))) == 57 and len(list(thin(whole))) <= 155
