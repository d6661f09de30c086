"""Searching: X13.3, the grid of chapter 13 with few questions. The key is the whole grid: nothing is hidden from it."""

import numpy as np

from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_lib.data import kept
from accelerator_lib.design import explore
from accelerator_lib.design.explore import SHAPE

ALLOWED, ENOUGH, RUNS, PASSING = 500, 0.99, 10, 9
ENDLESS = 20 * ALLOWED  # questions after which a search is stopped


def search(value, draw):
    """Climb: move two knobs at once, a step or anywhere; where nothing helps for long, begin again elsewhere."""
    shape, known = (6, 16, 5, 7, 10, 3), {}

    def ask(place):
        if place not in known and len(known) < 500:
            known[place] = value(place)
        return known.get(place, -1.0)

    while len(known) < 500:
        here, failed = tuple(int(draw.integers(many)) for many in shape), 0
        while ask(here) > 0 and failed < 120 and len(known) < 500:
            place = list(here)
            for knob in draw.choice(6, 2, replace=False):
                step = place[knob] + int(draw.choice((-1, 1)))
                anew = draw.random() < 0.3
                place[knob] = int(draw.integers(shape[knob])) if anew else min(max(step, 0), shape[knob] - 1)
            better = ask(tuple(place)) > ask(here)
            here, failed = (tuple(place), 0) if better else (here, failed + 1)
    return max(known, key=known.get)


@kept
def values():
    """Value of every design of the grid, 0 where it is not legal."""
    found = explore.grid()
    return np.where(found.allowed, found.value, 0.0)


class _Asked:
    """What a search may ask: it counts, and after 500 says nothing any more."""

    def __init__(self):
        self.times = 0

    def __call__(self, place):
        self.times += 1
        if self.times > ENDLESS:
            raise RuntimeError(f"it asked {ENDLESS:,} times")
        place = _place(place, "You asked for")
        return float(values()[place]) if self.times <= ALLOWED else 0.0


def _place(given, words):
    """A place as a tuple. Raises Wrong."""
    fine = isinstance(given, (tuple, list, np.ndarray)) and len(given) == len(SHAPE)
    if not fine or not all(isinstance(one, (int, np.integer)) and not isinstance(one, bool) for one in given):
        raise Wrong(f"{words} {shown(given)}; a place is a tuple of six whole numbers.")
    if any(not 0 <= one < many for one, many in zip(given, SHAPE, strict=True)):
        raise Wrong(f"{words} {shown(tuple(map(int, given)))}, which lies outside {SHAPE}.")
    return tuple(map(int, given))


def _run(function, seed):
    """(share of the best, questions, what was wrong) of one run."""
    asked = _Asked()
    try:
        place = _place(function(asked, np.random.default_rng(130 + seed)), "Your function returned")
    except Wrong as problem:
        return 0.0, asked.times, str(problem)
    return float(values()[place] / values().max()), asked.times, ""


def check_search(function):
    """One run for its form, then ten for what they find."""

    def formed(found):
        share, times, problem = found
        if problem:
            raise Wrong(problem)
        if times > ALLOWED:
            raise Wrong(f"It asked {times:,} times; {ALLOWED} are allowed.")
        if not share:
            raise Wrong("It returned a place that is not legal, of value 0.")

    told = f"a legal place, at most {ALLOWED} questions"
    yield case(
        "one run",
        told,
        lambda: _run(function, 0),
        formed,
        lambda found: f"{found[0]:.3f} of the best, {found[1]} asked",
    )

    def good(found):
        for run in found:
            formed(run)
        passing = sum(share >= ENOUGH for share, _, _ in found)
        if passing < PASSING:
            worst = min(share for share, _, _ in found)
            raise Wrong(
                f"Of {RUNS} runs {passing} come within 1 % of the best in the grid; {PASSING} are needed. "
                f"The worst reaches {worst:.3f} of it."
            )

    yield case(
        f"{RUNS} runs",
        f"{PASSING} of them at {ENOUGH} of the best or above",
        lambda: tuple(_run(function, seed) for seed in range(RUNS)),
        good,
        lambda found: f"{sum(share >= ENOUGH for share, _, _ in found)} of {RUNS}",
    )
    return "in at least nine of ten runs within 1 % of the best of 100,800 designs, with 500 questions."
