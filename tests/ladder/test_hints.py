"""Hints: the counter that a slow kernel's fault moves is named, with its line, before all others."""

import re

import pytest

from accelerator_course import ladder
from accelerator_course.ladder.hints import CLEARLY, MOST, counter, hints

RUNGS = ladder.rungs()
FAULTS = [pytest.param(rung, step, id=f"{rung.id}, {step.name}") for rung in RUNGS.values() for step in rung.steps[:-1]]


@pytest.mark.parametrize("rung, step", FAULTS)
def test_the_counter_at_fault_is_worse_and_comes_first(rung, step):
    made = rung.run(step.text, rung.scoring)
    assert counter(step.fault, rung, made) > CLEARLY * counter(step.fault, rung, rung.best)
    found = hints(rung, made)
    assert found[0].counter == step.fault and 1 <= len(found) <= MOST
    assert [hint.lost for hint in found] == sorted((hint.lost for hint in found), reverse=True)
    for hint in found:
        assert hint.counter in rung.counters and "\n" not in hint.text and hint.lost <= rung.cost(made)
        assert hint.line is None or (f"at line {hint.line}" in hint.text and made.lines[hint.line - 1].strip())


@pytest.mark.parametrize("rung", RUNGS.values(), ids=RUNGS)
def test_the_worked_solution_needs_no_hint(rung):
    assert hints(rung, rung.best) == ()


def said(id, number):
    rung = RUNGS[id]
    step = rung.steps[number]
    (hint, *_) = hints(rung, rung.run(step.text, rung.scoring))
    return hint.text, step.text.splitlines()[hint.line - 1].strip() if hint.line else None


def test_what_is_said_by_hand():
    assert said("copy", 0) == ("32 sectors for 128 bytes: 8 times what is asked for, at line 10.", "out[i] = a[i]")
    text, line = said("transpose", 0)
    assert text.startswith("32 sectors for 128 bytes: 8 times what is asked for") and line == "out[x, y] = a[y, x]"
    text, line = said("transpose", 1)
    assert "takes 32 turns" in text and line == "out[y, x] = tile[thread_x, thread_y + k]"
    text, line = said("reduction", 0)
    assert "of 32 lanes work" in text and line == "part[thread] += part[thread + far]"
    text, line = said("reduction", 1)
    assert "instructions of warps (par: 7,328)" in text and line == "while far > 0:"
    text, line = said("histogram", 0)
    assert "lanes of a warp queue for one place" in text and line == "atomic_add(counts, a[i], 1)"
    text, line = said("map", 0)
    assert text.startswith("Only 1 warp is there at a time (par: 64)") and line is None
    text, line = said("matmul", 0)
    assert "where 81,920 would do: 14.6 times as many" in text and line == "total += a[row, p] * b[p, col]"


def test_bytes_asked_again_are_told_with_their_own_ratio():
    """Results are among the bytes, so that each number of a row of nine comes more often than this ratio says."""
    for rung, step in [each.values for each in FAULTS if each.values[0].machine == "warp"]:
        for hint in hints(rung, rung.run(step.text, rung.scoring)):
            if hint.counter == "again":
                asked, least, times = map(float, re.findall(r"[\d.]+", hint.text.replace(",", ""))[:3])
                assert times == pytest.approx(asked / least, abs=0.05)
                assert least == rung.least_bytes(rung.scoring) and "The same" not in hint.text


@pytest.mark.parametrize("rung, step", [each for each in FAULTS if each.values[0].machine == "warp"])
def test_where_issue_slots_are_the_limit_barriers_do_not_come_before_instructions(rung, step):
    """With all its barriers for nothing a kernel takes the issue slots of its instructions."""
    made = rung.run(step.text, rung.scoring)
    if made.bound.limit == "issue":
        told = [hint.counter for hint in hints(rung, made) if hint.counter in ("barriers", "instructions")]
        assert told in ([], ["instructions"], ["instructions", "barriers"])
    for name, (value, words) in rung.counters.items():
        if name == "barriers" and value(rung, made):
            lost = words(rung, made, value(rung, made), value(rung, rung.best))[-1]
            assert 0 <= lost <= made.timed.cycles - made.bound.parts["issue"]


@pytest.mark.parametrize("lanes", [1, 2, 32])
def test_a_queue_is_told_with_all_that_stand_in_it(lanes):
    """Lanes that add alone in their warp still meet those of the other SMs."""
    rung = RUNGS["reduction"]
    adds = f"if lane < {lanes}:\n    for k in range(64):\n        atomic_add(out, 0, 0.0)\n"
    made = rung.run(adds, rung.scoring)
    value, told = rung.counters["atomics"]
    mine, par = value(rung, made), value(rung, rung.best)
    assert mine > CLEARLY * par and made.counted.atomics * lanes * 108 == mine == 108 * made.most_added
    said = told(rung, made, mine, par)
    assert said[0].startswith(f"{lanes} lanes of a warp queue" if lanes > 1 else f"{made.most_added:,} adds go to one")
    assert "all 108 SMs" in said[0]
    assert any(hint.counter == "atomics" and hint.text == said[0] for hint in hints(rung, made))


def test_what_the_product_says_of_waiting_is_what_its_counters_say():
    """Straight from memory it is latency that sets the pace; with the next tile meanwhile a warp waits about once."""
    rung = RUNGS["matmul"]
    first, last = (rung.run(rung.steps[place].text, rung.scoring) for place in (0, -1))
    assert first.bound.limit == "latency" and "a wait for both" in rung.slow.says
    once = last.timed.stalls["memory"] / (last.issued.warps * last.blocks)
    assert last.sm.l2_latency < once < 2 * (last.sm.l2_latency + last.sm.dram_latency)
    assert "Only the first are waited for" in rung.worked.says
