"""Exercises of chapter 11."""

from itertools import product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_course.exercises.slips import network as slips
from accelerator_course.exercises.splitting import CHUNKS, H100, LLAMA, MICROS, WAYS, check_choose
from accelerator_lib.network import parallel
from accelerator_lib.network.pipeline import play
from accelerator_lib.network.stragglers import expected_maximum
from accelerator_lib.units import counted

RINGS = ((2, 4), (4, 8), (3, 12), (8, 64), (5, 20), (1, 6))  # ranks, numbers
PIPELINES = ((4, 8), (4, 16), (2, 3), (8, 4), (1, 3), (6, 6))  # stages, micro-batches
CLOSE = 0.003  # of a step: four standard errors of the dice
CREWS = (  # GPUs, spread, steps between two synchronisations, whether a slow chip stays slow, rounds
    (8, 0.03, 1, False, 2000),
    (1024, 0.03, 1, False, 300),
    (1024, 0.03, 16, False, 150),
    (1024, 0.03, 16, True, 300),
    (64, 0.05, 4, False, 1000),
    (2, 0.1, 9, True, 8000),
)


def ring_all_reduce(arrays, exchange):
    """Around the ring twice: n - 1 steps that add, n - 1 that hand on what is finished."""
    n = len(arrays)
    parts = [np.split(np.array(array), n) for array in arrays]
    for step in range(n - 1):
        arrived = exchange([parts[rank][(rank - step) % n] for rank in range(n)])
        for rank in range(n):
            here = (rank - 1 - step) % n
            parts[rank][here] = parts[rank][here] + arrived[rank]
    for step in range(n - 1):
        arrived = exchange([parts[rank][(rank + 1 - step) % n] for rank in range(n)])
        for rank in range(n):
            parts[rank][(rank - step) % n] = arrived[rank]
    return [np.concatenate(own) for own in parts]


