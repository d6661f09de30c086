import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import hardware
from accelerator_lib.codesign import lazy


@pytest.mark.parametrize("memory", lazy.MEMORIES)
def test_both_ways_compute_the_sum_and_one_computes_no_more(memory):
    once, demand = (list(lazy.run(mode, memory))[-1] for mode in lazy.MODES)
    assert set(demand.done) == set(lazy.needs("s")) < set(once.done) == {"y", "z", "w", "u", "s"}
    assert demand.never == ("u",) and once.never == ()
    assert (once.kernels, demand.kernels) == (5, 1) and demand.seconds < once.seconds


def test_what_a_result_needs_read_from_the_text_of_the_program():
    for text, name, read, _ in lazy.PROGRAM:
        if name:
            assert text.startswith(f"{name} = ") and read in text.partition("=")[2]
            assert lazy.needs(name)[-1] == name


@given(st.floats(1e3, 1e9))
def test_traffic_and_time_at_once_by_hand(size):
    last = list(lazy.run("at once", "shared", size))[-1]
    assert last.moved == pytest.approx(2 * 4 * size + size + 4) and last.peak == pytest.approx(5 * size + 4)
    assert last.seconds == pytest.approx(5 * lazy.LAUNCH + last.moved / hardware.chip("m3-max").bytes_per_s)


def test_a_clock_that_stops_too_early_shows_nothing():
    states = list(lazy.run("on demand", "shared"))
    assert [state.seconds for state in states[:-1]] == [0.0] * 6 and states[-1].seconds > 0
    assert [lazy.kernels("on demand", lines) for lines in range(7)] == [0] * 6 + [1]
    assert [lazy.kernels("at once", lines) for lines in range(7)] == [0, 1, 2, 3, 4, 5, 5]


def test_a_memory_of_its_own_costs_one_copy():
    for mode in lazy.MODES:
        own, shared = (list(lazy.run(mode, memory))[-1].seconds for memory in ("of its own", "shared"))
        assert own - shared == pytest.approx(64e6 / 63e9)


def test_names_and_sizes_that_are_none_are_answered():
    with pytest.raises(KeyError, match="did you mean 'on demand'"):
        list(lazy.run("on demnd"))
    with pytest.raises(ValueError):
        list(lazy.run(size=-1))


def test_on_demand_no_value_between_ever_lies_in_memory():
    *_, end = lazy.run("on demand", "shared", 1e6)
    assert end.peak == end.held == 1e6 + 4 and set(end.live) == {"x", "s"}
    assert end.moved == 1e6 + 4  # x once, and the four bytes of the sum
