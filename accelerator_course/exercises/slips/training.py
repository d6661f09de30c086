"""Slips of the exercises of chapter 11b."""

from accelerator_lib.network.parallel import splits


def gpipe(stage, stages, microbatches):
    """You did all forwards first: that is GPipe. It takes as long, but every stage keeps the activations of all."""
    return "F" * microbatches + "B" * microbatches


def no_filling(stage, stages, microbatches):
    """You took turns from the start. Then a stage waits until its first micro-batch has come back from the
    last stage."""
    return "FB" * microbatches


def all_fill_alike(stage, stages, microbatches):
    """All your stages begin with equally many forwards. The later a stage, the sooner its first backward can come."""
    return filled(stages - 1, microbatches)


def one_too_few(stage, stages, microbatches):
    """All your stages but the last begin with one forward too few, so that all of them wait in every round."""
    return filled(max(stages - stage - 2, 0), microbatches)


def more_than_there_are(stage, stages, microbatches):
    """If there are fewer micro-batches than stages, you begin with more forwards than there are micro-batches."""
    ahead = stages - stage - 1
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def filled(ahead, microbatches):
    """So many forwards, then by turns, then the rest."""
    ahead = min(ahead, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def across_nodes(sequences, outer, holds):
    """You used tensor parallelism across nodes. Its all-reduces sit in every layer, and they now use the slow links."""
    return 16, 1, 1, 1


def memory_forgotten(sequences, outer, holds):
    """You took the fastest of all that divide. Not all of them fit: look at bytes_per_chip."""
    return fastest(sequences, outer, 1e15)


def one_split_for_all(sequences, outer, holds):
    """You gave the best split of one machine for all three. With fewer sequences there is less to fill a pipeline."""
    return fastest(1024, 50e9, 72e9)


def plain_pipelines(sequences, outer, holds):
    """You left each stage in one piece. With several chunks the stages wait less."""
    return fastest(sequences, outer, holds, chunks=(1,))


def fastest(sequences, outer, holds, chunks=(1, 2, 4, 5, 10, 20)):
    """The fastest split, with one thing changed."""
    best = splits("llama-3-70b", "h100-sxm5", 512, sequences, 4096, holds, (1, 2, 4, 8, 16), (1, 2, 4), chunks,
                  outer_bytes_per_s=outer)[0]  # fmt: skip
    return best.tp, best.pp, best.micro, best.interleave
