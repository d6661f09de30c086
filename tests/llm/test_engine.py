"""The engine's steps, one rule at a time."""

from accelerator_lib.llm.engine import Engine
from accelerator_lib.llm.served import Request


def engine(requests, slots=3, blocks=9, block=4, budget=None, static=False):
    return Engine(tuple(requests), slots, blocks, block, budget, static, lambda *_: 1)


def test_three_of_four_and_eight_tokens_fit_nine_blocks_and_not_eight():
    wide, tight = (engine([Request(0, 4, 8)] * 3, blocks=blocks) for blocks in (9, 8))
    for _ in range(5):
        assert wide.step() and tight.step()
    assert wide.free == 3 and tight.free == 2
    assert tight.step() and tight.preempted == (2,) and list(tight.waiting) == [2] and tight.cached[2] == 0
    assert wide.step() and wide.preempted == () and wide.free == 0


def test_lowest_blocks_are_taken_first_and_come_back():
    one = engine([Request(0, 8, 1), Request(1, 4, 1)], blocks=3)
    assert one.step() and one.held == ((0, (0, 1)),) and one.free == 3
    assert one.step() and one.held == ((1, (0,)),)
    assert not one.step()


def test_the_budget_goes_to_the_oldest_first():
    one = engine([Request(0, 3, 4), Request(0, 9, 2)], budget=4, blocks=20)
    works = []
    while one.step():
        works.append(dict(one.work))
    assert works == [{0: 3, 1: 1}, {0: 1, 1: 3}, {0: 1, 1: 3}, {0: 1, 1: 2}, {1: 1}]


def test_nobody_enters_in_a_step_that_preempts():
    one = engine([Request(0, 4, 8), Request(0, 4, 8), Request(5, 1, 1)], blocks=5)
    while not one.preempted:
        assert one.step()
    assert list(one.waiting) == [1, 2] or list(one.waiting) == [1]
    assert 2 not in one.work
