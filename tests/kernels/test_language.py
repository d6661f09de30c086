"""What a kernel may not say: one line each, with its number, and nothing of it is executed."""

import time

import numpy as np
import pytest
from launched import fault, ran

from accelerator_lib import kernels
from accelerator_lib.kernels import language

REFUSED = [
    ("import os", "this small language has only assignments"),
    ("x = 1\n__import__('os').system('true')", "barrier() and atomic_add"),
    ("x = open('f')", "open is nothing to call here"),
    ("x = a.shape", "has only"),
    ("x = a.shape[0]", "an index belongs to an array by its name"),
    ("x = (1).real", "has only"),
    ("x = 'text'", "whole numbers and reals"),
    ("x = True", "whole numbers and reals"),
    ("x = None", "whole numbers and reals"),
    ("x = [1]", "has only"),
    ("x = lane ** 2", "has only"),
    ("x = ~lane", "has only"),
    ("x = lane is 3", "has only"),
    ("x = lane in (1, 2)", "has only"),
    ("x = lambda: 1", "has only"),
    ("x = [i for i in range(3)]", "has only"),
    ("def f():\n    pass", "has only"),
    ("return", "has only"),
    ("while 1:\n    break", "has only"),
    ("x = y = 1", "has only"),
    ("x, y = 1, 2", "has only"),
    ("x: int = 1", "has only"),
    ("del x", "has only"),
    ("x = (y := 1)", "has only"),
    ("x = f'{lane}'", "has only"),
    ("x = a[0:2]", "has only"),
    ("x = a[lane][0]", "an index belongs to an array"),
    ("for x in a:\n    pass", "for over range"),
    ("for x in range(3):\n    y = 1\nelse:\n    y = 2", "has only"),
    ("while lane < 0:\n    x = 1\nelse:\n    x = 2", "has only"),
    ("barrier(1)", "barrier() and atomic_add"),
    ("x = barrier()", "barrier is nothing to call here"),
    ("x = min(*a)", "plain arguments"),
    ("x = min(lane, b=1)", "plain arguments"),
    ("x = min(lane)", "min takes 2 to 8 values"),
    ("x = sqrt(1.0, 2.0)", "sqrt takes one value"),
    ("x = max()", "max takes 2 to 8 values"),
    ("lane", "has only"),
    ("x = y", "y has no value yet"),
    ("if lane < 0:\n    y = 1\nx = y", "line 3, `x = y`: y has no value yet"),
    ("x = a", "a is an array: say which of its places, a[i]"),
    ("a = 3", "a is given|a is taken"),
    ("lane = 3", "lane is given; store the result under another name"),
    ("n = 3", "n is given"),
    ("n += 3", "n is given"),
    ("min = 3", "min is taken"),
    ("x = zz[0]", "zz is no array; arrays are a"),
    ("x = a[1.5]", "a is indexed by whole numbers"),
    ("x = a[0, 1]", "a takes one index, not 2"),
    ("h[0] = 1.5", "h holds whole numbers: int(...) makes one of a real"),
    ("atomic_add(h, 0, 0.5)", "h holds whole numbers"),
    ("atomic_add(a, 0)", "atomic_add takes an array by its name"),
    ("atomic_add(lane + 1, 0, 1)", "atomic_add takes an array by its name"),
    ("r = zeros(3)\natomic_add(r, 0, 1.0)", "r belongs to one thread"),
    ("s = shared(lane)", "shared takes one or two constant sizes"),
    ("s = shared(0)", "one or two constant sizes"),
    ("s = shared(2, 2, 2)", "one or two constant sizes"),
    ("s = shared(1.5)", "one or two constant sizes"),
    ("s = shared(size=3)", "one or two constant sizes"),
    ("s = shared(3)\ns = shared(4)", "s has a meaning already"),
    ("a = shared(3)", "a has a meaning already"),
    ("if lane < 3:\n    s = shared(3)", "shared is nothing to call here"),
    ("r = zeros(257)", "at most 256 numbers in registers"),
    ("r = zeros(3)\nx = r[3]", "this reads r[3], but r ends at r[2]"),
    ("r = zeros(3)\nr[-1] = 2.0", "this writes r[-1], but r begins at r[0]"),
    ("N = lane", "N, in capitals, is a constant: set it to a number"),
    ("N = 3\nN = 4", "N has a meaning already"),
    ("N = 3\nfor k in range(2):\n    N = 4", "N is taken"),
    ("x = 1.5 // lane", "this operator is for whole numbers"),
    ("x = 1.5 % 2.0", "this operator is for whole numbers"),
    ("x = lane & 1.0", "this operator is for whole numbers"),
    ("x = 1 // 0", "division by zero"),
    ("x = 1.0 / 0", "division by zero"),
    ("x = 1 << 32", "a shift goes by 0 to 31 places"),
    ("x = 9999999999", "does not fit into 32 bits"),
    ("x = 1e999", "does not fit into 32 bits"),
    ("x = 3e38 * 10", "does not fit into 32 bits"),
    ("x = 65536 * 65536", "does not fit into 32 bits"),
    ("x = 6 // lane", "division by zero, in thread 0 of block 0"),
    ("x = 1 << (lane + 20)", "a shift goes by 0 to 31 places, in thread 12 of block 0"),
    ("x = (lane + 1) << 30", "a whole number grows beyond 32 bits, in thread 1 of block 0"),
    ("x = (lane + 2000000000) * (lane + 2000000000) * 2", "a product grows beyond 2**53, in thread 0"),
    ("x = 2000000000 + 100000000 * lane", "a whole number grows beyond 32 bits, in thread 2 of block 0"),
    ("x = int(3e9 + lane)", "this real does not fit into 32 bits, in thread 0"),
    ("x = int(sqrt(lane - 1.0))", "this real does not fit into 32 bits, in thread 0"),
    ("x = shuffle_down(lane)", "shuffle_down takes a value and a number of lanes"),
    ("x = shuffle_down(lane, 1.0)", "goes by a whole number of lanes"),
    ("x = shuffle(lane, lane + 1)", "shuffle goes by 0 to 31, in thread 31 of block 0"),
    (
        "if lane < 8:\n    x = shuffle_xor(lane, 8)",
        "shuffle_xor reads a lane that is not at work here, in thread 0 of block 0",
    ),
    ("for k in range(0, 5, lane):\n    x = 1", "the step of a range is a constant whole number, not 0"),
    ("for k in range(0, 5, 0):\n    x = 1", "the step of a range is a constant whole number, not 0"),
    ("for k in range(1.5):\n    x = 1", "a range goes from a whole number"),
    ("for k in range(n):\n    k = 1", "k counts the rounds"),
    ("for k in range(2):\n    k += 1", "k counts the rounds"),
    ("for k in range(n):\n    for k in range(n):\n        x = 1", "k has a meaning already"),
    ("for lane in range(3):\n    x = 1", "lane"),
    ("for k in range(n):\n    x = 1\ny = k", "k has no value yet"),
    ("for k, l in range(n):\n    x = 1", "for over range"),
    ("x = ", "this is not Python"),
    ("x = 1\n  y = 2", "line 2"),
]


