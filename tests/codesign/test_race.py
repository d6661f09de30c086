from itertools import pairwise
from math import inf, isclose

import pytest

from accelerator_lib.codesign.mapspace import PRODUCT, joules
from accelerator_lib.codesign.race import looks, race, stored
from accelerator_lib.codesign.search import STRATEGIES, search
from accelerator_lib.workload import Gemm


@pytest.mark.parametrize("budget", [1, 10, 100, 777])
def test_a_race_ends_where_each_search_alone_does(budget):
    states = list(race(budget, 5))
    assert states[0].trials == 0 and states[-1].trials == budget
    for runner, strategy in zip(states[-1].runners, STRATEGIES, strict=True):
        alone = list(search(strategy, 5, budget))
        assert isclose(runner.ratio * states[-1].finish.joules, alone[-1].best) or runner.ratio == inf == alone[-1].best
        gains = [a.number for a, b in zip(alone, [None, *alone], strict=False) if a.best < (b.best if b else inf)]
        assert [trial for trial, _ in runner.steps] == gains and runner.found_at == (gains[-1] if gains else 0)
        assert runner.fitted == sum(one.joules < inf for one in alone) and runner.leader == alone[-1].leader


def test_nobody_passes_the_finish_and_nobody_falls_back():
    before = (inf,) * 4
    for state in race(1000, 12):
        now = tuple(runner.ratio for runner in state.runners)
        assert all(1 - 1e-9 <= a <= b for a, b in zip(now, before, strict=True))
        for runner in state.runners:
            assert [trial for trial, _ in runner.steps] == sorted({trial for trial, _ in runner.steps})
            if runner.steps:
                assert runner.steps[-1] == (runner.found_at, runner.ratio)
                assert isclose(joules(PRODUCT, runner.leader), runner.ratio * state.finish.joules)
        before = now


def test_one_looks_ever_more_rarely():
    marks = looks(10_000)
    assert marks[:5] == [1, 2, 3, 4, 5] and marks[-1] == 10_000 and len(marks) < 80
    assert all(b - a <= 1 + 0.2 * a for a, b in pairwise(marks))
    assert looks(1) == [1]


def test_the_finish_is_stored_for_the_chapter_s_product_and_found_for_another():
    first = next(race(10, 0))
    assert first.legal == 10_303_200 and isclose(first.finish.joules, joules(PRODUCT, first.finish.mapping))
    assert stored(Gemm(64, 64, 64), 2**19, 2**15) is None and stored(PRODUCT, 999, 2**15) is None
    other = next(race(10, 0, 64, 12, Gemm(8, 8, 8)))
    assert isclose(other.finish.joules, joules(Gemm(8, 8, 8), other.finish.mapping, 64, 12)) and other.legal > 0
