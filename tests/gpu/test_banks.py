import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_turn
from accelerator_lib import gpu
from accelerator_lib.gpu import access

strides, sizes, offsets = st.integers(0, 70), st.sampled_from([1, 4, 8, 16]), st.integers(0, 31)


def test_stride_two_takes_two_turns_of_sixteen_lanes():
    run = list(by_turn(access.strided(2)))
    assert [np.flatnonzero(turn.served).tolist() for turn in run] == [[], [*range(16)], [*range(16, 32)]]
    assert [int(turn.waiting.sum()) for turn in run] == [32, 16, 0]
    assert np.flatnonzero(run[1].busy).tolist() == np.flatnonzero(run[2].busy).tolist() == [*range(0, 32, 2)]


def test_one_word_for_all_is_one_turn_of_one_bank():
    before, after = by_turn(access.strided(0))
    assert before.waiting.all() and after.served.all() and after.busy.sum() == 1


@given(st.integers(0, 1000))
def test_strides_take_as_many_turns_as_the_formula_says(stride):
    *_, last = run = list(by_turn(access.strided(stride)))
    assert len(run) == 1 + last.turns == 1 + gpu.bank_conflict(stride)


@given(strides, sizes, offsets)
def test_no_bank_delivers_two_words_in_a_turn_and_every_lane_gets_all_of_its_own(stride, size, offset):
    asked = access.strided(stride, size, offset)
    *_, last = run = list(by_turn(asked))
    assert last.turns == asked.turns and not last.waiting.any() and last.delivered.all()
    wanted = [{*(own // 4).tolist()} for own in asked.addresses]
    assert np.bincount(last.lane).tolist() == [len(own) for own in wanted]
    assert sum(int(turn.busy.sum()) for turn in run) == last.words == len(set.union(*wanted))


@pytest.mark.parametrize("name", access.PATTERNS)
def test_every_pattern_of_the_chapter_takes_the_turns_of_its_busiest_bank(name):
    found = access.touched(*access.PATTERNS[name])
    assert len(list(by_turn(found))) == 1 + found.words.max()


def test_only_an_access_is_served():
    with pytest.raises(TypeError, match="access must be an Access"):
        next(by_turn([0, 4, 8]))