def order(stage, stages, microbatches):
    """The turns of a stage in 1F1B: enough forwards to fill the stages behind it, then by turns."""
    ahead = min(stages - stage - 1, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def straggling(gpus, sigma, every, fixed, rounds, draw):
    """Mean time of a step where all wait, after `every` steps, for the last."""
    times = draw.normal(1, sigma, (rounds, 1 if fixed else every, gpus))
    return times.mean(axis=1).max(axis=1).mean()


class _Ring:
    """What carries messages from each rank to the next, and counts."""

    def __init__(self, ranks):
        self.ranks, self.steps, self.sent = ranks, 0, np.zeros(ranks, int)

    def __call__(self, outgoing):
        if not isinstance(outgoing, (list, tuple)) or len(outgoing) != self.ranks:
            raise ValueError(f"exchange takes a list with an array for each of the {self.ranks} ranks")
        outgoing = [np.array(one) for one in outgoing]
        self.steps += 1
        self.sent += [one.size for one in outgoing]
        return [outgoing[rank - 1] for rank in range(self.ranks)]


def _check_ring(function):
    for ranks, numbers in RINGS:
        arrays = np.random.default_rng(ranks).integers(0, 100, (ranks, numbers))
        total, where = arrays.sum(0), f"{ranks} ranks, {numbers} numbers each"
        steps, sent = 2 * (ranks - 1), 2 * (ranks - 1) * numbers // ranks

        def call(arrays=arrays, ranks=ranks):
            wire = _Ring(ranks)
            got = function([one.copy() for one in arrays], wire)
            return got, wire.steps, int(wire.sent.max())

        def judge(value, ranks=ranks, total=total, where=where, steps=steps, sent=sent):
            got, took, moved = value
            if not isinstance(got, (list, tuple, np.ndarray)) or len(got) != ranks:
                raise Wrong(f"For {where} return a list with one array for each rank; you returned {shown(got)}.")
            for rank, mine in enumerate(got):
                if np.shape(mine) != total.shape or not np.array_equal(mine, total):
                    raise Wrong(f"For {where}: rank {rank} ends with {shown(mine)}, not with the sum {shown(total)}.")
            if took and moved > sent:
                raise Wrong(f"For {where}: the sum is right, but a rank sent {moved} numbers; {sent} are enough.")
            if (took, moved) != (steps, sent):
                done = f"{counted(took, 'step')} and {counted(moved, 'number')} sent"
                raise Wrong(
                    f"For {where}: the sum is right, after {done}; expected are {steps} and {sent}. "
                    "A rank knows of others only what exchange brings."
                )

        told = f"the sum, {steps} steps, {sent} sent"
        yield case(where, told, call, judge, lambda value: f"{value[1]} steps, {value[2]} sent")
    return "right for six rings: the sum on every rank after 2(n − 1) steps, and each sent 2(n − 1)/n of its array."


def _check_order(function):
    for stages, microbatches in PIPELINES:
        where = f"{stages} stages, {microbatches} micro-batches"
        best = 3 * (microbatches + stages - 1)
        call = lambda p=stages, m=microbatches: tuple(function(stage, p, m) for stage in range(p))  # noqa: E731

        def judge(got, p=stages, m=microbatches, where=where, best=best):
            orders = [_turns(stage, one, m, where) for stage, one in enumerate(got)]
            try:
                spans = play(orders)
            except ValueError as error:
                raise Wrong(f"For {where}: {error}.") from None
            for stage, one in enumerate(got):
                kept = np.max(np.cumsum([1 if turn == "F" else -1 for turn in one]))
                if kept > min(p - stage, m):
                    raise Wrong(
                        f"For {where}: stage {stage} keeps {kept} micro-batches; {min(p - stage, m)} are enough."
                    )
            took = max(span.end for span in spans)
            if took > best:
                raise Wrong(f"For {where}: all is done after {took:g}; {best} is possible (forward 1, backward 2).")

        yield case(where, f"done after {best}", call, judge)
    return "right for six pipelines: nobody waits for ever, none keeps more than it must, and no order is faster."


def _turns(stage, one, microbatches, where):
    """What a stage does in turn, as the player takes it."""
    if not isinstance(one, str) or set(one) - {"F", "B"}:
        raise Wrong(f"For {where} return a text of F and B for stage {stage}; you returned {shown(one)}.")
    for letter in "FB":
        if one.count(letter) != microbatches:
            raise Wrong(
                f"For {where}: stage {stage} has {one.count(letter)} {letter}, not {microbatches}: {shown(one)}."
            )
    return [(letter, one[:place].count(letter), 0) for place, letter in enumerate(one)]


def _check_straggling(function):
    for turn, (gpus, sigma, every, fixed, rounds) in enumerate(CREWS):
        want = 1 + sigma * expected_maximum(gpus) / (1 if fixed else every**0.5)
        kind = "slow chips stay slow" if fixed else "new at every step"
        where = f"{gpus} GPUs, spread {sigma:g}, all wait after {counted(every, 'step')}, {kind}"

        def call(given=(gpus, sigma, every, fixed, rounds), turn=turn):
            return function(*given, np.random.default_rng(110 + turn))

        def judge(got, want=want, where=where):
            if isinstance(got, bool) or not isinstance(got, (int, float, np.number)) or not np.isfinite(got):
                raise Wrong(f"For {where} your function returned {shown(got)}; the mean time of a step was expected.")
            if abs(got - want) > CLOSE:
                raise Wrong(f"For {where} your function returned {got:.4f}; expected is {want:.4f}, within {CLOSE}.")

        yield case(where, f"about {want:.3f}", call, judge)
    return "right for six crews, within 0.003: the last of many sets the pace, and only chance evens out."


def choose(sequences, outer):
    """The fastest of all that divide and fit. WAYS, MICROS and CHUNKS are the lists of the task."""
    found = []
    for tp, pp, micro, chunks in product(WAYS, WAYS, MICROS, CHUNKS):
        dp = 512 // (tp * pp)
        try:
            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, 4096, micro, chunks, outer_bytes_per_s=outer)
        except ValueError:  # something does not divide
            continue
        if one.bytes_per_chip <= 72e9:
            found.append((one.seconds, (tp, pp, micro, chunks)))
    return min(found)[1]


EXERCISES = [
    Exercise(
        "11.1",
        "X11.1",
        "the sum of all arrays on every rank, around a ring, with as little sent as possible.",
        "Cut every array into a part for each rank. Which part does rank 0 send first, and to what is it added?",
        _check_ring,
        ring_all_reduce,
        (slips.whole_arrays, slips.half_way, slips.adds_to_the_end, slips.own_part_again),
    ),
    Exercise(
        "11.2",
        "X11.2",
        "the turns of one stage in 1F1B, as a text of F and B.",
        "How many micro-batches must a stage have sent on before its first backward can arrive? When are there fewer?",
        _check_order,
        order,
        (slips.gpipe, slips.no_filling, slips.all_fill_alike, slips.one_too_few, slips.more_than_there_are),
    ),
    Exercise(
        "11.3",
        "X11.3",
        "the mean time of a step where all wait for the last, by throwing dice.",
        "What does one GPU draw between two synchronisations? Over what do you take the largest, over what the mean?",
        _check_straggling,
        straggling,
        (
            slips.nobody_waits,
            slips.waits_at_every_step,
            slips.time_of_a_round,
            slips.always_slow,
            slips.always_new,
        ),
    ),
    Exercise(
        "11.4",
        "X11.4",
        "how to split a training step over 512 chips: a tuple (tp, pp, micro, chunks).",
        "There are 450 ways. Which of them divide? Which fit into 72 GB? What does one step of each take?",
        check_choose,
        choose,
        (slips.as_wide_as_the_node, slips.memory_forgotten, slips.one_split_for_all, slips.plain_pipelines),
    ),
]
