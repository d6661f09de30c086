"""Slips of the exercises of chapter 11b."""

from accelerator_course.exercises.slips import changed
from accelerator_course.exercises.training import choose, order

FILLING = "min(stages - stage - 1, microbatches)"
gpipe = changed(order, FILLING, "microbatches")
no_filling = changed(order, FILLING, "0")
more_than_there_are = changed(order, FILLING, "stages - stage - 1")
all_fill_alike = changed(order, "stages - stage - 1", "stages - 1")
one_too_few = changed(order, "stages - stage - 1", "max(stages - stage - 2, 0)")

memory_forgotten = changed(choose, "one.bytes_per_chip <= holds", "True")
plain_pipelines = changed(choose, "MICROS, CHUNKS)", "MICROS, [1])")


def across_nodes(sequences, outer, holds):
    return 16, 1, 1, 1


def one_split_for_all(sequences, outer, holds):
    return choose(1024, 50e9, 72e9)
