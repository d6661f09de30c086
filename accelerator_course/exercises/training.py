"""Exercises of chapter 11b."""

from itertools import product

import numpy as np

from accelerator_course.exercises import Exercise
from accelerator_course.exercises.cases import Wrong, case, shown
from accelerator_course.exercises.slips import training as slips
from accelerator_course.exercises.splitting import CHUNKS, H100, LLAMA, MICROS, WAYS, check_choose
from accelerator_lib.network import parallel
from accelerator_lib.network.pipeline import play

PIPELINES = ((4, 8), (4, 16), (2, 3), (8, 4), (1, 3), (6, 6))  # stages, micro-batches


def order(stage, stages, microbatches):
    """The turns of a stage in 1F1B: enough forwards to fill the stages behind it, then by turns."""
    ahead = min(stages - stage - 1, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


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
    return "right for six pipelines: no stage waits for ever or keeps more than it must, and no order is faster."


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


EXERCISES = [
    Exercise(
        "11.2",
        "X11.2",
        "the turns of one stage in 1F1B, as a text of F and B.",
        "A stage begins with one forward for each stage behind it. When are there fewer micro-batches than that?",
        _check_order,
        order,
        (slips.gpipe, slips.no_filling, slips.all_fill_alike, slips.one_too_few, slips.more_than_there_are),
    ),
    Exercise(
        "11.4",
        "X11b",
        "how to split a training step over 512 chips: a tuple (tp, pp, micro, chunks).",
        "There are 450 ways. Which of them divide? Which fit into the memory? What does one step of each take?",
        check_choose,
        choose,
        (slips.across_nodes, slips.memory_forgotten, slips.one_split_for_all, slips.plain_pipelines),
    ),
]
