"""Exercises of chapter 12."""

from math import prod

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.nesting import check_words
from accelerator_course.exercises.slips import codesign as slips
from accelerator_course.exercises.timing import check_measured


def words(loops, depth, operands, room):
    """Words that come into a buffer with room for two tiles of each operand; None where they do not fit."""
    outer, inner, need, come = loops[:depth], loops[depth:], 0, 0
    for axes in operands.values():
        tile = 1
        for axis in axes:
            parts = axis.split("+")
            tile *= sum(prod(trips for name, trips in inner if name == part) for part in parts) - len(parts) + 1
        touched = "+".join(axes).split("+")
        moving = [i for i, (name, trips) in enumerate(outer) if name in touched and trips > 1]
        times = prod(trips for _, trips in outer[: moving[-1] + 1]) if moving else 1
        need, come = need + 2 * tile, come + tile * times
    return come if need <= room else None


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
        "12.3",
        "X12.3",
        "the seconds of one run of a device's kernel, as a median that can be trusted.",
        "Which runs do not count? What must be done before you start the clock, and what before you stop it?",
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
    Exercise(
        "12.4",
        "X12.4",
        "the words loaded into a buffer, for any loop nest, with room for two tiles of each operand.",
        "How large is each tile? Which outer loops make it load again, and which do not?",
        check_words,
        words,
        (
            slips.comes_at_every_step,
            slips.its_own_loops_only,
            slips.one_tile_of_each,
            slips.a_single_trip_moves_it,
            slips.windows_without_overlap,
        ),
    ),
]
