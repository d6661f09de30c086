"""The sweep of the notebooks: what it hears."""

import random

import pytest
from sweep import Sweep, spoken_badly

from accelerator_course.views.stage import Stage
from accelerator_course.widgets import explore

NONE = "The array is nan % busy.|NaN|It takes inf s.|It takes -inf s.|None of 7.|Chip: None.|x = [nan, 1]|infx 3, inf.|nan%|2nan"
WORDS = """More information is in an infinite nanosecond.
InfiniBand carries 50 GB/s in 12 ns.
A finance of 3 nonets.
It takes 3.2 s, as nonexistent as ever.
It has matrix: int8; vector: none."""


def test_what_is_no_number_and_silence_are_heard_and_words_that_only_begin_so_are_words():
    assert all("says '" in spoken_badly(sentence) for sentence in NONE.split("|"))
    assert {spoken_badly(sentence) for sentence in ("", " ", "\n")} == {"says nothing"}
    assert {spoken_badly(sentence) for sentence in WORDS.splitlines()} == {None}


class Mumbling(Stage):
    """An empty picture that says whatever it is given."""

    def marks(self, result):
        return []

    say = staticmethod(str)


@pytest.mark.parametrize("planted, failures", [("It takes nan s.", 1), ("", 1), ("It takes 3 ns.", 0)])
def test_a_panel_is_heard_at_every_position_that_is_visited(planted, failures):
    def model(n=1):
        return planted if n == 4 else f"It takes {n} s."

    panel = explore(model, Mumbling(), n=(1, 7))
    run = Sweep(limit=100)
    run.panels = [panel]
    run.widget(panel.controls["n"])
    assert len(run.failures) == failures
    assert all(f"Slider({panel.controls['n'].description!r})" in line and "model says" in line for line in run.failures)
    run.panel(panel, random.Random(1))  # joint settings are heard as well
    assert (len(run.failures) > failures) == bool(failures) and panel.values == {"n": 1}
