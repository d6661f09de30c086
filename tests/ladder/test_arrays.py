"""Arrays: bounds and pars by hand."""

import pytest

from accelerator_course import ladder
from accelerator_lib import systolic
from accelerator_lib.workload import Gemm

FEED, NETWORK = ladder.rung("feed"), ladder.rung("network")


def test_bounds_by_hand():
    assert FEED.bound == 16 + 94 * 81 * 4 / 16 + 30
    assert FEED.least(FEED.case({"m": 16, "n": 1, "k": 17})) == 16 + 2 + 30
    layers = Gemm(3136, 32, 27), Gemm(784, 64, 288), Gemm(4, 100, 3136)
    assert NETWORK.work(**NETWORK.measured) == layers
    first, _, third = layers
    assert NETWORK.bound == first.bytes_moved("bf16") / 64 + 784 * 64 * 288 / 1024 + third.bytes_moved("bf16") / 64


def test_the_par_of_the_feed_is_the_better_of_both_closed_forms():
    gemm, edge = Gemm(**FEED.measured), FEED.edge
    assert FEED.par == systolic.cycles(gemm, edge, edge, "is", True).total
    assert FEED.par < systolic.cycles(gemm, edge, edge, "ws", True).total


@pytest.mark.parametrize("rung", [FEED, NETWORK], ids=lambda rung: rung.id)
def test_each_step_is_better_than_the_one_before(rung):
    scores = [rung.score(rung.run(step.text, rung.scoring)) for step in rung.steps]
    assert scores == sorted(scores, reverse=True) and scores[-1] == rung.par >= rung.bound
    assert rung.machine == "array" and rung.scored == "cycles"


def test_nothing_else_that_stays_in_these_blocks_beats_the_par_of_the_network():
    lines = NETWORK.worked.text.splitlines()
    for at, line in enumerate(lines):
        for stays in ("OUTPUTS", "WEIGHTS", "INPUTS") if line.startswith("layer(") else ():
            head, _, _, *rest = line.split(", ")
            for kept in ("OUTPUTS", "WEIGHTS", "INPUTS"):
                other = ", ".join([head, stays, kept, *rest])
                made = NETWORK.run("\n".join([*lines[:at], other, *lines[at + 1 :]]), NETWORK.scoring)
                assert made.cycles >= NETWORK.par


@pytest.mark.parametrize("source", [
    None, 7, "x" * 30_000, "\0", "load = 1", "load(b, 1e30, 0)", "load(b, 10**40, 0)", "a = b\nload(a, 0, 0)",
    "load(b, 0, 0)\nswap()\nrun(0, 0.5)", "def f():\n    return f()\nf()", "array(10**9, 1)", "array(True, 1)",
    "layer()", "say(1)", "x = " + "(" * 3000, "\u202e", "a[0]", "load(b[0], 0, 0)", "load(b.T, 0, 0)",
    "for i in range(2000000000):\n    x = i", "lambda: 0", "(lambda x: x)(run)", "layers[9]", "m, n = layers", "if a:\n    pass",
])  # fmt: skip
@pytest.mark.parametrize("rung", [FEED, NETWORK], ids=lambda rung: rung.id)
def test_hostile_texts_cost_one_line(rung, source):
    verdict = ladder.judge(rung, source)
    assert not verdict.right and verdict.problem and len(str(verdict)) < 700 and str(verdict).isprintable()
