"""Slips of X13.3."""

import numpy as np

SHAPE = (6, 16, 5, 7, 10, 3)


def by_chance(value, draw):
    """You drew 500 places and took the best. Use what you know: a good place has good neighbours."""
    places = [tuple(int(draw.integers(many)) for many in SHAPE) for _ in range(500)]
    return max(places, key=value)


def one_knob(value, draw):
    """You moved one knob at a time. Edge and arrays must often move together: alone, each step breaks a limit."""
    return climbed(value, draw, knobs=1, patience=30)


def never_again(value, draw):
    """You climbed once and stayed where it ended. That is some peak, not the highest: begin again elsewhere."""
    return climbed(value, draw, knobs=1, starts=1, patience=60, far=0.0)


def last_place(value, draw):
    """You returned the place where you stood at the end, not the best that you saw on the way."""
    return climbed(value, draw, best=False)


def knob_by_knob(value, draw):
    """You tried all values of one knob, kept the best, and went on with the next. Knobs do not act alone."""
    here = tuple(many // 2 for many in SHAPE)
    for knob, many in enumerate(SHAPE):
        here = max(((*here[:knob], one, *here[knob + 1 :]) for one in range(many)), key=value)
    return here


def asks_too_often(value, draw):
    """You asked more than 500 times. Remember what you know already, and count."""
    return climbed(value, draw, allowed=2000)


def climbed(value, draw, knobs=2, patience=120, starts=10**6, far=0.3, best=True, allowed=500):
    """A climb with restarts, with one thing changed."""
    known, here = {}, None

    def ask(place):
        if place not in known and len(known) < allowed:
            known[place] = value(place)
        return known.get(place, -1.0)

    while len(known) < allowed and starts > 0:
        here, failed = tuple(int(draw.integers(many)) for many in SHAPE), 0
        starts -= ask(here) > 0
        tries = 0
        while ask(here) > 0 and failed < patience and len(known) < allowed and tries < 5000:
            place = list(here)
            for knob in draw.choice(6, knobs, replace=False):
                step = place[knob] + int(draw.choice((-1, 1)))
                anew = draw.random() < far
                place[knob] = int(draw.integers(SHAPE[knob])) if anew else int(np.clip(step, 0, SHAPE[knob] - 1))
            better, tries = ask(tuple(place)) > ask(here), tries + 1
            here, failed = (tuple(place), 0) if better else (here, failed + 1)
    return max(known, key=known.get) if best else here
