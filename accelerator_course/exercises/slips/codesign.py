"""Slips of the exercises of chapter 12."""

from math import prod


def not_warmed_up(device):
    """Your first runs are among those that count. They compile, and the device is not yet warm."""
    return timed(device, warm=0, runs=100)


def not_waited_for(device):
    """You measured how long it takes to launch a run. Wait until the run is done before you look at the clock."""
    return timed(device, waits=False)


def takes_the_mean(device):
    """You took the mean. Other work slows a few runs to four times as long. The median ignores them."""
    return timed(device, pick=lambda seconds: sum(seconds) / len(seconds))


def warm_caches(device):
    """Your caches were still full from the run before. In the service, other work empties them between two runs."""
    return timed(device, flush=False)


def takes_the_fastest(device):
    """You took the fastest run. The fastest run is a lucky one. Return the median."""
    return timed(device, pick=min)


def empties_on_the_clock(device):
    """You emptied the caches while the clock was running. Do it before you look at the clock."""
    return timed(device, inside=True)


def all_at_once(device):
    """You timed many runs as one and divided. That is a mean, and the caches were full from the second run on."""
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


def comes_at_every_step(loops, depth, operands, room):
    """You loaded every operand at each step of the outer loops. A loop that does not touch one leaves it there."""
    return counted(loops, depth, operands, room, lambda outer, touched: outer)


def its_own_loops_only(loops, depth, operands, room):
    """You counted only the loops that touch an operand. It is also loaded again when a loop outside them advances."""
    return counted(loops, depth, operands, room, lambda outer, touched: [one for one in outer if one[0] in touched])


def one_tile_of_each(loops, depth, operands, room):
    """You left room for one tile of each operand. The next tile arrives while one is in use, so two must fit."""
    return counted(loops, depth, operands, room, copies=1)


def a_single_trip_moves_it(loops, depth, operands, room):
    """You let a loop with one trip move its operand. With one trip the operand stays where it is."""
    return counted(loops, depth, operands, room, least=1)


def windows_without_overlap(loops, depth, operands, room):
    """You multiplied the two loops of a window. Neighbouring windows overlap: y + r − 1 places, not y × r."""
    return counted(loops, depth, operands, room, join=prod)


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
