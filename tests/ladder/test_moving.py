"""Moving: what is shown adds up to what was counted, step by step."""

import numpy as np
import pytest

from accelerator_course import ladder
from accelerator_course.ladder.moving import MOST, moving

RUNGS = {id: rung for id, rung in ladder.rungs().items() if rung.machine != "warp"}
TEXTS = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung in RUNGS.values() for step in rung.steps]


@pytest.mark.parametrize("rung, step", TEXTS)
def test_every_step_is_told_and_every_part_lies_within_its_operand(rung, step):
    made = rung.run(step.text, rung.case(rung.visible[1]))
    states = list(ladder.watch(made))
    assert [state.number for state in states] == list(range(1, len(states) + 1)) and len(states) <= MOST
    for state in states:
        assert state.length == len(states) and made.lines[state.line - 1].strip() and state.said and state.where
        assert all(share is None or 0 <= share <= 1 for *_, share in state.gauges)
        for spot in state.spots:
            for top, bottom, left, right in (spot.at, *(part for part, _ in spot.seen)):
                assert 0 <= top < bottom <= 1 and 0 <= left < right <= 1
            assert spot.at in dict(spot.seen) and (spot.left is None or (spot.result and spot.came))


def came(states, name):
    """[(part, how often it came)] at the end."""
    return next(spot.seen for spot in states[-1].spots if spot.name == name)


def test_blocks_of_pallas_come_as_often_as_their_bytes_say():
    rung = RUNGS["product"]
    made = rung.run(rung.worked.text, rung.scoring)
    states = list(moving(made))
    (call,) = made.calls
    for name in ("a", "b"):
        size = made.arrays[name].nbytes
        told = sum(
            times * (bottom - top) * (right - left) * size for (top, bottom, left, right), times in came(states, name)
        )
        assert told == pytest.approx(call.fetched_bytes[name])
    assert states[-1].gauges[0][1] == f"{made.moved_bytes:,} of {made.moved_bytes:,} bytes"
    shares = [state.gauges[0][2] for state in states]
    assert shares == sorted(shares) and shares[-1] == 1


def test_a_feed_covers_c_once_for_every_block_along_k():
    rung = RUNGS["feed"]
    for step in rung.steps:
        made = rung.run(step.text, rung.scoring)
        states = list(moving(made))
        assert len(states) == len(made.passes)
        covered = np.zeros((94, 81))
        for each in made.passes:
            rows, cols = each.sums
            covered[slice(*rows), slice(*cols)] += 1
        assert (covered == 4).all()
        waits = f"{made.waited_cycles:,} cycles for blocks, {made.spilled_cycles:,} for sums"
        assert states[-1].gauges[1][1] == waits and states[0].said.endswith("16 cycles for the block")
        assert ("meanwhile" in states[0].said) == (step in rung.steps[2:])


def test_a_mapped_network_shows_every_block_of_every_layer():
    rung = RUNGS["network"]
    made = rung.run(rung.worked.text, rung.scoring)
    states = list(moving(made))
    assert len(states) == 25 + 65 + 33 and states[-1].where == "layer 2, block 33 of 33"
    assert [spot.name for spot in states[0].spots] == ["inputs", "weights", "outputs"]
    assert [times for _, times in came(states[:90], "weights")] == [13] * 5
    assert states[30].said == "inputs, weights come, outputs go back to memory"
    assert states[31].said == "inputs, weights come, outputs stay"


def test_a_long_run_shows_its_first_steps():
    rung = RUNGS["network"]
    made = rung.run("array(32, 32)\nlayer(1, 0, 0, 12, 12, 12)", rung.scoring)
    assert len(list(moving(made))) == MOST
