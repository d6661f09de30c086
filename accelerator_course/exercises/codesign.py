"""Exercises of chapter 12."""

from functools import partial
from itertools import product
from math import prod

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, is_number, shown
from accelerator_lib.codesign import bench
from accelerator_lib.units import si

CLOSE = 0.01
DEVICES = (  # seconds of a run, share that warm caches save, seconds to compile, seed
    (0.010, 0.40, 0.5, 1),
    (0.0008, 0.60, 2.0, 2),
    (0.120, 0.15, 0.3, 3),
    (0.003, 0.50, 30.0, 4),
    (0.025, 0.30, 0.1, 5),
)


def check_measured(function):
    for given in DEVICES:
        device = bench.Device(*given)
        want, where = bench.truth(device), f"a kernel of about {si(given[0], 's')}, compiled in {si(given[2], 's')}"

        def judge(got, want=want, where=where):
            if not is_number(got) or not np.isfinite(got):
                raise Wrong(f"For {where} your function returned {shown(got)}; seconds were expected.")
            if abs(got / want - 1) > CLOSE:
                told = f"{si(float(got), 's', 4)}, but a run takes {si(want, 's', 4)}; within {CLOSE:.0%} passes"
                raise Wrong(f"For {where}: {told}.")

        yield case(where, f"about {si(want, 's')}", partial(function, device), judge)
    return "right for five devices, within 1 %: warmed up, waited for, caches emptied, and no unlucky run decides."


MATRICES = {"A": ["m", "k"], "B": ["k", "n"], "C": ["m", "n"]}
CONVOLUTION = {"input": ["c", "y+r", "x+s"], "weights": ["f", "c", "r", "s"], "output": ["f", "y", "x"]}
BY_HAND = (  # loops, depth, operands, room, words
    ([("m", 4), ("n", 4), ("k", 4), ("m", 2), ("n", 2), ("k", 2)], 3, MATRICES, 24, 576),
    ([("m", 4), ("n", 4), ("k", 4), ("m", 2), ("n", 2), ("k", 2)], 3, MATRICES, 23, None),
    ([("m", 4), ("n", 4), ("k", 1), ("m", 2), ("n", 2), ("k", 8)], 3, MATRICES, 72, 384),
    ([("y", 2), ("x", 3), ("c", 2), ("f", 2), ("y", 4), ("x", 2), ("r", 3), ("s", 3)], 3, CONVOLUTION, 200, 600),
)


def played(loops, depth, operands, room):
    """Words that come into the buffer: the outer loops are run, and each operand's place is remembered."""
    tiles = {name: prod(_places(axis, loops[depth:]) for axis in axes) for name, axes in operands.items()}
    if 2 * sum(tiles.values()) > room:
        return None
    here, came = {}, 0
    for turn in product(*(range(trips) for _, trips in loops[:depth])):
        for name, axes in operands.items():
            touched = "+".join(axes).split("+")
            place = [at for at, (loop, _) in zip(turn, loops[:depth], strict=True) if loop in touched]
            if here.get(name) != place:
                here[name] = place
                came += tiles[name]
    return came


def _places(axis, inside):
    """Places along an axis that the inner loops touch, counted one by one."""
    long = [prod(trips for loop, trips in inside if loop == part) for part in axis.split("+")]
    return len({sum(at) for at in product(*(range(one) for one in long))})


def hidden():
    """Yield (loops, depth, operands, room) of nests that are drawn."""
    draw = np.random.default_rng(124)
    for number in range(40):
        operands, names = (CONVOLUTION, "fcyxrs") if number % 2 else (MATRICES, "mnk")
        outer = [(str(name), int(draw.integers(1, 4))) for name in draw.permutation(list(names))]
        inner = [(str(name), int(draw.integers(1, 4))) for name in draw.permutation(list(names))]
        if number % 3 == 0:
            inner += [(names[0], 2)]  # a loop cut twice
        tiles = sum(prod(_places(axis, inner) for axis in axes) for axes in operands.values())
        yield outer + inner, len(outer), operands, int(tiles * draw.choice([0.9, 1.5, 2, 3, 4]))


def check_words(function):
    cases = [*BY_HAND, *((*given, played(*given)) for given in hidden())]
    for loops, depth, operands, room, want in cases:
        where = f"{' '.join(f'{name}{trips}' for name, trips in loops)}, depth {depth}, room {room}"

        def judge(got, want=want, where=where):
            if got is not None and not is_number(got):
                raise Wrong(f"For {where} return a number of words or None; you returned {shown(got)}.")
            if got != want:
                what = "two tiles do not fit: None" if want is None else f"{want:,} words come into the buffer"
                raise Wrong(f"For {where}: {what}; you returned {shown(got)}.")

        yield case(where, shown(want), partial(function, list(loops), depth, dict(operands), room), judge)
    return f"right for {len(cases)} nests, half of them convolutions."


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


EXERCISES = [Exercise("12.3", check_measured, measured), Exercise("12.4", check_words, words)]
