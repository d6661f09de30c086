"""Planned: loops, if and commands as Python has them; nothing else, and nothing for long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accelerator_lib.kernels.language import Fault
from accelerator_lib.kernels.planned import MOST_COMMANDS, follow


def told(source, **names):
    """What the command `say` was told."""
    found = []
    follow(source, names, {"say": lambda line, value: found.append(value)})
    return found


SOURCE = """
def twice(x):
    if x > 3:
        return 2 * x
    return x
for i in range(0, n, 2):
    if i == 2 or i > 5 and not_last(i):
        say(twice(i) if i % 4 else -i)
    elif i == 0:
        say(min(n, 100))
    else:
        say(7)
"""


@given(st.integers(0, 20))
def test_a_text_does_what_python_does(n):
    wanted, text = [], "def not_last(i):\n    return i + 2 < n\n" + SOURCE
    exec(text, {"n": n, "say": wanted.append})
    assert told(text, n=n) == wanted


@given(st.lists(st.booleans(), min_size=3, max_size=3))
def test_and_and_or_are_those_of_python(three):
    a, b, c = three
    assert told("say(a and b or c)\nsay(a or b and c)", a=a, b=b, c=c) == [(a and b) or c, a or (b and c)]


@pytest.mark.parametrize("source, kind, line, words", [
    ("say(1, 2)", "language", 1, "say is called as in the text at the start"),
    ("x = 1\nshout(1)", "language", 2, "shout has no value here"),
    ("while True:\n    say(1)", "language", 1, "and these commands: say"),
    ("import os", "language", 1, "nothing is imported"),
    ("say(().__class__)", "language", 1, "__class__"),
    ("say(1 // 0)", "division", 1, "division by zero"),
    ("x = 1\nif (1, 2):\n    say(1)", "value", 2, "one number or truth"),
    ("for i in range(1000000000):\n    x = i", "budget", 2, "too long"),
    ("say('x')", "language", 1, "whole numbers and reals"),
])  # fmt: skip
def test_what_is_none_of_it_is_one_line(source, kind, line, words):
    with pytest.raises(Fault) as found:
        told(source)
    assert (found.value.kind, found.value.line) == (kind, line) and words in str(found.value), str(found.value)


def test_commands_have_a_budget():
    with pytest.raises(Fault, match=f"more than {MOST_COMMANDS:,} commands"):
        told(f"for i in range({MOST_COMMANDS + 1}):\n    say(i)")
