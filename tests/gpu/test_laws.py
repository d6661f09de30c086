"""How each generation feeds its tensor cores: played, in closed form, and as the stepper shows it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_event
from accelerator_lib.gpu import generations, sm

WAYS = st.sampled_from(list(generations.TABLE))


@given(WAYS, st.floats(100, 3000), st.integers(1, 6), st.integers(1, 14))
def test_tiles_that_are_played_end_when_the_longest_chain_of_waits_does(way, copy, buffers, tiles):
    run = generations.play(way, copy, buffers, tiles)
    assert run.cycles == pytest.approx(generations.cycles(way, copy, buffers, tiles))
    whole = {what: [one for one in run.spans if one.what == what] for what in ("copy", "multiply")}
    for copied, multiplied in zip(whole["copy"], whole["multiply"], strict=True):
        assert copied.tile == multiplied.tile and copied.end <= multiplied.begin
    for freed, copied in zip(whole["multiply"], whole["copy"][buffers:], strict=False):
        assert freed.end <= copied.begin  # no more tiles on the SM than buffers
    for what in whole.values():
        assert all(one.end <= later.begin + 1e-6 for one, later in pairwise(what))


def test_instructions_and_cycles_of_a_tile_by_hand():
    found = [generations.feeding(way) for way in generations.TABLE]
    assert [way.multiply for way in found] == [1024, 512, 256, 128, 128, 2048]
    assert [(way.ask, way.store, way.read, way.product) for way in found[:4]] == [
        (8, 8, 24, 128),  # 16 KiB in loads of 512 bytes, a quarter for each scheduler; 128 x 128 x 32 / 1,024 / 4
        (8, 0, 24, 64),
        (2, 0, 0, 4),
        (2, 0, 0, 2),
    ]
    assert [way.instructions for way in found] == [672, 384, 18, 4, 4, 354]
    paces = [
        [generations.cycles(way, 400, b, 9) - generations.cycles(way, 400, b, 8) for b in (1, 2)]
        for way in generations.TABLE
    ]
    assert paces == [[1440, 1040], [920, 520], [658, 400], [530, 400], [430, 300], [2450, 2048]]
    beside = sm.chip("rtx-5070-ti")
    assert beside.peak("fp16") == pytest.approx(2 * 256 * beside.units * beside.clock_hz, rel=0.01)


@given(WAYS, st.integers(1, 3))
def test_at_every_moment_a_warp_issues_or_waits_and_the_busy_share_is_that_of_the_run(way, buffers):
    run = generations.play(way, 400, buffers)
    states = list(by_event(run))
    assert [now.cycle for now in states] == sorted({now.cycle for now in states}) and states[-1].cycle == run.cycles
    assert states[-1].busy == pytest.approx(run.tiles * run.feeding.multiply / run.cycles)
    for now in states:
        facts, multiplies = run.feeding.facts, now.now("multiply") is not None
        assert len(now.warps) == facts["warps"] and (1 in now.warps) == multiplies
        assert (2 in now.warps) == (now.now("ask", "store") is not None)
        issued = sum(
            end - begin
            for _, begin, end in now.until(*(["multiply"] if facts["apart"] else ["multiply", "ask", "store"]))
        )
        assert issued + sum(end - begin for begin, end in now.waits) == pytest.approx(now.cycle)
