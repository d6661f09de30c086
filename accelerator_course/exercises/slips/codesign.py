"""Slips of the exercises of chapter 12."""

import random


def fuses_whatever_follows(ops, outputs):
    """You joined operations to whatever they read. A value that somebody else reads, too, must be written."""
    return joined(ops, outputs, lone=False)


def forgets_the_outputs(ops, outputs):
    """You let a value disappear that is wanted in the end. It must be the last of its kernel."""
    return joined(ops, ())


def joins_products(ops, outputs):
    """You joined products or reductions to a kernel, too. Only element-wise operations can follow inside one."""
    return joined(ops, outputs, kinds=("elementwise", "product", "reduction"))


def first_input_only(ops, outputs):
    """You looked at the first input alone. Of several that could stay on the chip, the largest saves most."""
    return joined(ops, outputs, pick=lambda values, sizes: values[0])


def one_step_behind_a_product(ops, outputs):
    """You joined one operation to each product and stopped. The next can join the same kernel."""
    return joined(ops, outputs, longest=2)


def joined(ops, outputs, lone=True, kinds=("elementwise",), pick=None, longest=99):
    """Greedy fusion, with one thing changed."""
    sizes, ending = {name: elements for name, _, _, elements in ops}, {}
    for name, kind, inputs, _ in ops:
        read = lambda value: sum(value in needs for _, _, needs, _ in ops)  # noqa: E731
        ready = [v for v in inputs if v in ending and v not in outputs and (not lone or read(v) == 1)]
        ready = [v for v in ready if len(ending[v]) < longest]
        chosen = (pick(ready, sizes) if pick else max(ready, key=sizes.get)) if ready and kind in kinds else None
        ending[name] = [*(ending.pop(chosen) if chosen else []), name]
    return list(ending.values())


def not_warmed_up(device):
    """Your first runs are among those that count. They compile, and the device is not yet warm."""
    return timed(device, warm=0, runs=100)


def not_waited_for(device):
    """You measured how long it takes to ask for a run. Wait until it is done before you look at the clock."""
    return timed(device, waits=False)


def takes_the_mean(device):
    """You took the mean. A few runs meet other work and take four times as long; the median does not notice them."""
    return timed(device, pick=lambda seconds: sum(seconds) / len(seconds))


def warm_caches(device):
    """You left in the caches what the run before had brought. In the service other work comes between two runs."""
    return timed(device, flush=False)


def takes_the_fastest(device):
    """You took the fastest run. That is luck, not what a run takes: the median is."""
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


def only_draws(cost, draw, seed):
    """You drew all your mappings at random. A change of a good one is more often good than a new one is."""
    dice = random.Random(seed)
    return min((draw(dice) for _ in range(2000)), key=cost)


def one_thing_at_a_time(cost, draw, seed):
    """You changed one thing at a time. With full buffers the way on is a swap: one edge longer, another shorter."""
    return climbing(cost, draw, seed, swap=False)


def never_starts_anew(cost, draw, seed):
    """You climbed once. Most climbs end where nothing helps, far from the best: start anew with what calls are left."""
    return climbing(cost, draw, seed, once=True)


def returns_the_last(cost, draw, seed):
    """You returned where your last climb stood. Keep the best of all of them."""
    return climbing(cost, draw, seed, keep=False)


def asks_too_often(cost, draw, seed):
    """You asked cost more often than you may. Trials that do not fit count, too."""
    return climbing(cost, draw, seed, calls=5000)


def climbing(cost, draw, seed, swap=True, once=False, keep=True, calls=2000):
    """Climbs with restarts, with one thing changed."""
    dice, left, best, least = random.Random(seed), calls, None, float("inf")
    ways = [
        (up, down) for up in (None, 0, 1, 2) for down in (None, 0, 1, 2) if up != down and (swap or None in (up, down))
    ]
    moves = [(level, *way) for level in (0, 2) for way in ways]
    moves += [(level, order) for level in (1, 3) for order in ("mnk", "mkn", "nmk", "nkm", "kmn", "knm")]
    while left > 0:
        here = draw(dice)
        now, left, rest = cost(here), left - 1, dice.sample(moves, len(moves))
        while rest and now < float("inf") and left > 0:
            level, what, *down = rest.pop()
            other = list(here)
            tile = (
                [edge * (1 + (d == what)) // (1 + (d in down)) for d, edge in enumerate(here[level])] if down else what
            )
            other[level] = tuple(tile) if down else what
            price, left = cost(other), left - 1
            if price < now:
                here, now, rest = other, price, dice.sample(moves, len(moves))
        if now < least or not keep:
            best, least = here, now
        if once and now < float("inf"):
            break
    return best
