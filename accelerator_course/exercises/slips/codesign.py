"""Slips of the exercises of chapter 12."""

from functools import partial
from math import prod


def all_at_once(device):
    timed(device, runs=1)
    begin = device.clock()
    for _ in range(100):
        device.launch()
    device.wait()
    return (device.clock() - begin) / 100


def timed(device, warm=100, runs=101, waits=True, flush=True, inside=False, pick=None):
    """A benchmark, with one thing changed."""
    seconds = []
    for _ in range(warm):
        device.launch()
    device.wait()
    for _ in range(runs):
        if flush and not inside:
            device.flush()
        begin = device.clock()
        if inside:
            device.flush()
        device.launch()
        if waits:
            device.wait()
        seconds.append(device.clock() - begin)
        device.wait()
    return (pick or (lambda all_: sorted(all_)[len(all_) // 2]))(seconds)


not_warmed_up = partial(timed, warm=0, runs=100)
not_waited_for = partial(timed, waits=False)
takes_the_mean = partial(timed, pick=lambda seconds: sum(seconds) / len(seconds))
warm_caches = partial(timed, flush=False)
takes_the_fastest = partial(timed, pick=min)
empties_on_the_clock = partial(timed, inside=True)


def counted(loops, depth, operands, room, coming=None, copies=2, least=2, join=None):
    """The words of a nest, with one thing changed."""
    outer, inner, need, come = loops[:depth], loops[depth:], 0, 0
    join = join or (lambda long: sum(long) - len(long) + 1)
    for axes in operands.values():
        long = [[prod(t for name, t in inner if name == part) for part in axis.split("+")] for axis in axes]
        tile, touched = prod(join(one) for one in long), "+".join(axes).split("+")
        last = max((i for i, (name, t) in enumerate(outer) if name in touched and t >= least), default=-1)
        turning = coming(outer, touched) if coming else outer[: last + 1]
        need, come = need + copies * tile, come + tile * prod(t for _, t in turning)
    return come if need <= room else None


comes_at_every_step = partial(counted, coming=lambda outer, touched: outer)
its_own_loops_only = partial(counted, coming=lambda outer, touched: [one for one in outer if one[0] in touched])
one_tile_of_each = partial(counted, copies=1)
a_single_trip_moves_it = partial(counted, least=1)
windows_without_overlap = partial(counted, join=prod)
