"""What would freeze or flood a kernel is refused in one line, or ended: sizes before the work begins, loops by a clock."""

import asyncio
import io
import signal
import sys
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from attacks import calling
from laws import valued

from accelerator_course import exercises, time_limit
from accelerator_course.frames import tiling as frames
from accelerator_lib import data, gpu, memory, systolic
from accelerator_lib.llm import serving
from accelerator_lib.memory import Cache, walk
from accelerator_lib.tiling import budgets, softmax

TABLE = data.parse(Path(__file__).with_suffix(".yaml"))
TOO_LARGE = [(module, one, "at most") for module, jobs in TABLE["too large"].items() for one in jobs]
REFUSED = [(module, *one) for module, jobs in TABLE["refused"].items() for one in jobs.items()]


@pytest.mark.parametrize("module, job, words", TOO_LARGE + REFUSED)
def test_what_a_notebook_cannot_wait_for_or_has_no_answer_is_refused_in_one_line(module, job, words):
    own = {"np": np, "count": count, "Cache": Cache, "walk": walk, "serving": serving}
    with pytest.raises(ValueError, match=words) as found:
        valued(module, job, **own)
    assert "\n" not in str(found.value)


def test_a_cache_of_many_sets_costs_what_is_used_of_it():
    large = Cache(2**30, 1)
    assert memory.census(np.arange(0, 6400, 64), large, passes=2).hits == 100
    assert sum(memory.replay([0, 64, 0, 64], large)) == 2


def widened(result):
    """Every number of a result, in Python."""
    return [np.asarray(number, float).tolist() for number in calling.numbers_in(result)]


NARROW = {
    "int8 cycle by cycle": (lambda a: [*systolic.steps(a, a.T, 2, 2)][-1].outputs, np.full((2, 9), 100, np.int8)),
    "the bytes of a tile": (lambda n: budgets.budget(n, n, n), np.int32(2**20)),
    "blocks of a softmax": (lambda n: list(softmax.stream([1.0, 2, 3], np.ones((3, 1)), n)), np.float64(2.0)),
}


@pytest.mark.parametrize("name", NARROW)
def test_a_narrow_number_counts_like_the_same_one_in_python(name):
    job, narrow = NARROW[name]
    wide = np.asarray(narrow).astype(np.int64 if np.asarray(narrow).dtype.kind == "i" else float)
    assert widened(job(narrow)) == widened(job(wide if wide.ndim else wide.item()))


def test_a_block_that_a_mask_hides_adds_nothing():
    scores, values = np.array([-np.inf] * 4 + [1.0, 2.0]), np.arange(12.0).reshape(6, 2)
    *_, last = softmax.stream(scores, values, block=4)
    assert last.output == pytest.approx(softmax.reference(scores, values))
    assert all(np.isfinite(half.weights).all() for half in frames.softmax(scores, values, block=2))


def test_a_record_that_is_handed_out_cannot_be_changed():
    before = gpu.occupancy("sm80", 256, 32, 0)
    with pytest.raises(TypeError):
        gpu.arch.limits("sm80")["shared_kib"] *= 1024
    assert gpu.occupancy("sm80", 256, 32, 0) == before


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError


def endless(*arguments):
    while True:
        pass


def leaves(*arguments):
    raise SystemExit


def mute(*arguments):
    raise Unspeakable


def one_thread(self):
    raise RuntimeError("can't start new thread")


@pytest.fixture
def soon(home, monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)


def test_an_endless_loop_is_ended_and_said(soon, monkeypatch):
    """Where interrupts are ignored, too, as in a run in the background of a shell; and where there is one thread, as in a
    browser."""
    before, traced = signal.getsignal(signal.SIGINT), sys.gettrace()
    try:
        for end in (before, signal.SIG_IGN, before):
            signal.signal(signal.SIGINT, end)
            answer = exercises.check("03.1", endless)
            assert not answer.right and "had not returned after 0.2 seconds" in answer.text and len(answer.cases) == 1
            if end is signal.SIG_IGN:
                monkeypatch.setattr(time_limit.threading.Thread, "start", one_thread)
    finally:
        signal.signal(signal.SIGINT, before)
    assert exercises.check("03.1", exercises.find("03.1").solution).right and sys.gettrace() is traced
    with pytest.raises(KeyboardInterrupt), time_limit.limited(5):
        raise KeyboardInterrupt


RAISED = [BaseException("x"), GeneratorExit(), asyncio.CancelledError(), SystemExit(1), Unspeakable()]


def raising(error):
    def raises(*arguments):
        raise error

    return raises


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_whatever_is_raised_is_answered(error, home):
    answer = exercises.check("03.1", raising(error))
    assert not answer.right and f"stopped with {type(error).__name__}" in answer.text


def test_the_readers_own_interrupt_passes_through(home):
    with pytest.raises(KeyboardInterrupt):
        exercises.check("03.1", raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt), time_limit.limited(5):
        raise KeyboardInterrupt


def odd(**methods):
    """What a learner's function may return: an object with methods of its own."""
    return type("Odd", (), methods)()


@pytest.mark.parametrize("method", ["__float__", "__repr__"])
def test_a_result_that_raises_or_never_ends_when_it_is_read_is_answered(method, soon):
    for end in (leaves, mute):
        answer = exercises.check("03.1", lambda *arguments, end=end: odd(**{method: end}))
        assert not answer.right and "your function returned" in answer.text and answer._repr_html_()
    answer = exercises.check("03.1", lambda *arguments: odd(**{method: endless}))
    assert "could not be read within 0.2 seconds" in answer.text and len(answer.cases) == 1


@pytest.mark.parametrize("end", [leaves, mute, endless])
def test_a_callable_that_does_not_let_itself_be_looked_at_is_answered(end, soon):
    solution = exercises.find("03.1").solution
    strange = odd(__getattr__=end, __call__=lambda self, *arguments: solution(*arguments))
    assert exercises.check("03.1", strange).right
    assert not exercises.check("03.1", odd(__getattr__=end, __call__=lambda self, *arguments: 1.0)).right


def test_a_flood_of_prints_is_cut(home):
    with redirect_stdout(io.StringIO()) as printed:
        exercises.check("03.1", lambda *arguments: print("x" * 10**6))
    assert len(printed.getvalue()) < 2 * time_limit.LETTERS and "left out" in printed.getvalue()


def test_a_right_answer_in_float32_is_right(home):
    solution = exercises.find("03.1").solution
    for made, right in ((np.float32, True), (lambda x: np.float32(1.0001 * x), False), (str, False)):
        assert exercises.check("03.1", lambda *arguments, made=made: made(solution(*arguments))).right == right
