"""Exercises of chapter 11b."""

from functools import cache, partial
from itertools import product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, chosen, shown
from accelerator_lib.hardware import chip
from accelerator_lib.network import parallel
from accelerator_lib.network.parallel import splits
from accelerator_lib.network.pipeline import play
from accelerator_lib.units import si
from accelerator_lib.workload.models import model

WAYS, MICROS, CHUNKS = (1, 2, 4, 8, 16), (1, 2, 4), (1, 2, 4, 5, 10, 20)  # tp and pp, sequences, chunks of a stage
CLUSTERS = ((1024, 50e9, 72e9), (256, 50e9, 72e9), (1024, 400e9, 40e9))  # sequences, B/s between nodes, B of a chip
PASS = 0.97  # score
LLAMA, H100 = model("llama-3-70b"), chip("h100-sxm5")


@cache
def _legal(sequences, outer, holds):
    """{(tp, pp, micro, chunks): Split} of all that divide and fit, the fastest first."""
    found = splits(LLAMA, H100, 512, sequences, 4096, holds, WAYS, MICROS, CHUNKS, outer_bytes_per_s=outer)
    return {(one.tp, one.pp, one.micro, one.interleave): one for one in found}


def check_choose(function):
    for sequences, outer, holds in CLUSTERS:
        where = f"{sequences:,} sequences, {si(outer, 'B/s')} between nodes, {si(holds, 'B')} a chip"
        judge = partial(_judge_split, sequences, outer, holds, where)
        yield case(where, f"a score of {PASS} or more", partial(function, sequences, outer, holds), judge)
    return (
        "three machines, three good splits. Several are nearly as good as the best, and the model is off by more than "
        "they differ. So take the simplest of those that pass."
    )


def _judge_split(sequences, outer, holds, where, got):
    legal = _legal(sequences, outer, holds)
    tp, pp, micro, chunks = map(int, chosen(where, got, tp=WAYS, pp=WAYS, micro=MICROS, chunks=CHUNKS))
    best, mine = next(iter(legal.values())), legal.get((tp, pp, micro, chunks))
    if mine is None:
        try:
            dp = 512 // (tp * pp)
            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, 4096, micro, chunks, outer_bytes_per_s=outer)
            reason = f"a chip would hold {si(one.bytes_per_chip, 'B')}, more than {si(holds, 'B')}"
        except ValueError as error:
            reason = str(error)
        raise Wrong(f"For {where} {shown(tuple(got))} is not possible: {reason}.")
    if (score := best.seconds / mine.seconds) < PASS:
        took = f"takes {mine.seconds:.2f} s, and {best.seconds:.2f} s is possible"
        raise Wrong(f"For {where} a step of {shown(tuple(got))} {took}: a score of {score:.2f}; {PASS} passes.")


PIPELINES = ((4, 8), (4, 16), (2, 3), (8, 4), (1, 3), (6, 6))  # stages, micro-batches


def order(stage, stages, microbatches):
    """The turns of a stage in 1F1B: enough forwards to fill the stages behind it, then by turns."""
    ahead = min(stages - stage - 1, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def _check_order(function):
    for stages, microbatches in PIPELINES:
        best = 3 * (microbatches + stages - 1)
        call = lambda p=stages, m=microbatches: tuple(function(stage, p, m) for stage in range(p))  # noqa: E731
        where = f"{stages} stages, {microbatches} micro-batches"
        yield case(where, f"done after {best}", call, partial(_judge_order, stages, microbatches, best, where))
    return "right for six pipelines: no stage waits for ever or keeps more than it must, and no order is faster."


def _judge_order(stages, microbatches, best, where, got):
    orders = [_turns(stage, one, microbatches, where) for stage, one in enumerate(got)]
    try:
        took = max(span.end for span in play(orders))
    except ValueError as error:
        raise Wrong(f"For {where}: {error}.") from None
    for stage, one in enumerate(got):
        kept, most = np.max(np.cumsum([1 if turn == "F" else -1 for turn in one])), min(stages - stage, microbatches)
        if kept > most:
            raise Wrong(f"For {where}: stage {stage} keeps {kept} micro-batches; {most} are enough.")
    if took > best:
        raise Wrong(f"For {where}: all is done after {took:g}; {best} is possible (forward 1, backward 2).")


def _turns(stage, one, microbatches, where):
    """What a stage does in turn, as the player takes it."""
    if not isinstance(one, str) or set(one) - {"F", "B"}:
        raise Wrong(f"For {where} return a text of F and B for stage {stage}; you returned {shown(one)}.")
    for letter in "FB":
        if (count := one.count(letter)) != microbatches:
            raise Wrong(f"For {where}: stage {stage} has {count} {letter}, not {microbatches}: {shown(one)}.")
    return [(letter, one[:place].count(letter), 0) for place, letter in enumerate(one)]


def choose(sequences, outer, holds):
    """The fastest of all that divide and fit. WAYS, MICROS and CHUNKS are the lists of the task."""
    found = []
    for tp, pp, micro, chunks in product(WAYS, WAYS, MICROS, CHUNKS):
        dp = 512 // (tp * pp)
        try:
            one = parallel.split(LLAMA, H100, tp, pp, dp, sequences, 4096, micro, chunks, outer_bytes_per_s=outer)
        except ValueError:  # something does not divide
            continue
        if one.bytes_per_chip <= holds:
            found.append((one.seconds, (tp, pp, micro, chunks)))
    return min(found)[1]


EXERCISES = [Exercise("11.2", _check_order, order), Exercise("11.4", check_choose, choose)]