@pytest.mark.parametrize(("source", "said"), REFUSED)
def test_what_is_refused_is_said_in_one_line(source, said):
    found = fault(source, a=np.zeros(4), h=np.zeros(4, int), n=3)
    assert found is not None, "it runs"
    assert any(each in str(found) for each in said.split("|")) and found.kind in language.KINDS
    assert str(found).startswith(f"line {found.line}") and 1 <= found.line <= source.count("\n") + 1
    assert found.text == source.split("\n")[found.line - 1].strip()


HOSTILE = {
    "thousands of brackets": "x = " + "(" * 5000 + "1" + ")" * 5000,
    "a long sum": "x = " + "+".join(["lane"] * 5000),
    "a deep sum": "x = " + "-(" * 90 + "lane" + ")" * 90,
    "deep ifs": "".join("    " * k + "if lane < 99:\n" for k in range(90)) + "    " * 90 + "x = 1",
    "letters without an end": "x = 1\n" * 100_000,
    "a null": "x = \0",
    "a lone surrogate": "x = '\ud800'",
    "digits": "x = " + "9" * 10_000,
    "loops in loops": "\n".join("    " * k + f"for k{k} in range(16):" for k in range(8)) + "\n" + "    " * 8 + "x = 1",
    "empty loops in loops": "\n".join("    " * k + f"for k{k} in range(16):" for k in range(8))
    + "\n"
    + "    " * 8
    + "pass",
    "an endless loop": "while lane >= 0:\n    x = lane * lane + 1",
    "nearly endless loops": "for i in range(30000):\n    for j in range(30000):\n        x = i",
    "a huge range": "for i in range(-2147483648, 2147483647):\n    x = i",
    "much shared memory": "s = shared(65536, 65536)",
    "many shared arrays": "\n".join(f"s{k} = shared(65536)" for k in range(500)) + "\nx = 1",
    "many registers": "\n".join(f"r{k} = zeros(256)\nr{k}[lane % 3] = 1.0" for k in range(400)),
    "a form feed": "\x0cx = (",
    "dunder": "x = __builtins__",
    "decorated": "@print\nclass A: pass",
    "async": "async def f(): await g()",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_answered_in_a_line(name):
    began = time.process_time()
    try:
        ran(HOSTILE[name], 8, 256)
    except kernels.Fault as found:
        assert str(found).isprintable() and len(str(found)) < 300
    assert time.process_time() - began < 20  # a guard against an endless run, not a measurement


@pytest.mark.parametrize("source", [None, 3, b"x = 1", ["x = 1"], 1.5])
def test_a_kernel_is_text(source):
    with pytest.raises(TypeError, match="source: a kernel is text in Python's notation"):
        kernels.run(source, {})


def test_a_fault_shows_a_long_line_cut():
    found = fault("x = unknown + " + "1 + " * 50 + "1")
    assert "`x = unknown + 1 + " in str(found) and "...`" in str(found) and len(found.text) > 200
    assert (found.kind, found.words) == ("language", "unknown has no value yet")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 * 3 + 1", 7),
        ("7 // 2", 3),
        ("-7 % 4", 1),
        ("1 << 4 | 1", 17),
        ("1 / 4", 0.25),
        ("2.5 - 1", 1.5),
        ("+K * 2", 6),
    ],
)
def test_constants_are_worked_out_beforehand(text, value):
    (statement,) = language.read(f"x = {text}")
    assert language.constant(statement.value, {"K": 3}) == value
    assert language.constant(statement.value, {}) == (None if "K" in text else value)
    made = ran(f"K = 3\nout[lane] = {text}", out=np.zeros(32))
    assert made.arrays["out"][5] == value and made.counted.instructions == 1
