"""Exercises of chapter 12."""

import random
from math import inf

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.fusing import check_fuse
from accelerator_course.exercises.searching import check_search
from accelerator_course.exercises.slips import codesign as slips
from accelerator_course.exercises.timing import check_measured


def search(cost, draw, seed):
    """Climb by changes of one thing and by swaps; where nothing helps any more, start anew."""
    dice, left, best, least = random.Random(seed), 2000, None, inf
    sizes = [(level, up, down) for level in (0, 2) for up in (None, 0, 1, 2) for down in (None, 0, 1, 2) if up != down]
    turns = [(level, order) for level in (1, 3) for order in ("mnk", "mkn", "nmk", "nkm", "kmn", "knm")]
    while left > 0:
        here = draw(dice)
        now, left = cost(here), left - 1
        moves = dice.sample(sizes + turns, len(sizes + turns))
        while moves and now < inf and left > 0:
            level, what, *down = moves.pop()
            other = list(here)
            if down:  # one edge twice as long, another half as long, or only one of the two
                tile = [edge * 2 if d == what else edge for d, edge in enumerate(here[level])]
                other[level] = tuple(edge // 2 if d == down[0] else edge for d, edge in enumerate(tile))
            else:
                other[level] = what
            price, left = cost(other), left - 1
            if price < now:
                here, now, moves = other, price, dice.sample(sizes + turns, len(sizes + turns))
        if now < least:
            best, least = here, now
    return best


def fuse(ops, outputs):
    """Greedy: an element-wise operation joins the kernel that ends with its largest input that nobody else needs."""
    sizes = {name: elements for name, _, _, elements in ops}
    ending = {}  # value: the kernel that ends with it
    for name, kind, inputs, _ in ops:
        read = {value: sum(value in needs for _, _, needs, _ in ops) for value in inputs}
        alone = [value for value in inputs if value in ending and value not in outputs and read[value] == 1]
        joins = kind == "elementwise" and alone
        ending[name] = [*(ending.pop(max(alone, key=sizes.get)) if joins else []), name]
    return list(ending.values())


def measured(device):
    """Warm it up, empty the caches before each run, wait for it, take the median."""
    for _ in range(100):
        device.launch()
    device.wait()
    seconds = []
    for _ in range(201):
        device.flush()
        begin = device.clock()
        device.launch()
        device.wait()
        seconds.append(device.clock() - begin)
    return sorted(seconds)[100]


EXERCISES = [
    Exercise(
        "12.1",
        "X12.1",
        "a search for a mapping: at most 2,000 calls of cost, within 10 % of the best for 7 of 10 seeds.",
        "From one mapping that fits, which changes can you try? What if a buffer is full? What if none of them helps?",
        check_search,
        search,
        (
            slips.only_draws,
            slips.one_thing_at_a_time,
            slips.never_starts_anew,
            slips.returns_the_last,
            slips.asks_too_often,
        ),
    ),
    Exercise(
        "12.2",
        "X12.2",
        "the kernels of a program: element-wise operations run where their input is made, and no value is lost.",
        "Go through the operations in order. Which kernels end with a value that only this operation reads?",
        check_fuse,
        fuse,
        (
            slips.fuses_whatever_follows,
            slips.forgets_the_outputs,
            slips.joins_products,
            slips.first_input_only,
            slips.one_step_behind_a_product,
        ),
    ),
    Exercise(
        "12.3",
        "X12.3",
        "the seconds of one run of a device's kernel, as a median that can be trusted.",
        "Which runs do not count? What must have happened before you look at the clock, and what before that?",
        check_measured,
        measured,
        (
            slips.not_warmed_up,
            slips.not_waited_for,
            slips.takes_the_mean,
            slips.warm_caches,
            slips.takes_the_fastest,
            slips.empties_on_the_clock,
            slips.all_at_once,
        ),
    ),
]
