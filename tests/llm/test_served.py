"""What a user sees of a request, from the times of its tokens."""

import pytest

from accelerator_lib.llm.served import Request, Served


def test_three_waits_of_one_answer():
    one = Served(Request(1.0, 4, 5), [4.0, 4.1, 4.2, 6.8, 6.9], 5, 0)
    assert one.ttft == 3.0 and one.tpot == pytest.approx(0.725) and one.longest_gap == pytest.approx(2.6)
    assert one.done and one.gaps == pytest.approx((0.1, 0.1, 2.6, 0.1))


def test_what_is_not_yet_known_is_none():
    log = [4.0, 5.0]
    assert Served(Request(1, 4, 5), log, 0, 0).ttft is None
    one = Served(Request(1, 4, 5), log, 1, 0)
    assert (one.ttft, one.tpot, one.longest_gap, one.done) == (3.0, None, None, False)


def test_a_later_token_does_not_change_what_was_seen():
    log = [1.0]
    one = Served(Request(0, 1, 2), log, 1, 0)
    log.append(9.0)
    assert one.times == (1.0,) and Served(one.request, log, 2, 0).tpot == 8.0


@pytest.mark.parametrize(
    "bad, said",
    [
        ((-1, 1, 1), "arrival = -1"),
        ((0, 0, 1), "prompt = 0"),
        ((0, 1, 0), "output = 0"),
        ((0, 1.5, 1), "prompt must be whole"),
        ((float("nan"), 1, 1), "NaN"),
        (([0, 1], 1, 1), "arrival must be one number"),
        ((0, "many", 1), "prompt must be a number"),
    ],
)
def test_requests_that_make_no_sense(bad, said):
    with pytest.raises((ValueError, TypeError), match=said):
        Request(*bad)
