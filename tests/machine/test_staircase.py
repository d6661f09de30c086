import pytest

from accelerator_lib.machine import staircase

STAIRS = staircase.Staircase((4e3, 4e5, 3e7), (1e-9, 5e-9, 9e-8), (4e3, 3e7), (1e11, 2e10), {"L1": 32768})


def test_the_chase_visits_every_line_once():
    chain = staircase.pointers(4096)
    place, seen = 0, []
    for _ in range(64):
        seen.append(place)
        place = int(chain[place])
    assert place == 0 and len(set(seen)) == 64 and all(p % 16 == 0 for p in seen)


def test_the_staircase_of_this_machine_climbs():
    *early, last = staircase.climb()
    assert all(step.result is None and 0 <= step.fraction < 1 for step in early) and last.fraction == 1
    stairs = last.result
    assert min(stairs.latencies) > 1e-10 and max(stairs.latencies[-3:]) > 1.5 * min(stairs.latencies)
    assert all(rate > 1e8 for rate in stairs.bandwidths) and stairs.latency_sizes[-1] == staircase.LARGEST


def test_a_stream_counts_every_byte_that_its_arrays_hold_and_its_result(monkeypatch):
    """Second road: where each step takes a second, the rates are the bytes of what went in and of what came out."""
    moved = []

    def second(function, arguments, steps, budget):
        moved.append(sum(array.nbytes for array in arguments) + function(*arguments, 1).nbytes)
        return 1.0

    monkeypatch.setattr(staircase, "_seconds", second)
    *_, last = staircase.climb()
    stairs = last.result
    assert list(stairs.bandwidths) == moved[len(stairs.latencies) :]
    assert list(stairs.bandwidths) == pytest.approx([1.5 * size for size in stairs.bandwidth_sizes], rel=0.01)


def test_a_reading_is_taken_at_the_nearest_size_by_ratio():
    near = STAIRS.near(3e5)
    assert (near.access_bytes, near.access_seconds) == (4e5, 5e-9) and near.slower == pytest.approx(5)
    assert (near.stream_bytes, near.stream_bytes_per_s) == (4e3, 1e11)  # 75 times as large, not a hundredth of 3e7
    assert STAIRS.near(1).slower == 1 and STAIRS.near(1e12).slower == pytest.approx(90)


def test_a_working_set_has_a_size():
    with pytest.raises(ValueError, match="working_set_bytes = 0 B is outside"):
        STAIRS.near(0)
