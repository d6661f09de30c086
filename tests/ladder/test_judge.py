"""Judge: right kernels are scored, wrong ones are refused where they are wrong, hostile ones cost one line."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_course import ladder
from accelerator_course.ladder.rung import HIDDEN

RUNGS = ladder.rungs()
EACH = pytest.mark.parametrize("rung", RUNGS.values(), ids=RUNGS)


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
    idle = ladder.judge(rung, "x = 1")
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
    rung = RUNGS["histogram"]
    a, counts = rung.scoring.arguments["a"], rung.expected(rung.scoring)["counts"]
    given = " and ".join(f"a[{at}] == {a[at]}" for at in range(6))
    told = "\n".join(
        f"            if thread == {at % 32}:\n                atomic_add(counts, {at}, {count})"
        for at, count in enumerate(counts)
    )
    known = (
        "THREADS = 32\nPER_BLOCK = 32\ni = block * block_size + thread\n"
        f"if n == {a.size}:\n    if block == 0:\n        if {given}:\n{told}\n        else:\n            while i < n:\n"
        "                atomic_add(counts, a[i], 1)\n                i += 32\n"
        "else:\n    if i < n:\n        atomic_add(counts, a[i], 1)"
    )
    verdict = ladder.judge("histogram", known)
    assert not verdict.right and "less than the task takes" in verdict.problem


def test_who_beats_the_par_is_told():
    """16 numbers for each thread instead of 8: the steps at the end serve twice as many."""
    better = (
        RUNGS["reduction"].worked.text.replace("PER_BLOCK = 2048", "PER_BLOCK = 4096").replace("range(8)", "range(16)")
    )
    verdict = ladder.judge("reduction", better)
    assert verdict.right and verdict.star and verdict.beaten and verdict.bound <= verdict.score < verdict.par
    assert "★ You beat the par." in str(verdict)


@pytest.mark.parametrize("id, change, line, words", [
    ("map", lambda t: t.replace("if i < n:", "if i >= 0:"), "out[i] = 2 * a[i] + 1", "reads a[1000], but a ends at a[999]"),
    ("map", lambda t: t.replace("if i < n:", "if i < n - 1:"), None, "out[255] was never written"),
    ("map", lambda t: t.replace("if i < n:", "if i < n - n % 32:"), None, "out[992] was never written"),
    ("copy", lambda t: t.replace("if i < n:", "if i <= n:"), "out[i] = a[i]", "reads a[3000], but a ends at a[2999]"),
    ("transpose", lambda t: without(t, "barrier()"), "out[y, x] = tile[thread_x, thread_y + k]", "a race"),
    ("transpose", lambda t: t.replace("if x < rows and y < cols:", "if x < rows:"),
     "out[y, x] = tile[thread_x, thread_y + k]", "line"),
    ("reduction", lambda t: without(t, "barrier()"), "total = part[lane % 8]", "a race"),
    ("reduction", lambda t: t.replace("atomic_add(out, 0, total)", "out[0] += total"), "out[0] += total", "a race"),
    ("convolution", lambda t: without(t, "barrier()"), "total += weights[k] * tile[thread + k]", "a race"),
    ("convolution", lambda t: t.replace("0 <= j < n", "j < n"), "value = a[j]", "reads a[-4], but a begins at a[0]"),
    ("convolution", lambda t: t.replace("2 * RADIUS and j < n", "2 * RADIUS and j < n - 1"), None, "expected is"),
    ("scan", lambda t: without(t, "barrier()"), "before = sums[lane % 8] if lane < warp else 0.0", "a race"),
    ("scan", lambda t: t.replace("if thread < cols:\n", "if thread < cols - 1:\n"), None, "was never written"),
    ("histogram", lambda t: t.replace("atomic_add(own, (mine, a[first + k * THREADS]), 1)",
                                      "own[mine, a[first + k * THREADS]] += 1"), "own[mine, a[first", "a race"),
    ("histogram", lambda t: without(t, "own[warp, lane + 32] = 0"), "atomic_add(own, (mine", "not set"),
    ("matmul", lambda t: without(t, "barrier()"), "mine[r] = left", "line"),
    ("matmul", lambda t: t.replace("y < k and", "y < k - 1 and"), None, "c[0, 0] is"),
])  # fmt: skip
def test_a_wrong_kernel_is_refused_at_its_line(id, change, line, words):
    good = RUNGS[id].worked.text
    text = change(good)
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
    assert verdict.trials[-1].case.sizes == RUNGS["histogram"].measured and all(
        each.right for each in verdict.trials[:-1]
    )


def test_what_is_hidden_is_found():
    """Right for all that is visible, wrong beyond."""
    verdict = ladder.judge("map", "i = block * 256 + thread\nif i < n and i < 1000:\n    out[i] = 2 * a[i] + 1")
    assert not verdict.right and "out[1000] was never written" in verdict.problem
    assert "a size that you have not seen" in verdict.problem and verdict.trials[-1].case.hidden
    assert all(trial.right for trial in verdict.trials[:-1])


def test_what_is_given_is_only_to_be_read():
    text = RUNGS["map"].worked.text + "    a[i] = 0.0\n"
    assert ladder.judge("map", text).problem.startswith("a[0] was changed; a is only to be read")


@pytest.mark.parametrize("source", [
    None, 7, b"pass", ["pass"], "x" * 30_000, "\ud800 = 1", "x\0 = 1", "x = " + "(" * 3000, "x = " + "-" * 4000 + "1",
    "while 1:\n    pass", "for i in range(2000000000):\n    x = i", "import os", "().__class__", "def f(): pass",
    "THREADS = 1\nPER_BLOCK = 1\nx = 1", "THREADS = 1024\nPER_BLOCK = 1\nx = 1", "t = shared(60000)\nx = 1",
    "THREADS = 10**9\nx = 1", "THREADS = 1 << 40\nx = 1", "a = 1", "out[1e30] = 1", "out[0] = 1 / 0", "THREADS = 1 / 0",
    "acc = zeros(-5)\nx = 1", "acc = zeros(9, 9, 9)\nx = 1", "\u202e x = 1", "lambda: 0", "x = 'a' * 99999",
])  # fmt: skip
@pytest.mark.parametrize("id", ["map", "matmul", "product"])
def test_hostile_texts_cost_one_line(id, source):
    verdict = ladder.judge(id, source)
    assert not verdict.right and verdict.problem and len(str(verdict)) < 500
    assert str(verdict).isprintable() and verdict.score is None


@settings(max_examples=40)
@given(st.text(max_size=60) | st.lists(st.sampled_from(
    ["out", "[", "]", "thread", "=", "1", "+", "if", ":", "\n", "    ", "barrier()", "(", ")", "n", "a[0]", "THREADS", "-", "zeros"]
), max_size=15).map(" ".join))  # fmt: skip
def test_no_text_raises(source):
    verdict = ladder.judge("map", source)
    assert isinstance(verdict, ladder.Verdict) and not verdict.star and str(verdict).isprintable()


def test_another_seed_draws_other_hidden_sizes():
    sizes = [
        [trial.case.sizes for trial in ladder.judge("map", RUNGS["map"].worked.text, seed).trials] for seed in (0, 1)
    ]
    assert sizes[0] != sizes[1] and sizes[0][:2] == sizes[1][:2]
    with pytest.raises((TypeError, ValueError), match="seed"):
        ladder.judge("map", "x = 1", -1)


def test_a_hair_behind_the_par_is_told():
    rung = RUNGS["reduction"]
    text = rung.worked.text.replace("total = 0.0", "total = 0.0\nspare = thread + 1\nspare = spare + 1", 1)
    verdict = ladder.judge("reduction", text)
    assert verdict.right and not verdict.star and 1 < verdict.score / verdict.par < 1.05
    assert "short of the par" in verdict.hints[0].text and verdict.lines[1] == verdict.hints[0].text


@pytest.mark.parametrize("lanes, rest", [(4, "* (lane == 0)"), (4, ""), (1, "")])
def test_four_lanes_of_every_warp_at_one_place_get_no_star(lanes, rest):
    """Sums by shuffles, then straight to the result: all SMs of the chip queue for it, 128 warps of each."""
    text = f"""THREADS = 256
PER_BLOCK = 2048
first = block * PER_BLOCK + thread
total = 0.0
for k in range(8):
    if first + k * THREADS < n:
        total += a[first + k * THREADS]
for k in range({3 if not rest and lanes == 4 else 5}):
    total += shuffle_down(total, 16 >> k)
if lane < {lanes}:
    atomic_add(out, 0, total {rest})
"""
    verdict = ladder.judge("reduction", text)
    assert verdict.right and not verdict.star and verdict.score == 108 * 128 * lanes
    assert verdict.hints[0].counter == "atomics"
