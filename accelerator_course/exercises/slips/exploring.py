"""Slips of X13.3."""

import numpy as np

SHAPE = (6, 16, 5, 7, 10, 3)


def by_chance(value, draw):
    """You drew 500 places and took the best. Use what you know: a good place has good neighbours."""
    places = [tuple(int(draw.integers(many)) for many in SHAPE) for _ in range(500)]
    return max(places, key=value)


def never_again(value, draw):
    """You climbed once and stayed where it ended. That is some peak, not the highest: begin again elsewhere."""
    return climbed(value, draw)


def knob_by_knob(value, draw):
    """You tried all values of one knob, kept the best, and went on with the next. Knobs do not act alone."""
    here = tuple(many // 2 for many in SHAPE)
    for knob, many in enumerate(SHAPE):
        here = max(((*here[:knob], one, *here[knob + 1 :]) for one in range(many)), key=value)
    return here


def climbed(value, draw, knobs=1, patience=60, far=0.0, allowed=500):
    """One climb from the first legal place."""
    known, here, failed = {}, None, 0

    def ask(place):
        if place not in known and len(known) < allowed:
            known[place] = value(place)
        return known.get(place, -1.0)

    while (here is None or ask(here) <= 0) and len(known) < allowed:
        here = tuple(int(draw.integers(many)) for many in SHAPE)
    while failed < patience and len(known) < allowed:
        place = list(here)
        for knob in draw.permutation(6)[:knobs]:
            step = place[knob] + 2 * int(draw.integers(2)) - 1
            place[knob] = (
                int(draw.integers(SHAPE[knob])) if draw.random() < far else int(np.clip(step, 0, SHAPE[knob] - 1))
            )
        better = ask(tuple(place)) > ask(here)
        here, failed = (tuple(place), 0) if better else (here, failed + 1)
    return max(known, key=known.get)
