"""What is said of a text: right or wrong, its score, its hints."""

import re
from dataclasses import FrozenInstanceError
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder.judge import CLEARLY, MOST, hints
from accelerator_course.ladder.rung import HIDDEN
from accelerator_course.ladder.tiles import COUNTERS
from accelerator_lib import data

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))

RUNGS = ladder.rungs()
EACH = pytest.mark.parametrize("rung", RUNGS.values(), ids=RUNGS)


def counter(name, rung, made):
    return rung.counters[name][0](rung, made)


def without(text, line):
    """A kernel without one of its lines, the first that begins so."""
    lines = text.splitlines()
    del lines[next(n for n, each in enumerate(lines) if each.strip().startswith(line))]
    return "\n".join(lines)


@EACH
def test_the_worked_solution_gets_a_star_and_the_slow_one_hints(rung):
    worked, slow = ladder.judge(rung.id, rung.worked.text), ladder.judge(rung, rung.slow.text)
    assert worked.right and worked.star and not worked.beaten and worked.score == worked.par and not worked.hints
    assert len(worked.trials) == len(rung.visible) + HIDDEN + 2 and all(trial.right for trial in worked.trials)
    assert "★ You reach the par." in str(worked) and rung.scored in str(worked)
    assert slow.right and not slow.star and slow.hints[0].counter == rung.slow.fault
    assert slow.lines[1] == slow.hints[0].text and slow.score > slow.par >= slow.bound
    with pytest.raises(FrozenInstanceError):
        slow.problem = "x"


@EACH
def test_a_blank_kernel_and_an_empty_one_are_not_begun_and_one_that_does_nothing_is_wrong(rung):
    blank = ladder.judge(rung, rung.blank)
    assert not (blank.right or blank.begun or blank.star) and blank.problem == rung.task and blank.score is None
    assert str(blank) == f"{rung.title}: not begun. {rung.task}"
    for text in ("", "# a remark alone\n", rung.blank + "\n# a remark\n"):
        assert not ladder.judge(rung, text).begun
    idle = ladder.judge(rung, "nothing = 1")
    assert idle.begun and not idle.right and "expected is" in idle.problem and idle.line is None


def test_what_cannot_be_read_is_wrong_whatever_the_case_and_its_colon_is_said_once():
    for text in ("while i < 1:", "x = = 1", "import os"):
        problem = ladder.judge("map", text).problem
        assert "n = " not in problem and "::" not in problem and ":`" not in problem
    assert "(n = 256)" in ladder.judge("map", "out[n] = 1.0").problem


def test_a_kernel_that_knows_what_is_scored_is_wrong():
    """The sizes that are scored and their sum, written down: with other numbers it fails."""
    rung = RUNGS["reduction"]
    n, total = rung.measured["n"], float(rung.expected(rung.scoring)["out"][0])
    lines = rung.slow.text.splitlines()
    heads = "\n".join(line for line in lines if line.startswith(("THREADS", "PER", "part = shared")))
    honest = "\n".join(f"    {line}" for line in lines if line not in heads.splitlines())
    known = f"{heads}\nif n == {n}:\n    if block == 0 and thread == 0:\n        atomic_add(out, 0, {total})\nelse:\n{honest}"
    verdict = ladder.judge("reduction", known)
    assert not verdict.right and f"(n = {n:,}, numbers that you have not seen)" in verdict.problem


def test_a_kernel_that_knows_the_numbers_scores_less_than_any_can():
    """As before, but it looks whether these are the numbers, and does the task where they are not."""
    rung = RUNGS["reduction"]
    a, (total,) = rung.scoring.arguments["a"], rung.expected(rung.scoring)["out"]
    known = (
        f"THREADS = 32\nPER_BLOCK = 32\ni = block * block_size + thread\nif n == {a.size} and a[0] == {a[0]}:\n"
        f"    if i == 0:\n        atomic_add(out, 0, {total})\nelse:\n    if i < n:\n        atomic_add(out, 0, a[i])"
    )
    verdict = ladder.judge("reduction", known)
    assert not verdict.right and "less than the task takes" in verdict.problem


