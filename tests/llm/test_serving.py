"""The face of serving: the numbers that a chapter on serving must agree on."""

import pytest

from accelerator_lib.llm import serving

R = serving.Request


def runs(*given, **more):
    return list(serving.serve(*given, **more))


def test_a_filled_slot_saves_three_steps_of_eleven():
    four = [R(0, 1, output) for output in (2, 8, 3, 3)]
    assert [len(runs(four, slots=2, static=static)) for static in (True, False)] == [11, 8]


def test_one_block_less_makes_one_user_wait_four_steps():
    wide, tight = (runs([R(0, 4, 8)] * 3, slots=3, blocks=blocks, block=4) for blocks in (9, 8))
    assert (len(wide), len(tight)) == (8, 11)
    assert (tight[-1].served[2].preempted, tight[-1].served[2].longest_gap) == (1, 4)
    assert all(one.longest_gap == 1 for one in wide[-1].served)


@pytest.mark.parametrize("chunk, gap", [(None, 0.232100116), (512, 0.014515302)])
def test_a_long_prompt_stops_everybody_unless_it_is_cut(chunk, gap):
    jobs = [R(0, 512, 200)] * 31 + [R(1.0, 8192, 50)]
    end = runs(jobs, slots=64, budget=chunk, seconds=serving.clock("llama-3-8b", "h100-sxm5"))[-1]
    assert max(one.longest_gap for one in end.served[:31]) == pytest.approx(gap, rel=1e-6)


def test_what_the_face_shows():
    assert set(serving.__all__) == {"Request", "blocks_of", "capacity", "clock", "prefix_hits", "serve"}
