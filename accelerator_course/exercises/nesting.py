"""Nesting: what judges a count of words: hidden nests, played loop by loop, a convolution among them."""

from itertools import product
from math import prod

import numpy as np

from accelerator_course.exercises.cases import Wrong, case, shown

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
        yield outer + inner, len(outer), operands, int(tiles * draw.choice([1.5, 2, 3]))


def check_words(function):
    cases = [(given, want) for *given, want in BY_HAND]
    cases += [(list(given), played(*given)) for given in hidden()]
    for given, want in cases:
        loops, depth, _, room = given
        where = f"{' '.join(f'{name}{trips}' for name, trips in loops)}, depth {depth}, room {room}"

        def judge(got, want=want, where=where):
            if got is not None and (isinstance(got, bool) or not isinstance(got, (int, float, np.number))):
                raise Wrong(f"For {where} return a number of words or None; you returned {shown(got)}.")
            if got != want:
                what = "two tiles do not fit: None" if want is None else f"{want:,} words come into the buffer"
                raise Wrong(f"For {where}: {what}; you returned {shown(got)}.")

        call = lambda g=given: function(list(g[0]), g[1], dict(g[2]), g[3])  # noqa: E731
        yield case(where, shown(want), call, judge)
    return f"right for {len(cases)} nests, half of them convolutions."