def test_who_beats_the_par_is_told():
    """Four numbers for each thread, asked for at once: more bytes are under way."""
    better = "PER_BLOCK = 1024\nv = zeros(4)\n" + "".join(
        f"for k in range(4):\n    i = block * 1024 + 256 * k + thread\n    if i < n:\n        {line}\n"
        for line in ("v[k] = a[i]", "out[i] = 2 * v[k] + 1")
    )
    verdict = ladder.judge("map", better)
    assert verdict.right and verdict.star and verdict.beaten and verdict.bound <= verdict.score < verdict.par
    assert "★ You beat the par." in str(verdict)


@pytest.mark.parametrize("id, change, line, words", TABLE["a_wrong_kernel_is_refused_at_its_line"])
def test_a_wrong_kernel_is_refused_at_its_line(id, change, line, words):
    good = RUNGS[id].worked.text
    old, new = change
    text = without(good, old) if new is None else good.replace(old, new)
    assert text != good
    verdict = ladder.judge(id, text)
    assert not verdict.right and not verdict.star and words in verdict.problem and "\n" not in str(verdict)
    if line is None:
        assert verdict.line is None
    else:
        assert text.splitlines()[verdict.line - 1].strip().startswith(line), verdict.problem


def test_a_count_that_is_one_too_small_is_wrong_however_large_it_is():
    """One of 11,533 is less than the tolerance of reals; the sizes below are counted in full, so that it comes to this."""
    good = RUNGS["histogram"].worked.text
    text = good.replace(
        "if first + k * THREADS < n:", "if 0 < first + k * THREADS < n or n < 16384 and first == 0 and k == 0:"
    )
    verdict = ladder.judge("histogram", text)
    assert text != good and not verdict.right and "expected is" in verdict.problem
    assert verdict.trials[-1].case.sizes == RUNGS["histogram"].measured
    assert all(each.right for each in verdict.trials[:-1])


def test_what_is_hidden_is_found():
    """Right for all that is visible, wrong beyond."""
    verdict = ladder.judge("map", "i = block * 256 + thread\nif i < n and i < 1000:\n    out[i] = 2 * a[i] + 1")
    assert not verdict.right and "out[1000] was never written" in verdict.problem
    assert "a size that you have not seen" in verdict.problem and verdict.trials[-1].case.hidden
    assert all(trial.right for trial in verdict.trials[:-1])


def test_what_is_given_is_only_to_be_read():
    text = RUNGS["map"].worked.text + "    a[i] = 0.0\n"
    assert ladder.judge("map", text).problem.startswith("a[0] was changed; a is only to be read")


@pytest.mark.parametrize("source", [None, 7, b"pass", ["pass"], "x" * 30_000])
@pytest.mark.parametrize("id", ["map", "product", "feed", "network"])
def test_what_is_no_text_costs_one_line(id, source):
    verdict = ladder.judge(id, source)
    assert not verdict.right and verdict.problem and len(str(verdict)) < 500
    assert str(verdict).isprintable() and verdict.score is None


PIECES = [
    *["out", "thread", "=", "1", "+", "if", ":", "barrier()", "(", ")", "n", "a[0]", "THREADS", "-", "zeros", "[", "]"],
    "\n",
    "    ",
]


@settings(max_examples=40)
@given(st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=15).map(" ".join))
def test_no_text_raises(source):
    verdict = ladder.judge("map", source)
    assert isinstance(verdict, ladder.Verdict) and not verdict.star and str(verdict).isprintable()


