import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib import memory

times = st.floats(1e-6, 1e-2)


@given(st.integers(1, 60), times, times, st.booleans())
def test_the_formula_of_a_pipeline_is_its_timeline_played(chunks, copy, work, overlap):
    played = memory.timeline(chunks, copy, work, buffers=None if overlap else 1).seconds
    assert memory.pipelined_seconds(chunks, copy, work, overlap) == pytest.approx(played)


@given(st.integers(1, 6), st.floats(1e-7, 1e-5), st.floats(1e-7, 1e-5))
def test_one_buffer_adds_and_two_overlap(buffers, copy, maths):
    line = memory.timeline(30, copy, maths, buffers)
    assert line.each == pytest.approx(copy + maths if buffers == 1 else max(copy, maths))
    assert memory.timeline(30, copy, maths, 6).seconds == pytest.approx(copy + maths + 29 * max(copy, maths))


def test_eight_chunks_take_26_or_40_milliseconds_and_a_model_crosses_pcie_in_08_seconds():
    assert memory.pipelined_seconds(8, 2e-3, 3e-3) == pytest.approx(26e-3)
    assert memory.pipelined_seconds(8, 2e-3, 3e-3, overlap=False) == pytest.approx(40e-3)
    assert memory.transfer_seconds(26e9, 32e9) == pytest.approx(0.8125)
    assert memory.transfer_seconds(0, 32e9, latency_seconds=1e-5) == 1e-5


def test_a_timeline_knows_what_it_saves_and_what_holds_it_up():
    line = memory.timeline(8, 2e-3, 3e-3)
    assert line.one_by_one_seconds == pytest.approx(40e-3) and line.seconds == pytest.approx(26e-3)
    assert line.overlaps and line.slower == "work" and memory.timeline(8, 3e-3, 2e-3).slower == "copies"
    for alone in (memory.timeline(1, 2e-3, 3e-3), memory.timeline(8, 2e-3, 3e-3, buffers=1), memory.timeline(8, 1, 0)):
        assert not alone.overlaps and alone.seconds == pytest.approx(alone.one_by_one_seconds)


def test_a_chunk_is_copied_before_it_is_worked_on_and_nothing_does_two_things_at_once():
    line = memory.timeline(20, 2e-3, 3e-3, buffers=2)
    assert (line.work_starts >= line.copy_starts + 2e-3 - 1e-12).all()
    assert (np.diff(line.copy_starts) >= 2e-3 - 1e-12).all() and (np.diff(line.work_starts) >= 3e-3 - 1e-12).all()


@pytest.mark.parametrize("arguments, message", [
    ((0, 1e-3, 1e-3), "chunks"),
    ((20_000, 1e-3, 1e-3), "chunks"),
    ((4, -1e-3, 1e-3), "copy_seconds"),
    ((4, 1e-3, float("nan")), "compute_seconds"),
    ((4, 1e-3, 1e-3, True), "buffers"),
])  # fmt: skip
def test_an_impossible_timeline_is_refused(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        memory.timeline(*arguments)
