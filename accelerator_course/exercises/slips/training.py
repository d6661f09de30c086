"""Slips of the exercises of chapter 11b."""

from functools import partial
from math import inf

from accelerator_course.exercises.training import CHUNKS, H100, LLAMA, MICROS, WAYS
from accelerator_lib.network.parallel import splits


def filled(stage, stages, microbatches, ahead=lambda stage, stages: stages - stage - 1, capped=True):
    """So many forwards, then by turns, then the rest; with one thing changed."""
    first = ahead(stage, stages)
    first = min(first, microbatches) if capped else first
    return "F" * first + "FB" * (microbatches - first) + "B" * first


gpipe = partial(filled, ahead=lambda stage, stages: inf)
no_filling = partial(filled, ahead=lambda stage, stages: 0)
all_fill_alike = partial(filled, ahead=lambda stage, stages: stages - 1)
one_too_few = partial(filled, ahead=lambda stage, stages: max(stages - stage - 2, 0))
more_than_there_are = partial(filled, capped=False)


def across_nodes(sequences, outer, holds):
    return 16, 1, 1, 1


def memory_forgotten(sequences, outer, holds):
    return fastest(sequences, outer, 1e15)


def one_split_for_all(sequences, outer, holds):
    return fastest(1024, 50e9, 72e9)


def fastest(sequences, outer, holds, chunks=CHUNKS):
    """The fastest split, with one thing changed."""
    best = splits(LLAMA, H100, 512, sequences, 4096, holds, WAYS, MICROS, chunks, outer_bytes_per_s=outer)[0]
    return best.tp, best.pp, best.micro, best.interleave


plain_pipelines = partial(fastest, chunks=(1,))