def test_another_seed_draws_other_hidden_sizes():
    verdicts = [ladder.judge("map", RUNGS["map"].worked.text, seed) for seed in (0, 1)]
    sizes = [[trial.case.sizes for trial in verdict.trials] for verdict in verdicts]
    assert sizes[0] != sizes[1] and sizes[0][:2] == sizes[1][:2]
    with pytest.raises((TypeError, ValueError), match="seed"):
        ladder.judge("map", "x = 1", -1)


def test_a_hair_behind_the_par_is_told():
    rung = RUNGS["reduction"]
    text = rung.worked.text.replace("total = 0.0", "total = 0.0\nspare = thread + 1\nspare = spare + 1", 1)
    verdict = ladder.judge("reduction", text)
    assert verdict.right and not verdict.star and 1 < verdict.score / verdict.par < 1.05
    assert "short of the par" in verdict.hints[0].text and verdict.lines[1] == verdict.hints[0].text


@pytest.mark.parametrize("id, text", [pytest.param(*its, id=name) for name, *its in TABLE["cheats"]])
def test_no_star_is_won_by_degenerate_means(id, text):
    good = RUNGS[id].worked.text
    text = text if isinstance(text, str) else reduce(lambda told, change: told.replace(*change), text, good)
    verdict = ladder.judge(id, text)
    assert text != good and verdict.begun and not verdict.star


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
    assert "for memory longest at line" in text and line == "total += a[row, p] * b[p, col]"


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
    assert mine > CLEARLY * par and made.counted.atomics * lanes * 108 == mine == 108 * made.slice_turns
    said = told(rung, made, mine, par)
    assert said[0].startswith(f"{lanes} lanes of a warp queue" if lanes > 1 else "Adds meet in one part")
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


RUNGS_ADVICE = {id: rung for id, rung in ladder.rungs().items() if rung.machine == "pallas"}


def first(id, number=0, text=None):
    rung = RUNGS_ADVICE[id]
    text = text or rung.steps[number].text
    hint = hints(rung, rung.run(text, rung.scoring))[0]
    return hint, text.splitlines()[hint.line - 1].strip() if hint.line else None


@pytest.mark.parametrize("id, number, words, line", TABLE["what_is_said"])
def test_what_is_said(id, number, words, line):
    hint, at = first(id, number)
    assert hint.text.startswith(words) or words in hint.text
    assert hint.counter == RUNGS_ADVICE[id].steps[number].fault and hint.counter in COUNTERS
    assert line is None or at == line or at.startswith("pl.BlockSpec")


def test_a_result_that_leaves_twice_is_told():
    """Right, but blocks of pass 0 go to memory with nothing in them."""
    hint, at = first("softmax", text=RUNGS_ADVICE["softmax"].worked.text.replace("(i, turn * step)", "(i, step)"))
    assert hint.counter == "twice" and hint.text.startswith("out leaves 2 times")
    assert at.startswith("out_specs=")


def test_an_empty_room_is_told():
    rung = RUNGS_ADVICE["product"]
    made = rung.run(rung.worked.text.replace("64, 64, 8", "32, 64, 8"), rung.scoring)
    assert counter("room", rung, made) > 1.25 * counter("room", rung, rung.best)
    assert any("larger blocks come less often" in hint.text for hint in hints(rung, made))


@pytest.mark.parametrize("id, number, words, at", TABLE["what_is_said_of_remarks"])
def test_what_is_said_of_remarks(id, number, words, at):
    rung = ladder.rung(id)
    step = rung.steps[number]
    hint = hints(rung, rung.run(step.text, rung.scoring))[0]
    assert words in hint.text and hint.counter == step.fault
    assert step.text.splitlines()[hint.line - 1].strip() == at


@pytest.mark.parametrize("change, counter, words", TABLE["other_faults_of_a_mapping_are_told"])
def test_other_faults_of_a_mapping_are_told(change, counter, words):
    rung = ladder.rung("network")
    found = hints(rung, rung.run(rung.worked.text.replace(*change), rung.scoring))
    assert any(hint.counter == counter and words in hint.text for hint in found), found
