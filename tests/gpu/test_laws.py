"""How each generation feeds its tensor cores: played, in closed form, and as the stepper shows it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_course.frames.gpu import by_event
from accelerator_lib.gpu import generations, sm

WAYS = st.sampled_from(list(generations.TABLE))


@given(WAYS, st.floats(100, 3000), st.integers(1, 6), st.integers(1, 14))
def test_a_product_ends_when_its_longest_chain_of_waits_does(way, copy, buffers, tiles):
    run = generations.play(way, copy, buffers, tiles)
    assert run.cycles == pytest.approx(generations.cycles(way, copy, buffers, tiles))
    copies, products = ([one[2:] for one in run.spans if one[0] == what] for what in ("copy", "multiply"))
    assert all(there <= begins for (_, there), (begins, _) in zip(copies, products, strict=True))
    assert all(freed <= begins for (_, freed), (begins, _) in zip(products, copies[buffers:], strict=False))
    *_, last = states = list(by_event(run))
    assert last.cycle == run.cycles and last.busy == pytest.approx(tiles * run.feeding.multiply / run.cycles)
    kinds = ("multiply",) if (apart := run.feeding.facts["apart"]) else ("multiply", "ask", "store")
    for now in states:
        asks = now.now("ask", "store") is not None
        products = now.now("multiply") is not None and (apart or not asks)
        assert (1 in now.warps, 2 in now.warps) == (products, asks)
        past, spans = pairwise(one.cycle for one in states if one.cycle <= now.cycle), now.until(*kinds)
        idle = [b - a for a, b in past if not any(begin <= a and b <= end for _, begin, end in spans)]
        assert sum(b - a for a, b in now.waits) == pytest.approx(sum(idle))


def test_instructions_and_cycles_of_a_tile_by_hand():
    found = [generations.feeding(way) for way in generations.TABLE]
    assert [way.multiply for way in found] == [1024, 512, 256, 128, 128, 2048]
    slots = [(way.ask, way.store, way.read, way.product) for way in found[:4]]
    # 16 KiB in loads of 512 bytes, a quarter for each scheduler; 128 x 128 x 32 multiply-adds / 1,024 / 4
    assert slots == [(8, 128, 24, 128), (8, 0, 24, 64), (2, 0, 0, 4), (2, 0, 0, 2)]  # 16 KiB in 128 bytes a cycle
    assert [way.instructions for way in found] == [672, 384, 18, 4, 4, 354]
    ends = [[generations.cycles(way, 400, b, n) for b in (1, 2) for n in (8, 9)] for way in generations.TABLE]
    paces = [(b - a, d - c) for a, b, c, d in ends]
    assert paces == [(1560, 1152), (920, 512), (658, 400), (530, 400), (430, 300), (2450, 2048)]
    beside = sm.chip("rtx-5070-ti")
    assert beside.peak("fp16") == pytest.approx(2 * 256 * beside.units * beside.clock_hz, rel=0.01)
