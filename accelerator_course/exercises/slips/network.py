"""Slips of the exercises of chapter 11."""

import numpy as np

from accelerator_lib.network.parallel import splits


def whole_arrays(arrays, exchange):
    """You sent whole arrays around the ring. Cut them into as many parts as there are ranks: each step moves one."""
    totals, moving = [np.array(one) for one in arrays], list(arrays)
    for _ in range(len(arrays) - 1):
        moving = exchange(moving)
        totals = [total + one for total, one in zip(totals, moving, strict=True)]
    return totals


def half_way(arrays, exchange):
    """You stopped half-way: every rank has the whole sum of one part. Once more around, so that all get it."""
    return around(arrays, exchange, gather=False)


def adds_to_the_end(arrays, exchange):
    """In the second round you went on adding. What comes then is finished: it takes the place of what was there."""
    return around(arrays, exchange, adding=True)


def own_part_again(arrays, exchange):
    """In the second round each rank began with the part of the first. It has finished another: the next one."""
    return around(arrays, exchange, first=0)


def around(arrays, exchange, gather=True, adding=False, first=1):
    """The ring, with one thing changed."""
    n = len(arrays)
    parts = [np.split(np.array(one), n) for one in arrays]
    for turn in range((2 if gather else 1) * (n - 1)):
        step, again = turn % (n - 1), turn >= n - 1
        shift = first * again - step
        arrived = exchange([parts[rank][(rank + shift) % n] for rank in range(n)])
        for rank in range(n):
            here = (rank - 1 + shift) % n
            parts[rank][here] = arrived[rank] if again and not adding else parts[rank][here] + arrived[rank]
    return [np.concatenate(own) for own in parts]


def gpipe(stage, stages, microbatches):
    """All forwards first: that is GPipe. It takes as long, but every stage keeps the activations of them all."""
    return "F" * microbatches + "B" * microbatches


def no_filling(stage, stages, microbatches):
    """By turns from the start: then a stage waits until its first micro-batch has come back from the last one."""
    return "FB" * microbatches


def all_fill_alike(stage, stages, microbatches):
    """All your stages begin with as many forwards. The later a stage, the sooner its first backward can come."""
    return filled(stages - 1, microbatches)


def one_too_few(stage, stages, microbatches):
    """All your stages but the last begin with one forward too few, so that all of them wait in every round."""
    return filled(max(stages - stage - 2, 0), microbatches)


def more_than_there_are(stage, stages, microbatches):
    """With fewer micro-batches than stages you fill with more than there are."""
    ahead = stages - stage - 1
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def filled(ahead, microbatches):
    """So many forwards, then by turns, then the rest."""
    ahead = min(ahead, microbatches)
    return "F" * ahead + "FB" * (microbatches - ahead) + "B" * ahead


def nobody_waits(gpus, sigma, every, fixed, rounds, draw):
    """You took the mean over the GPUs. They wait for the last one, so it is the largest that counts."""
    return thrown(gpus, sigma, every, fixed, rounds, draw).mean()


def waits_at_every_step(gpus, sigma, every, fixed, rounds, draw):
    """You let them wait after every single step. Between two synchronisations a slow step can be made good."""
    return thrown(gpus, sigma, every, fixed, rounds, draw).max(axis=2).mean()


def time_of_a_round(gpus, sigma, every, fixed, rounds, draw):
    """That is the time of all steps between two synchronisations; asked is that of one step."""
    return every * thrown(gpus, sigma, every, fixed, rounds, draw).mean(axis=1).max(axis=1).mean()


def always_slow(gpus, sigma, every, fixed, rounds, draw):
    """You drew one number for each GPU and round. Unless slow chips stay slow, every step has its own."""
    return thrown(gpus, sigma, every, True, rounds, draw).mean(axis=1).max(axis=1).mean()


def always_new(gpus, sigma, every, fixed, rounds, draw):
    """You drew a new number for every step. Where slow chips stay slow, a GPU has one for all steps of a round."""
    return thrown(gpus, sigma, every, False, rounds, draw).mean(axis=1).max(axis=1).mean()


def thrown(gpus, sigma, every, fixed, rounds, draw):
    """Times of steps: [round, step, GPU]."""
    return draw.normal(1, sigma, (rounds, 1 if fixed else every, gpus))


def as_wide_as_the_node(sequences, outer):
    """You made tp as wide as the node and left it at that. Its all-reduces sit in every layer; stages talk less."""
    return 8, 1, 1, 1


def memory_forgotten(sequences, outer):
    """You took the fastest of all that divide. Not all of them fit: look at bytes_per_chip."""
    return fastest(sequences, outer, capacity=1e15)


def one_split_for_all(sequences, outer):
    """You gave the best split of the first machine for all. With fewer sequences there is less to fill a pipeline."""
    return fastest(1024, 50e9)


def plain_pipelines(sequences, outer):
    """You left each stage in one piece. With several chunks the stages wait less."""
    return fastest(sequences, outer, chunks=(1,))


def fastest(sequences, outer, capacity=72e9, chunks=(1, 2, 4, 5, 10, 20)):
    """The fastest split, with one thing changed."""
    best = splits("llama-3-70b", "h100-sxm5", 512, sequences, 4096, capacity, (1, 2, 4, 8, 16), (1, 2, 4), chunks,
                  outer_bytes_per_s=outer)[0]  # fmt: skip
    return best.tp, best.pp, best.micro, best.interleave
