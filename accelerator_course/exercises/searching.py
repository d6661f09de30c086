"""Searching: what judges a search for a mapping: ten seeds, a cost whose calls are counted, the best there is."""

from math import inf

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.codesign.loopnest import ORDERS
from accelerator_lib.codesign.mapspace import PRODUCT, REGISTER_WORDS, SRAM_WORDS, edges, optimum, quick_joules
from accelerator_lib.codesign.search import draw

CALLS, SEEDS, ENOUGH, NEAR = 2000, range(10), 7, 1.1  # of cost, for each seed; how many must come so near
ENDLESS = 3 * CALLS  # then a search is stopped
EDGES, SIZES = frozenset(edges(4096)), (PRODUCT.m, PRODUCT.n, PRODUCT.k)


class Counted:
    """The cost of a mapping [J], and how often it was asked; infinity for what does not fit or is no mapping."""

    def __init__(self):
        self.calls = 0

    def __call__(self, mapping):
        self.calls += 1
        if self.calls > ENDLESS:
            raise RuntimeError(f"cost was called more than {ENDLESS:,} times; {CALLS:,} are allowed")
        return price(mapping)


def price(mapping):
    """Energy [J] of a mapping of powers of two that fits; infinity for anything else."""
    try:
        outer, order, inner, inner_order = mapping
        known = {*outer, *inner} <= EDGES and len(outer) == len(inner) == 3 and {order, inner_order} <= {*ORDERS}
    except (TypeError, ValueError):
        return inf
    return quick_joules(SIZES, (outer, order, inner, inner_order), SRAM_WORDS, REGISTER_WORDS) if known else inf


def _search(function, seed):
    """(energy of what a search returns, times it asked, what it returned)."""
    cost = Counted()
    got = function(cost, draw, seed)
    return price(got), cost.calls, got


def check_search(function):
    least = optimum(PRODUCT, SRAM_WORDS, REGISTER_WORDS)[0].joules

    def one(found):
        energy, calls, got = found
        if energy == inf:
            raise Wrong(
                "For seed 0 return a mapping that fits, such as ((64, 64, 64), 'mnk', (16, 16, 16), 'mnk'); you "
                f"returned {shown(got)}."
            )
        if calls > CALLS:
            raise Wrong(f"For seed 0 you called cost {calls:,} times; {CALLS:,} are allowed.")

    def tell(found):
        return f"{found[0] / least:.2f} times the best of all, {found[1]:,} calls"

    first = case("seed 0", f"a mapping that fits, {CALLS:,} calls at most", lambda: _search(function, 0), one, tell)
    yield first
    if not first.right:
        return ""

    def every():
        found = [_search(function, seed) for seed in SEEDS]
        return [round(energy / least, 4) if calls <= CALLS else inf for energy, calls, _ in found]

    def judge(ratios):
        near = sum(ratio <= NEAR for ratio in ratios)
        if near < ENOUGH:
            raise Wrong(
                f"Of the seeds 0 to 9, {near} came within 10 % of the best of all mappings; {ENOUGH} must. In times "
                f"the best: {', '.join(f'{ratio:.2f}' for ratio in ratios)}."
            )

    def nearly(ratios):
        return f"{sum(ratio <= NEAR for ratio in ratios)} of 10 within 10 %"

    yield case("seeds 0 to 9", f"{ENOUGH} or more within 10 % of the best", every, judge, nearly)
    return "within 10 % of the best of ten million, and most of the time, with two thousand questions."
