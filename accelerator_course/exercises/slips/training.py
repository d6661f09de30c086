"""Slips of the exercises of chapter 11b."""

from functools import partial

from accelerator_course.exercises.training import CHUNKS, H100, LLAMA, MICROS, WAYS
from accelerator_lib.network.parallel import splits


def gpipe(stage, stages, microbatches):
    return "F" * microbatches + "B" * microbatches


def no_filling(stage, stages, microbatches):
    return "FB" * microbatches


def all_fill_alike(stage, stages, microbatches):
    return filled(stages - 1, microbatches)


def one_too_few(stage, stages, microbatches):
    return filled(max(stages - stage - 2, 0), microbatches)


def more_than_there_are(stage, stages, microbatches):
    ahead = stages - stage - 1
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def filled(ahead, microbatches):
    """So many forwards, then by turns, then the rest."""
    ahead = min(ahead, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


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
